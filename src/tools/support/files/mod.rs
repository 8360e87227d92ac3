//! Files that hold hours of work: written so that little of it is lost.

pub mod outputs;

use super::text::{decoded, MAX_ENDLESS};
use anyhow::{anyhow, ensure, Context, Result};
use std::fs::{self, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Opening a file and reading what it holds takes no longer.
const OPENING_TIME: Duration = Duration::from_secs(20);
/// The wait between two tries to have a lock.
const LOCK_POLL: Duration = Duration::from_millis(10);

/// A file that is read as a whole has no more bytes.
const MAX_FILE: u64 = 256 << 20;
/// The permissions of a new file, less what the process's mask takes away.
const NEW_FILE_MODE: u32 = 0o666;

/// The folder that a file is in, or is to be in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the folder that a file is to be in, where it is missing.
pub fn make_folder_of(path: &Path) -> io::Result<()> {
    let made = fs::create_dir_all(folder_of(path));
    // What exists is a file in the place of a folder, not the file to be made.
    made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
        _ => error,
    })
}

/// Fails where a file can't be written, so that this is known before the work and not after it. A missing folder
/// is made; what is there stays as it is.
pub fn ensure_writable(path: &Path) -> Result<()> {
    let context = || format!("writing {}", path.display());
    make_folder_of(path).with_context(context)?;
    if File::create_new(path).is_ok() {
        return fs::remove_file(path).with_context(context);
    }
    // It exists, or the error says why it can't be made.
    OpenOptions::new().append(true).create(true).open(path).with_context(context)?;
    Ok(())
}

/// Makes a new file to write to, for this process alone. An error where it exists, since it may hold hours
/// of work.
pub fn create_new(path: &Path) -> Result<File> {
    ensure_regular(path)?;
    let created = make_folder_of(path)
        .and_then(|()| OpenOptions::new().write(true).create_new(true).open(path));
    let file = created.map_err(|error| not_created(path, error))?;
    lock(&file, path)?;
    Ok(file)
}

/// Fails where a folder or a pipe is there: a pipe can't be read back, and opening it may wait for ever. Devices,
/// such as /dev/null, pass.
pub fn ensure_regular(path: &Path) -> Result<()> {
    let Ok(kind) = fs::metadata(path).map(|found| found.file_type()) else { return Ok(()) };
    let is_other = kind.is_dir() || kind.is_fifo() || kind.is_socket();
    ensure!(!is_other, "{} is no regular file", path.display());
    Ok(())
}

/// Opens a file of an earlier run to go on with it, for this process alone.
pub fn open_to_append(path: &Path) -> Result<File> {
    ensure_regular(path)?;
    let opened = OpenOptions::new().read(true).append(true).open(path);
    let file = opened.with_context(|| format!("opening {}", path.display()))?;
    lock(&file, path)?;
    Ok(file)
}

/// Holds a file for this process alone, until it is closed or the process ends in whatever way. An error
/// where another one holds it.
pub fn lock(file: &File, path: &Path) -> Result<()> {
    ensure!(is_held(file.try_lock()), held_elsewhere(path));
    Ok(())
}

/// As [`lock`], but together with other processes that only append. One that is just opening the file is
/// waited for.
pub fn lock_shared(file: &File, path: &Path) -> Result<()> {
    let started = Instant::now();
    while !is_held(file.try_lock_shared()) {
        ensure!(started.elapsed() < OPENING_TIME, held_elsewhere(path));
        thread::sleep(LOCK_POLL);
    }
    Ok(())
}

/// Has the lock been had? Some file systems know none; files there are as safe as they ever were.
fn is_held(locked: Result<(), TryLockError>) -> bool {
    !matches!(locked, Err(TryLockError::WouldBlock))
}

fn held_elsewhere(path: &Path) -> String {
    let name = path.display();
    format!(
        "{name} is being written to by another process: wait for its end, or choose another name"
    )
}

/// As [`create_new`], with its first content: a kill leaves either no file or the whole one.
pub fn create_new_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let create = || -> io::Result<()> {
        make_folder_of(path)?;
        let mut file = temporary_beside(path)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path)?;
        Ok(())
    };
    create().map_err(|error| not_created(path, error))
}

