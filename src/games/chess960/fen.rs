//! FEN (Forsyth-Edwards notation) with castling rights by the rooks' files, as the arena writes them (`AHah`). Also
//! reads `KQkq` for the outermost rooks (X-FEN, R. Scharnagl, 2003).

use super::attacks;
use super::movegen::first_rank;
use super::position::{CastlingRule, Position};
use super::types::{Bitboard, Colour, Kind, Square};
use super::zobrist;

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// A field can't be read: its name and text.
    Field(&'static str, String),
    /// Not a legal position, with the reason.
    Impossible(&'static str),
}

/// Maximum move number, so that plies fit their type.
const MAX_NUMBER: u32 = 30_000;

impl Position {
    /// Parses a position. The last fields may be missing: side, castling, en passant square, half-move clock, move
    /// number. Further text is ignored.
    pub fn from_fen(text: &str, rule: CastlingRule) -> Result<Position, FenError> {
        let mut fields = text.split_whitespace();
        let mut position = Position::empty(rule);
        position.read_board(fields.next().unwrap_or(""))?;
        position.side = match fields.next().unwrap_or("w") {
            "w" => Colour::White,
            "b" => Colour::Black,
            other => return Err(FenError::Field("side", other.to_string())),
        };
        position.ensure_possible()?;
        position.read_castling(fields.next().unwrap_or("-"))?;
        position.read_en_passant(fields.next().unwrap_or("-"))?;
        let number = |name, text: &str| match text.parse::<u32>() {
            Ok(number) => Ok(number.min(MAX_NUMBER) as u16),
            Err(_) => Err(FenError::Field(name, text.to_string())),
        };
        position.halfmoves = number("half-moves", fields.next().unwrap_or("0"))?;
        position.number = number("move number", fields.next().unwrap_or("1"))?.max(1);
        position.keys.all ^= position.en_passant_key();
        if position.side == Colour::Black {
            position.keys.all ^= zobrist::SIDE;
        }
        position.find_checks();
        Ok(position)
    }

    fn read_board(&mut self, text: &str) -> Result<(), FenError> {
        let error = || FenError::Field("board", text.to_string());
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 8 {
            return Err(error());
        }
        for (row, rank) in rows.iter().zip((0..8).rev()) {
            let mut file = 0;
            for letter in row.chars() {
                if let Some(gap) = letter.to_digit(10) {
                    file += gap as usize;
                    continue;
                }
                let kind = Kind::from_letter(letter).filter(|_| file < 8).ok_or_else(error)?;
                let colour = Colour::ALL[usize::from(letter.is_ascii_lowercase())];
                let square = Square::new(file, rank);
                self.toggle(colour, kind, square);
                self.board[square.index()] = Some(kind);
                file += 1;
            }
            if file != 8 {
                return Err(error());
            }
        }
        Ok(())
    }

    /// Fails if the pieces or checks are impossible in a game.
    fn ensure_possible(&self) -> Result<(), FenError> {
        let ensure = |holds: bool, why| if holds { Ok(()) } else { Err(FenError::Impossible(why)) };
        for colour in Colour::ALL {
            let kings = self.pieces(colour, Kind::King);
            ensure(kings.count() == 1, "each side has one king")?;
        }
        let ends = Bitboard::rank(0) | Bitboard::rank(7);
        ensure((self.kind(Kind::Pawn) & ends).is_empty(), "a pawn on the first or last rank")?;
        let enemy_king = self.king(!self.side);
        let attacked = self.is_attacked(enemy_king, self.side, self.occupied());
        ensure(!attacked, "the side that is not to move is in check")
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        for letter in text.chars() {
            let colour = Colour::ALL[usize::from(letter.is_ascii_lowercase())];
            let rook = self.castling_rook(colour, letter.to_ascii_lowercase());
            let rook = rook.ok_or_else(|| FenError::Field("castling", text.to_string()))?;
            if !self.castling.has(rook) {
                self.castling |= rook.bit();
                self.keys.all ^= zobrist::castling(rook);
            }
        }
        Ok(())
    }

    /// Returns the rook that a letter means: the one on its file, or the outermost one on a side.
    fn castling_rook(&self, colour: Colour, letter: char) -> Option<Square> {
        let rank = first_rank(colour);
        let king = self.king(colour);
        let is_rook = |square: &Square| self.pieces(colour, Kind::Rook).has(*square);
        let mut squares = (0..8).map(|file| Square::new(file, rank));
        let rook = match letter {
            'q' => squares.find(is_rook).filter(|rook| rook.file() < king.file()),
            'k' => squares.rev().find(is_rook).filter(|rook| rook.file() > king.file()),
            'a'..='h' => squares.nth(usize::from(letter as u8 - b'a')).filter(is_rook),
            _ => None,
        };
        rook.filter(|_| king.rank() == rank)
    }

    fn read_en_passant(&mut self, text: &str) -> Result<(), FenError> {
        if text == "-" {
            return Ok(());
        }
        let error = || FenError::Field("en passant square", text.to_string());
        let square = text.parse::<Square>().map_err(|()| error())?;
        let them = !self.side;
        // The pawn that has passed the square, and the square it came from.
        let pawn = square.bit().up(attacks::forward(them));
        let origin = square.bit().up(-attacks::forward(them));
        let fits = square.rank() == 2 ^ them.rank_flip()
            && (pawn & self.pieces(them, Kind::Pawn)).any()
            && ((square.bit() | origin) & self.occupied()).is_empty();
        if !fits {
            return Err(error());
        }
        self.en_passant = Some(square);
        Ok(())
    }

    /// Formats the board.
    pub fn board_text(&self) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                let square = Square::new(file, rank);
                let kind = match self.kind_on(square) {
                    Some(kind) => kind,
                    None => {
                        gap += 1;
                        continue;
                    }
                };
                if gap > 0 {
                    text += &gap.to_string();
                    gap = 0;
                }
                let is_white = self.colour(Colour::White).has(square);
                let letter = kind.letter();
                text.push(if is_white { letter.to_ascii_uppercase() } else { letter });
            }
            if gap > 0 {
                text += &gap.to_string();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    /// Formats the castling rights: the files of the rooks, White's first.
    fn castling_text(&self) -> String {
        let letter = |rook: Square| Square::file_letter(rook.file());
        let rooks = |colour| self.castling & self.colour(colour);
        let white = rooks(Colour::White).into_iter().map(|r| letter(r).to_ascii_uppercase());
        let text: String = white.chain(rooks(Colour::Black).into_iter().map(letter)).collect();
        if text.is_empty() {
            "-".to_string()
        } else {
            text
        }
    }

    /// Formats the position as the arena does. (A submission has all trait implementations of its types, but only the
    /// methods that it needs: so this is not `Display`.)
    pub fn fen(&self) -> String {
        let en_passant = self.en_passant.map_or("-".to_string(), |square| square.to_string());
        format!(
            "{} {} {} {} {} {}",
            self.board_text(),
            ["w", "b"][self.side.index()],
            self.castling_text(),
            en_passant,
            self.halfmoves,
            self.number
        )
    }
}
