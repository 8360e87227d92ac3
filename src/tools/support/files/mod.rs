//! Safe reading and writing of files that may hold hours of work: atomic writes, locks, and checks before a run.

pub mod outputs;

use super::text::{decoded, shown_name, MAX_ENDLESS, STDIN};
use anyhow::{anyhow, ensure, Context, Result};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, Permissions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Maximum wait for another process that is opening the file.
const OPENING_TIME: Duration = Duration::from_secs(20);
/// Interval between attempts to acquire a lock.
const LOCK_POLL: Duration = Duration::from_millis(10);

/// Minimum age of temporary files that are removed.
const LEFT_OVER_AGE: Duration = Duration::from_secs(2);

/// Maximum size in bytes of a file that is read into memory.
const MAX_FILE: u64 = 512 << 20;
/// Permissions of a new file, before the process's umask is applied.
const NEW_FILE_MODE: u32 = 0o666;

/// Adds the name of a file to an error: `opening "games.txt": no such file`.
pub trait Named<T> {
    /// Returns the result with `action` and the name as the context of an error.
    fn named(self, action: &str, path: &Path) -> Result<T>;
}

impl<T, E> Named<T> for Result<T, E>
where
    Result<T, E>: Context<T, E>,
{
    fn named(self, action: &str, path: &Path) -> Result<T> {
        self.with_context(|| format!("{action} {}", shown_name(path)))
    }
}

/// Returns the folder of a file, which need not exist.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates the folder of a file if it is missing.
pub fn make_folder_of(path: &Path) -> io::Result<()> {
    let folder = folder_of(path);
    let is_missing = !folder.exists();
    let made = fs::create_dir_all(folder);
    if is_missing && made.is_ok() {
        tell!("created the folder {}", shown_name(folder));
    }
    // A parent of the path exists, but it is a file and not a folder.
    made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
        _ => error,
    })
}

/// Checks in advance that a file can be written. Creates a missing folder; an existing file is unchanged. A pipe is not
/// opened, since its reader would see its end.
pub fn ensure_writable(path: &Path) -> Result<()> {
    make_folder_of(path).named("writing", path)?;
    if is_pipe(path) {
        return Ok(());
    }
    if File::create_new(path).is_ok() {
        return fs::remove_file(path).named("writing", path);
    }
    // The file exists, or opening it gives the reason why it can't be created.
    OpenOptions::new().append(true).create(true).open(path).named("writing", path)?;
    Ok(())
}

/// Creates a file for writing and locks it for this process. Fails if it exists, since it may hold hours of work.
pub fn create_new(path: &Path) -> Result<File> {
    ensure_regular(path)?;
    let created = make_folder_of(path)
        .and_then(|()| OpenOptions::new().write(true).create_new(true).open(path));
    let file = created.map_err(|error| not_created(path, error))?;
    lock(&file, path)?;
    Ok(file)
}

/// Fails if the path is a folder, a pipe or a socket: a pipe can't be read back, and opening it may block forever.
/// Devices, e.g. /dev/null, are allowed.
pub fn ensure_regular(path: &Path) -> Result<()> {
    let Ok(kind) = fs::metadata(path).map(|found| found.file_type()) else { return Ok(()) };
    let is_other = kind.is_dir() || kind.is_fifo() || kind.is_socket();
    ensure!(!is_other, "{} is not a regular file", shown_name(path));
    Ok(())
}

/// Opens the file of an earlier run for appending and locks it for this process.
pub fn open_to_append(path: &Path) -> Result<File> {
    ensure_regular(path)?;
    let opened = OpenOptions::new().read(true).append(true).open(path);
    let file = opened.named("opening", path)?;
    lock(&file, path)?;
    Ok(file)
}

/// Locks a file exclusively until it is closed or the process ends. Fails if another process has locked it, or has
/// replaced it since it was opened.
pub fn lock(file: &File, path: &Path) -> Result<()> {
    let place = |data: Metadata| (data.dev(), data.ino());
    let is_current = || file.metadata().map(place).ok() == fs::metadata(path).map(place).ok();
    ensure!(is_acquired(file.try_lock()) && is_current(), locked_elsewhere(path));
    Ok(())
}

/// Locks a file together with other processes that only append. Waits up to 20 s for a process that is opening the
/// file.
pub fn lock_shared(file: &File, path: &Path) -> Result<()> {
    let started = Instant::now();
    while !is_acquired(file.try_lock_shared()) {
        ensure!(started.elapsed() < OPENING_TIME, locked_elsewhere(path));
        thread::sleep(LOCK_POLL);
    }
    Ok(())
}

/// Whether the lock was acquired. File systems without locks count as acquired: files there are not protected.
fn is_acquired(locked: Result<(), TryLockError>) -> bool {
    !matches!(locked, Err(TryLockError::WouldBlock))
}

fn locked_elsewhere(path: &Path) -> String {
    let name = shown_name(path);
    format!(
        "{name} is being written to by another process: wait until it ends, or choose another name"
    )
}