/// What to tell the user about a new file that could not be made.
fn not_created(path: &Path, error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow!(
            "{} exists: --resume goes on with it; otherwise choose another name",
            path.display()
        ),
        _ => anyhow::Error::from(error).context(format!("creating {}", path.display())),
    }
}

/// As [`ensure_writable`], for a file that must not be there: what can't be gone on with is not replaced.
pub fn ensure_new(path: &Path) -> Result<()> {
    ensure!(!path.exists(), "{} exists: choose another name", path.display());
    ensure_writable(path)
}

/// Fails where a file is there, is not empty and does not begin with these bytes: it is another's, and may hold
/// hours of work. Streams may be written to in any case.
pub fn ensure_begins(path: &Path, head: &[u8], kind: &str) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let mut found = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(head.len() as u64).read_to_end(&mut found));
    read.with_context(|| format!("reading {}", path.display()))?;
    ensure!(
        found.is_empty() || found == head,
        "{} exists and is no {kind}: choose another name",
        path.display()
    );
    Ok(())
}

/// As [`ensure_writable`], for what [`replace_atomically`] will write.
pub fn ensure_replaceable(path: &Path) -> Result<()> {
    ensure_writable(path)?;
    if let Target::File(path, _) = Target::of(path) {
        temporary_beside(&path).with_context(|| format!("writing beside {}", path.display()))?;
    }
    Ok(())
}

/// Writes a file so that a kill leaves either the old or the new one. A file that is there keeps its
/// permissions; what is no file, such as a pipe, is written to as it is.
pub fn replace_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || -> io::Result<()> {
        make_folder_of(path)?;
        let (path, permissions) = match Target::of(path) {
            Target::Stream => return OpenOptions::new().write(true).open(path)?.write_all(bytes),
            Target::File(path, permissions) => (path, permissions),
        };
        let mut file = temporary_beside(&path)?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| format!("writing {}", path.display()))
}

/// What a path leads to.
enum Target {
    /// A file: its own path, no link, and its permissions if it is there.
    File(PathBuf, Option<Permissions>),
    /// A pipe or a device, which must not be replaced by a file.
    Stream,
}

impl Target {
    fn of(path: &Path) -> Target {
        match fs::metadata(path) {
            Ok(found) if !found.is_file() => Target::Stream,
            found => {
                let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
                Target::File(path, found.ok().map(|found| found.permissions()))
            }
        }
    }
}

/// A new file in the same folder, so that renaming it does not copy it.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .permissions(Permissions::from_mode(NEW_FILE_MODE))
        .tempfile_in(folder_of(path))
}

/// Reads a file that is read as a whole, such as a network.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    let is_whole = bytes.len() as u64 <= MAX_FILE;
    ensure!(is_whole, "it has more than {} MiB, or no end", MAX_FILE >> 20);
    Ok(bytes)
}

/// Reads a file as what its bytes are the form of. Errors name the file.
pub fn read_as<T, E>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, E>) -> Result<T>
where
    anyhow::Error: From<E>,
{
    let parsed = read(path).and_then(|bytes| Ok(parse(&bytes)?));
    parsed.with_context(|| format!("reading {}", path.display()))
}

