//! Keys of a terminal: its raw mode, and the bytes that keys send (ECMA-48, "Control functions for coded character
//! sets", and xterm's documentation of its sequences).

use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::termios::{tcgetattr, tcsetattr, OptionalActions, Termios};
use signal_hook::consts::SIGCONT;
use std::io;
use std::str;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// Bytes that begin and end sequences.
const ESCAPE: u8 = 0x1b;
const DELETE: u8 = 0x7f;
/// Maximum time between the Escape that begins a sequence and the next byte.
const ESCAPE_TIME: Duration = Duration::from_millis(50);

/// A key, or what a key combination stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Char(char),
    /// The letter of a combination with Control.
    Control(char),
    Enter,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    WordLeft,
    WordRight,
    Home,
    End,
    /// A key without a meaning here.
    Unknown,
    /// The process was suspended and continues: what was drawn may be gone.
    Continued,
    /// The terminal is closed.
    Closed,
}

/// Reads keys from stdin.
pub struct Keys {
    original: Termios,
    is_continued: Arc<AtomicBool>,
}

impl Keys {
    /// Notes the mode of the terminal; `None` if stdin is not a terminal.
    pub fn new() -> Option<Keys> {
        let original = tcgetattr(rustix::stdio::stdin()).ok()?;
        let is_continued = Arc::default();
        // If it can't be caught, the prompt is not drawn again.
        let _ = signal_hook::flag::register(SIGCONT, Arc::clone(&is_continued));
        Some(Keys { original, is_continued })
    }

    /// Switches to raw mode: every key is read at once and not shown.
    pub fn enter_raw_mode(&self) -> io::Result<()> {
        let mut raw = self.original.clone();
        raw.make_raw();
        raw.output_modes = self.original.output_modes;
        Ok(tcsetattr(rustix::stdio::stdin(), OptionalActions::Drain, &raw)?)
    }

    /// Returns the function that restores the original mode.
    pub fn restorer(&self) -> impl Fn() + Send + 'static {
        let original = self.original.clone();
        move || {
            // Best effort: the terminal may be closed.
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Drain, &original);
        }
    }

    /// Waits for a key.
    pub fn read(&self) -> io::Result<Key> {
        read_key(&mut |patience| self.next_byte(patience))
    }

    /// Waits for a byte. Without one, returns the key that stands for the reason, e.g. [`Key::Closed`].
    fn next_byte(&self, patience: Option<Duration>) -> io::Result<Result<u8, Key>> {
        let stdin = rustix::stdio::stdin();
        let timeout = patience.and_then(|patience| Timespec::try_from(patience).ok());
        loop {
            if self.is_continued.swap(false, Ordering::SeqCst) {
                return Ok(Err(Key::Continued));
            }
            match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], timeout.as_ref()) {
                Err(Errno::INTR) => continue,
                Ok(0) => return Ok(Err(Key::Unknown)),
                _ => {}
            }
            let mut byte = [0];
            match rustix::io::read(stdin, &mut byte) {
                Err(Errno::INTR) => continue,
                Ok(0) => return Ok(Err(Key::Closed)),
                read => return Ok(read.map(|_| Ok(byte[0]))?),
            }
        }
    }
}

/// Source of bytes, with the time to wait for the next one.
type Bytes<'a> = dyn FnMut(Option<Duration>) -> io::Result<Result<u8, Key>> + 'a;

/// Reads the bytes of one key. Unknown sequences are read to their end.
fn read_key(next: &mut Bytes) -> io::Result<Key> {
    let first = match next(None)? {
        Ok(byte) => byte,
        Err(key) => return Ok(key),
    };
    Ok(match first {
        b'\r' | b'\n' => Key::Enter,
        DELETE | 0x08 => Key::Backspace,
        ESCAPE => match next(Some(ESCAPE_TIME))? {
            Ok(b'[') => return control_sequence(next),
            // The keypad in application mode.
            Ok(b'O') => match next(None)? {
                Ok(last) => named(&[], last),
                Err(key) => key,
            },
            Ok(b'b') => Key::WordLeft,
            Ok(b'f') => Key::WordRight,
            Ok(_) => Key::Unknown,
            Err(key) => key,
        },
        byte if byte < 0x20 => Key::Control((byte | 0x40) as char),
        byte => return character(byte, next),
    })
}