/// Creates a file with its content atomically: after a kill, the file is either missing or complete. Fails if it
/// exists. Returns the file, which is locked for this process until it is closed.
pub fn create_new_atomically(path: &Path, bytes: &[u8]) -> Result<File> {
    let create = || -> io::Result<File> {
        make_folder_of(path)?;
        let mut file = temporary_beside(path)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        Ok(file.persist_noclobber(path)?)
    };
    create().map_err(|error| not_created(path, error))
}

/// Returns the error for a new file that could not be created.
fn not_created(path: &Path, error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow!(
            "{} already exists: use --resume to continue it, or choose another name",
            shown_name(path)
        ),
        _ => anyhow::Error::from(error).context(format!("creating {}", shown_name(path))),
    }
}

fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

/// Checks in advance that a new file can be written. Fails if it exists, since it could not be resumed.
pub fn ensure_new(path: &Path) -> Result<()> {
    ensure!(
        !path.exists() || is_pipe(path),
        "{} already exists: choose another name",
        shown_name(path)
    );
    ensure_writable(path)
}

/// Checks that a file may be overwritten: it is missing, empty, or begins with the bytes `head`. Other files may hold
/// hours of work. Pipes and devices are allowed. `kind` names the expected kind of file.
pub fn ensure_begins(path: &Path, head: &[u8], kind: &str) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let mut found = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(head.len() as u64).read_to_end(&mut found));
    read.named("reading", path)?;
    ensure!(
        found.is_empty() || found == head,
        "{} exists but is not the expected kind of file ({kind}): choose another name",
        shown_name(path)
    );
    Ok(())
}

/// Checks in advance that [`replace_atomically`] can write the file.
pub fn ensure_replaceable(path: &Path) -> Result<()> {
    ensure_writable(path)?;
    if let Target::File(path, _) = Target::of(path) {
        temporary_beside(&path).named("writing a temporary file beside", &path)?;
    }
    Ok(())
}

/// Writes a file atomically: to a temporary file, which is then renamed. An existing file keeps its permissions. Pipes
/// and devices are written to directly.
pub fn replace_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    replace_locked(path, bytes).map(drop)
}

/// Like [`replace_atomically`]; returns the new file, which is locked for this process until it is closed.
pub fn replace_locked(path: &Path, bytes: &[u8]) -> Result<File> {
    let write = || -> io::Result<File> {
        make_folder_of(path)?;
        let (path, permissions) = match Target::of(path) {
            Target::Stream => {
                let mut file = OpenOptions::new().write(true).open(path)?;
                file.write_all(bytes)?;
                return Ok(file);
            }
            Target::File(path, permissions) => (path, permissions),
        };
        remove_left_over(&path);
        let mut file = temporary_beside(&path)?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        Ok(file.persist(path)?)
    };
    write().named("writing", path)
}

/// The kind of object that a path refers to, after following links.
enum Target {
    /// A regular file: its path without links, and its permissions if it exists.
    File(PathBuf, Option<Permissions>),
    /// A pipe or a device, which must be written to directly.
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

/// Suffix of temporary files.
const TEMPORARY: &str = ".cupbot-tmp";

/// Returns the beginning of the names of the temporary files of a file.
fn temporary_prefix(path: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Creates a temporary file in the same folder, so that it can be renamed without copying. It is locked while it is
/// being written.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let file = tempfile::Builder::new()
        .prefix(&temporary_prefix(path))
        .suffix(TEMPORARY)
        .permissions(Permissions::from_mode(NEW_FILE_MODE))
        .tempfile_in(folder_of(path))?;
    // File systems without locks are fine.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Removes temporary files that killed runs have left: unlocked ones of at least [`LEFT_OVER_AGE`], since a running
/// process locks its file shortly after creating it.
fn remove_left_over(path: &Path) {
    let prefix = temporary_prefix(path);
    let is_ours = |name: &OsStr| {
        let name = name.as_encoded_bytes();
        name.starts_with(prefix.as_encoded_bytes()) && name.ends_with(TEMPORARY.as_bytes())
    };
    let entries = fs::read_dir(folder_of(path)).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_ours(&entry.file_name())) {
        let age = entry.metadata().and_then(|data| data.modified()).ok();
        let age = age.and_then(|modified| modified.elapsed().ok());
        if age.is_some_and(|age| age >= LEFT_OVER_AGE)
            && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok())
        {
            // Best effort: another run may have removed it.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Reads a whole file into memory (e.g. a network).
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_FILE + 1).read_to_end(&mut bytes)?;
    let is_whole = bytes.len() as u64 <= MAX_FILE;
    ensure!(is_whole, "it is larger than {} MiB, or endless", MAX_FILE >> 20);
    Ok(bytes)
}

/// Reads and parses a whole file. Errors name the file.
pub fn read_as<T, E>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, E>) -> Result<T>
where
    anyhow::Error: From<E>,
{
    let parsed = read(path).and_then(|bytes| Ok(parse(&bytes)?));
    parsed.named("reading", path)
}

