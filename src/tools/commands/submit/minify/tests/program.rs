//! A test program; its minified version must print the same.
#![allow(dead_code)]

extern crate self as itself;

use games::board::{self, Board};
use std::process::ExitCode;

/// Has the same name as other constants.
const LIMIT: u32 = 3;
const _: () = assert!(LIMIT < 4);

fn main() -> ExitCode {
    let board = Board::<4>::default();
    let text = board::text(&board);
    println!("{}", text);
    println!("{}", engine::text(LIMIT));
    println!("{}", engine::score::text(engine::score::MATE));
    let mut lines = String::new();
    engine::write(&mut lines, &mut std::io::stdout(), Some(board.value())).expect("two texts");
    print!("{}", lines);
    let params: engine::table::Params = engine::table::params();
    println!("{:?}", params.second);
    println!("{}", spans::width(2..5) + spans::whole(0..spans::END).len());
    println!("{}", board.pieces().into_iter().map(|piece| piece.bit.0 & 12).sum::<u64>());
    shapes::show(&mut std::io::stdout()).expect("a line");
    ExitCode::SUCCESS
}

/// Names that are exported again or changed, a module for some platforms, and things that share a name.
mod shapes {
    pub use self::inner::of as made;
    pub use inner::Thing;
    use std::io::{self, Write};

    const LIMIT: u64 = 5;
    const OTHER: u64 = 6;
    const _: () = assert!(LIMIT < OTHER);

    mod inner {
        pub struct Thing(pub u64);

        pub fn of(value: u64) -> Thing {
            Thing(value)
        }
    }

    #[cfg(not(windows))]
    mod fast {
        use super::{made, Thing as Made, LIMIT, OTHER as WIDE};
        use std::cmp::max;

        pub fn largest() -> Made {
            made(max(LIMIT, WIDE))
        }
    }

    enum Kind {
        Piece,
        Thing,
    }

    pub fn show(out: &mut dyn Write) -> io::Result<()> {
        let fast = fast::largest();
        let same = &fast as *const super::shapes::Thing;
        let kind = if same.is_null() { Kind::Piece } else { Kind::Thing };
        let of = |made: u64| made + 1;
        let sum = match kind {
            Kind::Piece => 0,
            Kind::Thing => of(fast.0) + itself::shapes::made(1).0,
        };
        writeln!(out, "sum {}", sum)
    }
}

/// Full paths, and imports of the same names.
mod spans {
    use std::ops::Range;

    pub const END: usize = 4;
    const _: () = assert!(END > 3);
    pub static LAST: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

    pub fn width(span: Range<usize>) -> usize {
        LAST.store(span.end, std::sync::atomic::Ordering::Relaxed);
        span.end - span.start
    }

    pub fn whole(span: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let all: Vec<_> = vec![span.clone(), span.clone(), span];
        all.into_iter().max_by_key(|span: &std::ops::Range<usize>| span.end).unwrap_or(0..0)
    }
}

mod engine {
    //! Shared by all games.

    pub mod score {
        pub type Score = i32;
        pub const MATE: Score = 32_000;
        const LIMIT: Score = MATE - 1_000;

        /// Formats a score.
        #[inline(always)]
        pub fn text(score: Score) -> String {
            match score {
                MATE => String::from("mate"),
                _ if score > LIMIT => {
                    return "nearly".to_string();
                }
                score => {
                    format!("{}", score)
                }
            }
        }
    }

    pub mod declared {
        /// The macro names this type wherever it is called.
        pub struct Spec {
            pub default: i32,
        }

        macro_rules! params {
            ($($(#[doc = $doc:expr])* $name:ident = $default:expr;)*) => {
                #[derive(Clone, Debug)]
                pub struct Params { $(pub $name: i32,)* }

                impl Default for Params {
                    fn default() -> Params {
                        Params { $($name: $default,)* }
                    }
                }

                impl Params {
                    pub const COUNT: usize = [$(stringify!($name)),*].len();
                    pub const SPECS: &'static [$crate::engine::declared::Spec] =
                        &[$($crate::engine::declared::Spec { default: $default },)*];

                    pub fn value_of(&self, name: &str) -> Option<i32> {
                        match name {
                            $(stringify!($name) => Some(self.$name),)*
                            _ => None,
                        }
                    }
                }
            };
        }
        pub(crate) use params;
    }

    pub mod table {
        use crate::engine::declared::params;

        params! {
            /// The first one.
            first = 1;
            /// The second one.
            second = 2;
        }

        pub fn params() -> Params {
            let mut params = Params::default();
            params.second += params.first + Params::SPECS[1].default;
            params
        }
    }

    use std::fmt::{self, Write};

    pub fn text(number: u32) -> String {
        let text = score::text(number as score::Score);
        let mut all = text;
        all += &score::text(score::MATE - 1);
        all
    }

    pub fn write(text: &mut dyn Write, out: &mut dyn std::io::Write, value: Option<u64>) -> fmt::Result {
        let value = match value {
            Some(value) => value,
            None => return Ok(()),
        };
        writeln!(text, "value {}", value)?;
        writeln!(out, "out {}", value).map_err(|_error| fmt::Error)
    }
}

mod games {
    pub mod board {
        use crate::engine::score::{self as scores, Score};
        use std::ops::BitAnd;

        macro_rules! operator {
            ($trait:ident $method:ident $op:tt) => {
                impl $trait for Bits {
                    type Output = Bits;
                    fn $method(self, other: Bits) -> Bits {
                        Bits(self.0 $op other.0)
                    }
                }
            };
        }

        /// A set of bits.
        #[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
        pub struct Bits(pub u64);
        operator!(BitAnd bitand &);

        pub trait Valued {
            const FACTOR: u64;
            fn value(&self) -> u64;
            fn never(&self) -> u64 {
                0
            }
        }

        #[derive(Default)]
        pub struct Board<const SIZE: usize> {
            bits: Bits,
            score: Score,
        }

        pub struct Piece {
            pub bit: Bits,
        }

        impl<const SIZE: usize> Board<SIZE> {
            const LIMIT: u64 = SIZE as u64 * 2;

            pub fn pieces(&self) -> Vec<Piece> {
                (0..SIZE as u64).map(|place| Piece { bit: Bits(1 << place) }).collect()
            }

            pub fn value(&self) -> u64 {
                let from = kernels::united(&self.pieces());
                Self::LIMIT + (from.value() & 7) * <Bits as Valued>::FACTOR
            }
        }

        impl Valued for Bits {
            const FACTOR: u64 = 10;
            fn value(&self) -> u64 {
                (*self & Bits(0xff_ff)).0
            }
        }

        pub fn text<const SIZE: usize>(board: &Board<SIZE>) -> String {
            let Board { bits, score } = board;
            format!("{} {} {}", SIZE, bits.0, scores::text(*score))
        }

        mod kernels {
            use super::{Bits, Piece};

            macro_rules! on_path {
                ($($call:tt)*) => { plain::$($call)* };
            }

            pub fn united(pieces: &[Piece]) -> Bits {
                on_path!(sum(pieces))
            }

            mod plain {
                use super::{Bits, Piece};

                pub fn sum(pieces: &[Piece]) -> Bits {
                    let mut sum = 0;
                    let mut at = 0;
                    'all: loop {
                        for piece in &pieces[at..] {
                            sum |= piece.bit.0;
                            at += 1;
                            if at == pieces.len() {
                                break 'all;
                            }
                        }
                    }
                    Bits(sum)
                }
            }
        }
    }
}
