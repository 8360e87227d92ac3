//! Embeds the sources of the playing core with their commit, for `cupbot submit`, and the script modules of the page,
//! for `cupbot board`.

use std::env;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders of a submission's sources, relative to the manifest's directory.
const CORE: [&str; 2] = ["src/engine", "src/games"];
/// Folder of the page of `cupbot board`.
const PAGE: &str = "src/tools/commands/board/assets";
/// Names of files and folders with tests, which are not submitted.
const TESTS: [&str; 2] = ["tests", "tests.rs"];

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut files = Vec::new();
    for folder in CORE {
        collect(&root.join(folder), &mut files)?;
    }
    embed(files, &root.join("src"), "core_sources.rs")?;
    let mut files = Vec::new();
    collect(&root.join(PAGE), &mut files)?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "js"));
    embed(files, &root.join(PAGE), "page_modules.rs")?;
    println!("cargo::rustc-env=CUPBOT_COMMIT={}", commit(&root));
    Ok(())
}

/// Writes a table of files for `include!`: their paths below `base` and their contents.
fn embed(mut files: Vec<PathBuf>, base: &Path, name: &str) -> Result<(), Box<dyn Error>> {
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(base)?.to_string_lossy().replace('\\', "/");
        let path = file.to_string_lossy();
        writeln!(table, "    ({name:?}, include_bytes!({path:?})),")?;
    }
    table.push_str("]\n");
    Ok(fs::write(Path::new(&env::var("OUT_DIR")?).join(name), table)?)
}

/// Collects all files below `folder`, except tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if TESTS.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Returns the commit of the core's sources, with `+` if they differ from it; `unknown` outside a checkout.
fn commit(root: &Path) -> String {
    let git = |args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(root).args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_string())
    };
    // The log of HEAD grows with every commit and checkout.
    let log = git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    // An unpacked archive may be inside a checkout of another project.
    let ours = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let Some(mut commit) = git(&["rev-parse", "--short=12", "HEAD"]).filter(|_| ours) else {
        return "unknown".to_string();
    };
    let [engine, games] = CORE;
    if git(&["status", "--porcelain", "--", engine, games])
        .is_none_or(|changes| !changes.is_empty())
    {
        commit.push('+');
    }
    commit
}
