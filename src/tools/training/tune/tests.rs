//! Damaged states, and damaged files of parameters.

use super::*;
use crate::engine::rng::Rng;
use crate::mutated::mutated;
use crate::tools::labs::toy::Params;
use proptest::prelude::*;
use std::fs;

fn fresh() -> State {
    let tuned = chosen(&[], &Params::default()).expect("all parameters");
    State { settings: json!({ "seed": 1 }), iteration: 0, tuned }
}

fn text(state: &State) -> String {
    String::from_utf8(state.to_bytes().expect("JSON")).expect("text")
}

#[test]
fn a_state_goes_on_only_where_it_belongs() {
    let fresh = fresh();
    let mut later = State { iteration: 7, ..fresh.clone() };
    later.tuned[0].value += 0.5;
    assert_eq!(parse_state(&text(&later), &fresh).expect("its own"), later);
    let foreign: [fn(&mut State); 5] = [
        |state| state.settings = json!({ "seed": 2 }),
        |state| state.tuned.truncate(3),
        |state| state.tuned.swap(0, 1),
        |state| state.tuned[0].value = 1e9,
        |state| state.tuned[0].name.push('x'),
    ];
    for change in foreign {
        let mut state = later.clone();
        change(&mut state);
        assert!(parse_state(&text(&state), &fresh).is_err(), "{state:?}");
    }
}

/// The default parameters in the two forms of a file: lines, and a JSON object.
fn valid_parameter_files() -> [String; 2] {
    let lines = params::write(&Params::default());
    let values: Vec<String> = lines.lines().map(|line| line.replace(" =", "\":")).collect();
    let object = format!("{{\"{}}}", values.join(",\""));
    [lines, object]
}

/// Texts that resemble a file of parameters.
fn parameter_files() -> impl Strategy<Value = Vec<u8>> {
    let [lines, object] = valid_parameter_files();
    let line = "[a-z_]{1,12} = [-0-9]{1,12}\n".prop_map(String::into_bytes);
    let any_text = any::<String>().prop_map(String::into_bytes);
    prop_oneof![mutated(lines.into_bytes()), mutated(object.into_bytes()), line, any_text]
}

proptest! {
    #[test]
    fn any_state_is_read_or_refused(text in mutated(text(&fresh()).into_bytes())) {
        let fresh = fresh();
        if let Ok(mut state) = parse_state(&String::from_utf8_lossy(&text), &fresh) {
            // It can be gone on from.
            let schedule = Schedule { iterations: 10, rate: 0.5 };
            let drawn = spsa::perturb(&state.tuned, &schedule, 0, &mut Rng::new(1));
            spsa::learn(&mut state.tuned, &schedule, 0, &drawn, 1.0);
            prop_assert!(state.tuned.iter().zip(&fresh.tuned).all(|(one, other)| one.is_later(other)));
        }
    }

    #[test]
    fn any_file_of_parameters_is_read_or_refused(bytes in parameter_files()) {
        let folder = tempfile::tempdir().expect("a writable directory");
        let path = folder.path().join("parameters");
        fs::write(&path, &bytes).expect("a writable directory");
        if let Ok(found) = params::read::<Params>(&path) {
            for spec in Params::SPECS {
                let value = found.value_of(spec.name).expect("a parameter");
                prop_assert!((spec.min..=spec.max).contains(&value), "{} = {value}", spec.name);
            }
            fs::write(&path, params::write(&found)).expect("a writable directory");
            prop_assert_eq!(params::read::<Params>(&path).expect("just written"), found);
        }
    }
}

#[test]
fn unchanged_files_of_parameters_are_read() {
    let folder = tempfile::tempdir().expect("a writable directory");
    let path = folder.path().join("parameters");
    for file in valid_parameter_files() {
        fs::write(&path, file).expect("a writable directory");
        assert_eq!(params::read::<Params>(&path).expect("just written"), Params::default());
    }
}