/// As [`read`], the text of a file that people may have written.
pub fn read_text(path: &Path) -> Result<String> {
    let text = decoded(read(path)?);
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

/// Reads a text of lines, however many: none of them is without end.
pub fn read_bytes_of_lines(input: impl Read) -> Result<Vec<u8>> {
    let mut input = BufReader::new(input);
    let mut bytes = Vec::new();
    loop {
        let length = input.by_ref().take(MAX_ENDLESS).read_until(b'\n', &mut bytes)? as u64;
        if length == 0 {
            return Ok(bytes);
        }
        let has_end = length < MAX_ENDLESS || bytes.ends_with(b"\n");
        ensure!(has_end, "a line has no end within {} MiB: this is no text", MAX_ENDLESS >> 20);
    }
}

/// Reads a text of lines, of which a kill may have torn the last one, within a character too: that one then ends
/// before the character.
pub fn read_lines(input: impl Read) -> Result<String> {
    let bytes = read_bytes_of_lines(input)?;
    String::from_utf8(bytes).or_else(|error| {
        let valid = error.utf8_error().valid_up_to();
        let mut bytes = error.into_bytes();
        let line = 1 + bytes[..valid].iter().filter(|byte| **byte == b'\n').count();
        ensure!(!bytes[valid..].contains(&b'\n'), "line {line} is no text in UTF-8");
        bytes.truncate(valid);
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    })
}

/// Cuts off a last line that a kill has left unfinished, from a file open for appending and from its
/// text.
pub fn drop_torn_line(file: &File, text: &mut String) -> Result<()> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let length = file.metadata().context("looking at its length")?.len();
    if (whole as u64) < length {
        text.truncate(whole);
        file.set_len(whole as u64).context("cutting off an unfinished line")?;
    }
    Ok(())
}

