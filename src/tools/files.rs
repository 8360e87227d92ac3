//! Files that hold hours of work: written so that little of it is lost.

use anyhow::{Context, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Fails where a file can't be written, so that this is known before the work and not after it. What
/// is there stays as it is.
pub fn ensure_writable(path: &Path) -> Result<()> {
    let context = || format!("writing {}", path.display());
    if File::create_new(path).is_ok() {
        return fs::remove_file(path).with_context(context);
    }
    // It exists, or the error says why it can't be made.
    OpenOptions::new().append(true).create(true).open(path).with_context(context)?;
    Ok(())
}

/// Writes a file so that a kill leaves either the old or the new one.
pub fn replace_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    // By the whole name: `x.a` and `x.b` must not share it.
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let write = || -> io::Result<()> {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().with_context(|| format!("writing {}", path.display()))
}

/// Cuts off a last line that a kill has left unfinished, from a file open for appending and from its
/// text.
pub fn drop_torn_line(file: &File, text: &mut String) -> Result<()> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    if whole < text.len() {
        text.truncate(whole);
        file.set_len(whole as u64).context("cutting off an unfinished line")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn asking_whether_a_file_is_writable_changes_nothing() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        ensure_writable(&path).expect("a file that can be made");
        assert!(!path.exists());
        fs::write(&path, "text").expect("a writable file");
        ensure_writable(&path).expect("a writable file");
        assert_eq!(fs::read(&path).expect("a file"), b"text");
        for wrong in [folder.path(), &folder.path().join("none/file")] {
            let error = ensure_writable(wrong).expect_err("no such file can be made");
            assert!(error.to_string().starts_with("writing "), "{error}");
        }
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("state.a");
        for text in ["old", "new"] {
            replace_atomically(&path, text.as_bytes()).expect("a writable directory");
            assert_eq!(fs::read_to_string(&path).expect("just written"), text);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a directory").count(), 1);
        assert!(replace_atomically(&folder.path().join("none/state"), b"").is_err());
    }

    #[test]
    fn what_is_appended_follows_the_last_whole_line() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        for (before, after) in [("", ""), ("a", ""), ("a\n", "a\n"), ("a\nb\nc", "a\nb\n")] {
            fs::write(&path, before).expect("a writable file");
            let opened = OpenOptions::new().read(true).append(true).open(&path);
            let (mut file, mut text) = (opened.expect("a file"), String::new());
            file.read_to_string(&mut text).expect("text");
            drop_torn_line(&file, &mut text).expect("a writable file");
            assert_eq!(text, after);
            file.write_all(b"d\n").expect("a writable file");
            assert_eq!(fs::read_to_string(&path).expect("text"), format!("{after}d\n"));
        }
    }
}
