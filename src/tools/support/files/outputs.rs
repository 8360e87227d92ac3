//! Output files of a command: checks that none of them is also an input file or another output file.

use super::folder_of;
use crate::tools::support::text::shown_name;
use anyhow::{ensure, Result};
use clap::builder::{MapValueParser, PathBufValueParser, TypedValueParser, ValueParserFactory};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::ops::Deref;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// An output file of a command. Every option for an output file has this type, by which [`ensure_apart`] recognises it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile(PathBuf);

impl From<PathBuf> for OutputFile {
    fn from(path: PathBuf) -> OutputFile {
        OutputFile(path)
    }
}

impl AsRef<Path> for OutputFile {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Deref for OutputFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl ValueParserFactory for OutputFile {
    type Parser = MapValueParser<PathBufValueParser, fn(PathBuf) -> OutputFile>;

    fn value_parser() -> Self::Parser {
        PathBufValueParser::new().map(OutputFile)
    }
}

/// The identity of a file, independent of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// An existing file: device and inode.
    Present(u64, u64),
    /// A file that does not exist yet: its resolved path.
    Absent(PathBuf),
}

impl Identity {
    /// Returns the identity of an existing file; `None` for pipes and devices (e.g. /dev/null), which may be named
    /// twice.
    fn present(metadata: &Metadata) -> Option<Identity> {
        metadata.is_file().then(|| Identity::Present(metadata.dev(), metadata.ino()))
    }

    fn of(path: &Path) -> Option<Identity> {
        match fs::metadata(path) {
            Ok(found) => Identity::present(&found),
            Err(_) => Some(Identity::Absent(resolve(path))),
        }
    }

    fn of_standard_output() -> Option<Identity> {
        let file = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?);
        Identity::present(&file.metadata().ok()?)
    }
}

/// Returns the path of a file that does not exist, through the links of its folder if that exists.
fn resolve(path: &Path) -> PathBuf {
    let folder = fs::canonicalize(folder_of(path)).ok();
    let joined = folder.and_then(|folder| Some(folder.join(path.file_name()?)));
    joined.unwrap_or_else(|| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
}

/// A file named on the command line.
struct Named {
    /// The option and its value.
    text: String,
    identity: Identity,
}

/// Fails if a command would write to one of its input files, or to one file twice. `matches` are the parsed arguments
/// of `command`.
pub fn ensure_apart(command: &Command, matches: &ArgMatches) -> Result<()> {
    if let Some((name, inner)) = matches.subcommand() {
        return command.find_subcommand(name).map_or(Ok(()), |found| ensure_apart(found, inner));
    }
    let arguments = || command.get_arguments();
    let outputs: Vec<Named> = arguments()
        .filter(|argument| !is_replaced_default(command, matches, argument))
        .flat_map(|argument| outputs_of(argument, matches))
        .collect();
    for (index, output) in outputs.iter().enumerate() {
        let same = outputs[..index].iter().find(|other| other.identity == output.identity);
        if let Some(same) = same {
            anyhow::bail!("{} and {} are the same file", same.text, output.text);
        }
    }
    let standard = Identity::of_standard_output();
    for argument in arguments() {
        for path in inputs_of(argument, matches) {
            // A file that does not exist can't be overwritten.
            let Ok(found) = fs::metadata(&path) else { continue };
            let Some(identity) = Identity::present(&found) else { continue };
            let (name, path) = (name_of(argument), shown_name(&path));
            if let Some(output) = outputs.iter().find(|output| output.identity == identity) {
                anyhow::bail!(
                    "{} would overwrite the input file {path} ({name}): choose another name",
                    output.text
                );
            }
            ensure!(
                standard.as_ref() != Some(&identity),
                "stdout would overwrite the input file {path} ({name}): choose another name"
            );
        }
    }
    Ok(())
}

/// Whether an option has its default value and another given option excludes it (e.g. `--no-record` excludes
/// `--record`).
fn is_replaced_default(command: &Command, matches: &ArgMatches, argument: &Arg) -> bool {
    let source = |argument: &Arg| matches.value_source(argument.get_id().as_str());
    source(argument) == Some(ValueSource::DefaultValue)
        && command.get_arguments().any(|other| {
            source(other) == Some(ValueSource::CommandLine)
                && command.get_arg_conflicts_with(other).contains(&argument)
        })
}

fn name_of(argument: &Arg) -> String {
    match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => argument.get_id().as_str().to_uppercase(),
    }
}

fn outputs_of(argument: &Arg, matches: &ArgMatches) -> Vec<Named> {
    let named = |path: &OutputFile| {
        let text = format!("{} {}", name_of(argument), shown_name(path));
        Some(Named { text, identity: Identity::of(path)? })
    };
    values_of::<OutputFile>(argument, matches).filter_map(named).collect()
}

/// Returns the values of an argument if they have the type `T`.
fn values_of<'a, T: Clone + Send + Sync + 'static>(
    argument: &Arg,
    matches: &'a ArgMatches,
) -> impl Iterator<Item = &'a T> {
    matches.try_get_many::<T>(argument.get_id().as_str()).ok().flatten().into_iter().flatten()
}

/// Returns the input files that an argument may name: paths, and the words of text values, e.g. the program or the
/// network of a player.
fn inputs_of(argument: &Arg, matches: &ArgMatches) -> Vec<PathBuf> {
    let parts = |text: &OsStr| -> Vec<PathBuf> {
        let text = text.to_string_lossy().into_owned();
        let words = text.split(|c: char| c.is_whitespace() || ",=:;<>'\"".contains(c));
        words.filter(|word| !word.is_empty()).chain([&*text]).map(PathBuf::from).collect()
    };
    let paths = values_of::<PathBuf>(argument, matches).cloned();
    let texts = values_of::<String>(argument, matches).map(OsStr::new);
    let texts = texts.chain(values_of::<OsString>(argument, matches).map(OsString::as_os_str));
    paths.chain(texts.flat_map(parts)).collect()
}