/// Opens a file to read it line by line, or stdin for `-`.
pub fn open_input(name: &Path) -> Result<Box<dyn BufRead>> {
    if name.as_os_str() == STDIN {
        return Ok(Box::new(io::stdin().lock()));
    }
    Ok(Box::new(BufReader::new(File::open(name).named("opening", name)?)))
}

/// Reads a whole text file. Decodes it as [`decoded`] does, and removes a byte order mark.
pub fn read_text(path: &Path) -> Result<String> {
    let text = decoded(read(path)?);
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

/// Reads all lines, in any number. Fails on a line longer than [`MAX_ENDLESS`].
pub fn read_bytes_of_lines(input: impl Read) -> Result<Vec<u8>> {
    let mut input = BufReader::new(input);
    let mut bytes = Vec::new();
    loop {
        let length = input.by_ref().take(MAX_ENDLESS).read_until(b'\n', &mut bytes)? as u64;
        if length == 0 {
            return Ok(bytes);
        }
        let has_end = length < MAX_ENDLESS || bytes.ends_with(b"\n");
        ensure!(
            has_end,
            "a line is longer than {} MiB: this is not a text file",
            MAX_ENDLESS >> 20
        );
    }
}

/// Reads lines of UTF-8. A kill may have truncated the last line, even within a character; such a character is dropped.
pub fn read_lines(input: impl Read) -> Result<String> {
    let bytes = read_bytes_of_lines(input)?;
    String::from_utf8(bytes).or_else(|error| {
        let valid = error.utf8_error().valid_up_to();
        let mut bytes = error.into_bytes();
        let line = 1 + bytes[..valid].iter().filter(|byte| **byte == b'\n').count();
        ensure!(!bytes[valid..].contains(&b'\n'), "line {line} is not valid UTF-8");
        bytes.truncate(valid);
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    })
}

/// Removes an unfinished last line, as left by a kill, from a file opened for appending and from its text.
pub fn drop_torn_line(file: &File, text: &mut String) -> Result<()> {
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let length = file.metadata().context("reading the file size")?.len();
    if (whole as u64) < length {
        text.truncate(whole);
        file.set_len(whole as u64).context("removing an unfinished line")?;
    }
    Ok(())
}

/// Fails if a file was created with other settings than those of the run that resumes it.
pub fn ensure_same_settings(path: &Path, found: &str, settings: &str) -> Result<()> {
    let name = shown_name(path);
    ensure!(found == settings, "{name} was created with other options: {found}, not {settings}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_left_by_a_kill_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("net");
        let names = ["net.a", "net.b", "net2.a", "net.running", "net.new"];
        let left = names.map(|name| folder.path().join(format!(".{name}{TEMPORARY}")));
        let files = left.each_ref().map(|path| File::create(path).expect("created"));
        for file in &files[..4] {
            file.set_modified(std::time::UNIX_EPOCH).expect("an old file");
        }
        files[3].try_lock().expect("locked");
        replace_atomically(&path, b"new").expect("written");
        let are_there = left.map(|path| path.exists());
        assert_eq!(are_there, [false, false, true, true, true]);
    }

    #[test]
    fn checking_a_file_for_writing_changes_nothing() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        ensure_writable(&path).expect("a file that can be created");
        assert!(!path.exists());
        fs::write(&path, "text").expect("a writable file");
        ensure_writable(&path).expect("a writable file");
        assert_eq!(fs::read(&path).expect("a file"), b"text");
        for wrong in [folder.path(), &path.join("inner")] {
            let error = ensure_writable(wrong).expect_err("not a writable path");
            assert!(error.to_string().starts_with("writing "), "{error}");
        }
    }

    #[test]
    fn a_file_of_another_kind_is_not_replaced() {
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
        assert!(is_ours().is_err_and(|error| error.contains("(network): choose another name")));
        assert!(ensure_begins(Path::new("/dev/null"), b"ours", "network").is_ok());
    }

    #[test]
    fn a_replaced_file_leaves_no_temporary_file() {
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
    fn links_and_streams_are_not_replaced() {
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
    fn a_line_truncated_within_a_character_is_removed() {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        let whole = "ä\n{\"name\":\"Müller\"}\n";
        let truncated = format!("{whole}{{\"name\":\"Mü");
        for length in whole.len()..=truncated.len() {
            fs::write(&path, &truncated.as_bytes()[..length]).expect("a writable file");
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
    fn endless_files_are_rejected() {
        for path in ["/dev/zero", "/dev/urandom"] {
            let error = read(Path::new(path)).expect_err("endless").to_string();
            assert!(error.contains("endless"), "{error}");
        }
        let error = read_lines(io::repeat(b'x')).expect_err("endless").to_string();
        assert!(error.contains("longer than 64 MiB"), "{error}");
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("file");
        fs::write(&path, b"\xef\xbb\xbfM\xc3\xbc").expect("a writable file");
        assert_eq!(read_text(&path).expect("text"), "Mü");
        assert!(read(folder.path()).is_err());
    }
}