/// Reads a control sequence after its `ESC [`.
fn control_sequence(next: &mut Bytes) -> io::Result<Key> {
    let mut parameters = Vec::new();
    loop {
        match next(None)? {
            // The console of Linux sends `ESC [ [ A` for F1.
            Ok(b'[') if parameters.is_empty() => parameters.push(b'['),
            Ok(byte @ 0x40..=0x7e) => return Ok(named(&parameters, byte)),
            // Bytes that no sequence has are dropped with it.
            Ok(byte) => parameters.push(byte),
            Err(key) => return Ok(key),
        }
    }
}

/// Returns the key with these parameters and this last byte of its sequence.
fn named(parameters: &[u8], last: u8) -> Key {
    // `1;5` is Control, `1;3` is Alt.
    let is_by_word = matches!(parameters, b"1;5" | b"1;3" | b"5" | b"3");
    match (last, parameters) {
        (b'D', _) if is_by_word => Key::WordLeft,
        (b'C', _) if is_by_word => Key::WordRight,
        (b'A', b"") => Key::Up,
        (b'B', b"") => Key::Down,
        (b'C', b"") => Key::Right,
        (b'D', b"") => Key::Left,
        (b'H', b"") | (b'~', b"1" | b"7") => Key::Home,
        (b'F', b"") | (b'~', b"4" | b"8") => Key::End,
        (b'~', b"3") => Key::Delete,
        // Function keys, and the marks around a paste.
        _ => Key::Unknown,
    }
}

/// Reads the rest of a character in UTF-8.
fn character(first: u8, next: &mut Bytes) -> io::Result<Key> {
    let length = match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => 1,
    };
    let mut bytes = vec![first];
    while bytes.len() < length {
        match next(None)? {
            Ok(byte) => bytes.push(byte),
            Err(key) => return Ok(key),
        }
    }
    let character = str::from_utf8(&bytes).ok().and_then(|text| text.chars().next());
    Ok(character.map_or(Key::Unknown, Key::Char))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<Key> {
        let mut bytes = text.bytes();
        let mut next = move |_| Ok(bytes.next().ok_or(Key::Closed));
        let read = |_| read_key(&mut next).expect("bytes");
        (0..).map(read).take_while(|key| *key != Key::Closed).collect()
    }

    #[test]
    fn escape_sequences_become_keys() {
        use Key::*;
        for (text, key) in [
            ("\x1bOP", Unknown),
            ("\x1b[11~", Unknown),
            ("\x1b[[A", Unknown),
            ("\x1b[15~", Unknown),
            ("\x1b[24;5~", Unknown),
            ("\x1b[200~", Unknown),
            ("\x1b[<0;10;20M", Unknown),
            ("\x1bx", Unknown),
            ("\x1b[1;5A", Unknown),
            ("\x1b[1;5D", WordLeft),
            ("\x1b[1;3C", WordRight),
            ("\x1bb", WordLeft),
            ("\x1bf", WordRight),
            ("\x1bOA", Up),
            ("\x1b[D", Left),
            ("\x1b[3~", Delete),
            ("\x1bOH", Home),
            ("\x1b[4~", End),
            ("\x17", Control('W')),
            ("♙", Char('♙')),
            ("\u{1f600}", Char('\u{1f600}')),
        ] {
            assert_eq!(keys(&format!("a{text}b")), [Char('a'), key, Char('b')], "{text:?}");
        }
        assert_eq!(keys("\x1b"), []);
        assert_eq!(keys("\x1b[20"), []);
    }
}
