use super::*;
use crate::engine::rng::Rng;
use crate::fuzz::{any_bytes, mutated};
use crate::games::zero_point_one::movegen;
use crate::games::zero_point_one::setup;
use proptest::prelude::*;

#[test]
fn setups_round_trip() {
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let setup = setup::random(&mut rng);
        for colour in Colour::ALL {
            assert_eq!(Setup::parse(&setup.text(colour), colour), Ok(setup));
            assert!(Setup::parse(&setup.text(colour), !colour).is_err());
        }
    }
}

#[test]
fn a_setup_fills_the_two_rows_of_its_side() {
    assert_eq!(Setup::square(Colour::Red, 0), Square::named("a1"));
    assert_eq!(Setup::square(Colour::Red, 15), Square::named("b8"));
    assert_eq!(Setup::square(Colour::Blue, 0), Square::named("g1"));
    assert_eq!(Setup::square(Colour::Blue, 15), Square::named("h8"));
}

#[test]
fn invalid_setups_state_the_reason() {
    use NotationError::{SetupCount, SetupLength, SetupLetter};
    let cases = [
        ("WFNADAAADDFDAAA", SetupLength(15)),
        ("WFNADAAADDFDAAAAA", SetupLength(17)),
        ("ÄFNADAAADDFDAAAA", SetupLetter('Ä', Colour::Red)),
        ("WFNADAAADDFDAAAS", SetupLetter('S', Colour::Red)),
        ("wFNADAAADDFDAAAA", SetupLetter('w', Colour::Red)),
        ("WWNADAAADDFDAAAA", SetupCount(Kind::Ferz, 1)),
        ("AFNADAAADDFDAAAA", SetupCount(Kind::Alfil, 9)),
        ("WFNADAAADDFDAAAD", SetupCount(Kind::Dabbaba, 5)),
    ];
    for (text, error) in cases {
        assert_eq!(Setup::parse(text, Colour::Red), Err(error.clone()), "{}", text);
        assert!(!error.to_string().contains('\n'));
    }
    let length = SetupLength(15).to_string();
    assert!(length.contains("15") && length.contains("16"), "{}", length);
}

#[test]
fn invalid_moves_state_the_reason() {
    use NotationError::{DropLetter, MoveForm};
    let cases = [
        ("", MoveForm),
        ("b5", MoveForm),
        ("b5b5", MoveForm),
        ("b5d9", MoveForm),
        ("B5D3", MoveForm),
        ("b5-d3", MoveForm),
        ("Df9", MoveForm),
        ("éa", MoveForm),
        ("aéb", MoveForm),
        ("df8", DropLetter('d', Colour::Red)),
        ("Wf8", DropLetter('W', Colour::Red)),
        ("Xf8", DropLetter('X', Colour::Red)),
    ];
    for (text, error) in cases {
        assert_eq!(Move::parse(text, Colour::Red), Err(error), "{}", text);
    }
    assert_eq!(Move::parse("Df8", Colour::Blue), Err(DropLetter('D', Colour::Blue)));
    assert_eq!(
        Move::parse("df8", Colour::Blue),
        Ok(Move::drop(Kind::Dabbaba, Square::named("f8")))
    );
}

#[test]
fn the_long_form_of_a_move_is_accepted() {
    for side in Colour::ALL {
        for (long, short) in [("Aa8-c6", "a8c6"), ("nb1-c3", "b1c3"), ("Wh5-h4", "h5h4")] {
            let mv = Move::parse(long, side).expect(long);
            assert_eq!(Ok(mv), Move::parse(short, side));
            assert_eq!(mv.text(side).to_string(), short);
        }
        for wrong in ["Xa8-c6", "Aa8-a8", "Aa8-c9", "Aa8xc6", "a8-c6", "Aa8c6", "Aa8--c", "ä8-c6"]
        {
            assert_eq!(Move::parse(wrong, side), Err(NotationError::MoveForm), "{}", wrong);
        }
    }
}

#[test]
fn invalid_positions_are_rejected() {
    let good = "WFNADAAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw";
    assert!(format!("{} - 2", good).parse::<Position>().is_ok());
    let cases = [
        "",
        "8/8/8/8/8/8/8/8",
        "WFNADAAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw - 1",
        "WFNADAAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw - 103",
        "WFNADAAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw - x",
        "WFNADAAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw N 2",
        "WFNADAAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw w 2",
        "WFNADAAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw - 2 x",
        "WFNADAAA/DDFDAAAA/8/8/8/8/aaaaddda - 2",
        "WFNADAAAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw - 2",
        "WFNADAA/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw - 2",
        "WFNADAAW/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw - 2",
        "WFNADAAS/DDFDAAAA/8/8/8/8/aaaaddda/aadaffnw - 2",
        "WFNADAAA/DDFDAAAA/9/8/8/8/aaaaddda/aadaffnw - 2",
        "99999999999999999999999/8/8/8/8/8/8/8 - 2",
    ];
    for text in cases {
        assert!(text.parse::<Position>().is_err(), "{:?}", text);
    }
}

const SOME_POSITION: &str = "WN2F3/8/2a5/3D4/4n3/8/8/3w4 Aad 40";

/// Checks that everything that can be parsed from the text round-trips.
fn check_parsing(text: &str) {
    for side in Colour::ALL {
        if let Ok(mv) = Move::parse(text, side) {
            let short = if text.len() == LONG_FORM {
                text[1..].replace(LONG_FORM_SEPARATOR, "")
            } else {
                text.to_string()
            };
            assert_eq!(mv.text(side).to_string(), short);
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        }
        if let Ok(setup) = Setup::parse(text, side) {
            assert_eq!(setup.text(side), text);
        }
    }
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position));
        assert_eq!(position.hash(), position.recomputed_hash());
        // The position is usable.
        movegen::pseudo_legal(&position, |mv| {
            let next = position.make(mv);
            assert_eq!(next.hash(), next.recomputed_hash());
        });
    }
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_rejected(bytes in prop_oneof![
        any_bytes(80),
        mutated(b"b5d3".to_vec()),
        mutated(b"Df8".to_vec()),
        mutated(b"Aa8-c6".to_vec()),
        mutated(b"WFNADAAADDFDAAAA".to_vec()),
        mutated(SOME_POSITION.as_bytes().to_vec()),
    ]) {
        check_parsing(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn words_of_valid_letters_are_parsed_or_rejected(
        mv in "[a-hnfdawNFDAW][a-h1-8][a-h1-8]?[1-8]?",
        setup in "[WNFDAwnfda]{16}",
        position in "([WNFDAwnfda1-8]{1,8}/){7}[WNFDAwnfda1-8]{1,8} [NFDAnfda]{1,20} [0-9]{1,3}",
    ) {
        [mv, setup, position].iter().for_each(|text| check_parsing(text));
    }
}