/// Fails where a file was begun with other settings than those of the run that is to go on with it. A
/// file of an older version may not say with which: then a warning on stderr.
pub fn ensure_same_settings(path: &Path, found: Option<&str>, settings: &str) -> Result<()> {
    let name = path.display();
    match found {
        None => tell!("{name} does not say with which options it was begun"),
        Some(found) => {
            ensure!(
                found == settings,
                "{name} was begun with other options: {found}, not {settings}"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asking_whether_a_file_is_writable_changes_nothing() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        ensure_writable(&path).expect("a file that can be made");
        assert!(!path.exists());
        fs::write(&path, "text").expect("a writable file");
        ensure_writable(&path).expect("a writable file");
        assert_eq!(fs::read(&path).expect("a file"), b"text");
        for wrong in [folder.path(), &path.join("inner")] {
            let error = ensure_writable(wrong).expect_err("no such file can be made");
            assert!(error.to_string().starts_with("writing "), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_there_is_not_created_again() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("games");
        ensure_new(&path).expect("a writable directory");
        create_new(&path).expect("a writable directory");
        let error = ensure_new(&path).expect_err("it is there").to_string();
        assert!(error.ends_with("exists: choose another name") && path.exists(), "{error}");
        let error = create_new(&path).expect_err("it is there").to_string();
        assert!(error.contains("exists: --resume goes on with it"), "{error}");
        let error = create_new(&path.join("games")).expect_err("no folder");
        assert!(error.to_string().starts_with("creating "), "{error}");
    }

    #[test]
    fn a_missing_folder_is_made_for_a_new_file() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = |name: &str| folder.path().join(name).join("inner/file");
        ensure_new(&path("1")).expect("a folder that can be made");
        assert!(path("1").parent().expect("a folder").is_dir());
        create_new(&path("2")).expect("a folder that can be made");
        assert!(path("2").is_file());
        create_new_atomically(&path("3"), b"").expect("a folder that can be made");
        ensure_replaceable(&path("4")).expect("a folder that can be made");
        replace_atomically(&path("5"), b"").expect("a folder that can be made");
        assert!(path("3").is_file() && !path("4").exists() && path("5").is_file());
    }

    #[test]
    fn another_kind_of_file_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        let is_ours =
            || ensure_begins(&path, b"ours", "network").map_err(|error| error.to_string());
        assert_eq!(is_ours(), Ok(()));
        for (text, is_replaced) in
            [("", true), ("ours, older", true), ("our", false), ("theirs", false)]
        {
            fs::write(&path, text).expect("a writable file");
            assert_eq!(is_ours().is_ok(), is_replaced, "{text}");
        }
        assert!(is_ours().is_err_and(|error| error.contains("is no network: choose another name")));
        assert!(ensure_begins(Path::new("/dev/null"), b"ours", "network").is_ok());
    }

    #[test]
    fn pipes_and_folders_are_no_files_of_games() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let (_reader, writer) = io::pipe().expect("a pipe");
        let stream = PathBuf::from(format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer)));
        for wrong in [folder.path(), &stream] {
            for error in [create_new(wrong).err(), open_to_append(wrong).err()] {
                let error = error.expect("no file").to_string();
                assert!(error.ends_with("is no regular file"), "{error}");
            }
        }
    }

    #[test]
    fn a_file_is_held_until_it_is_closed() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("games");
        let first = create_new(&path).expect("a writable directory");
        let error = open_to_append(&path).expect_err("held").to_string();
        assert!(error.contains("by another process"), "{error}");
        drop(first);
        let second = open_to_append(&path).expect("free again");
        assert!(open_to_append(&path).is_err());
        drop(second);
        open_to_append(&path).expect("free again");
    }

    #[test]
    fn a_file_is_created_with_its_content_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("state");
        create_new_atomically(&path, b"first").expect("a writable directory");
        let error = create_new_atomically(&path, b"second").expect_err("it is there").to_string();
        assert!(error.contains("exists: --resume goes on with it"), "{error}");
        assert_eq!(fs::read(&path).expect("a file"), b"first");
        assert_eq!(fs::read_dir(folder.path()).expect("a directory").count(), 1);
        let error = create_new_atomically(&path.join("inner"), b"");
        assert!(error.expect_err("no folder").to_string().starts_with("creating "));
    }

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("state.a");
        for text in ["old", "new"] {
            ensure_replaceable(&path).expect("a writable directory");
            replace_atomically(&path, text.as_bytes()).expect("a writable directory");
            assert_eq!(fs::read_to_string(&path).expect("just written"), text);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a directory").count(), 1);
        for wrong in [folder.path(), &path.join("inner")] {
            assert!(ensure_replaceable(wrong).is_err());
            assert!(replace_atomically(wrong, b"").is_err());
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a directory").count(), 1);
    }

    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
        let (ordinary, path) = (folder.path().join("ordinary"), folder.path().join("path"));
        fs::write(&ordinary, "").expect("a writable directory");
        replace_atomically(&path, b"").expect("a writable directory");
        assert_eq!(mode(&path), mode(&ordinary));
        fs::set_permissions(&path, Permissions::from_mode(0o626)).expect("our own file");
        replace_atomically(&path, b"new").expect("a writable directory");
        assert_eq!(mode(&path), 0o626);
    }

    #[test]
    fn links_and_streams_stay_what_they_are() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&path, "old").expect("a writable directory");
        std::os::unix::fs::symlink("file", &link).expect("a link");
        replace_atomically(&link, b"new").expect("a writable directory");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        let (mut reader, writer) = io::pipe().expect("a pipe");
        let stream = PathBuf::from(format!("/dev/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer)));
        ensure_replaceable(&stream).expect("a stream");
        replace_atomically(&stream, b"text").expect("a stream");
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("the pipe");
        assert_eq!(text, "text");
    }

    #[test]
    fn a_line_torn_within_a_character_is_cut_off() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        let whole = "ä\n{\"name\":\"Müller\"}\n";
        let torn = format!("{whole}{{\"name\":\"Mü");
        for length in whole.len()..=torn.len() {
            fs::write(&path, &torn.as_bytes()[..length]).expect("a writable file");
            let opened = OpenOptions::new().read(true).append(true).open(&path);
            let mut file = opened.expect("a file");
            let mut text = read_lines(&mut file).expect("lines");
            drop_torn_line(&file, &mut text).expect("a writable file");
            assert_eq!(text, whole, "{length}");
            assert_eq!(fs::read(&path).expect("a file"), whole.as_bytes(), "{length}");
        }
        let error = read_lines(&b"a\nb\xc3\nc"[..]).expect_err("no text").to_string();
        assert!(error.starts_with("line 2 "), "{error}");
    }

    #[test]
    fn files_without_end_are_given_up() {
        for path in ["/dev/zero", "/dev/urandom"] {
            let error = read(Path::new(path)).expect_err("no end").to_string();
            assert!(error.contains("no end"), "{error}");
        }
        let error = read_lines(io::repeat(b'x')).expect_err("no end").to_string();
        assert!(error.contains("no end within 64 MiB"), "{error}");
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        fs::write(&path, b"\xef\xbb\xbfM\xc3\xbc").expect("a writable file");
        assert_eq!(read_text(&path).expect("text"), "Mü");
        assert!(read(folder.path()).is_err());
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
