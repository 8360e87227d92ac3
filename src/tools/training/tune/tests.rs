//! Reading of intact and damaged state files and parameter files.

use super::*;
use crate::engine::rng::Rng;
use crate::fuzz::mutated;
use crate::tools::labs::toy::Params;
use proptest::prelude::*;
use std::fs;

fn fresh() -> State {
    let tuned = select_parameters(&[], &Params::default()).expect("all parameters");
    State { settings: json!({ "seed": 1 }), iteration: 0, tuned, charts: Charts::default() }
}

fn text(state: &State) -> String {
    String::from_utf8(state.to_bytes().expect("JSON")).expect("UTF-8")
}

#[test]
fn a_state_of_another_run_is_rejected() {
    let fresh = fresh();
    let mut later = State { iteration: 7, ..fresh.clone() };
    later.tuned[0].value += 0.5;
    assert_eq!(parse_state(&text(&later), &fresh).expect("state of the same run"), later);
    let changes: [fn(&mut State); 5] = [
        |state| state.settings = json!({ "seed": 2 }),
        |state| state.tuned.truncate(3),
        |state| state.tuned.swap(0, 1),
        |state| state.tuned[0].value = 1e9,
        |state| state.tuned[0].name.push('x'),
    ];
    for change in changes {
        let mut state = later.clone();
        change(&mut state);
        assert!(parse_state(&text(&state), &fresh).is_err(), "{state:?}");
    }
}

/// Returns the default parameters in both file formats: lines, and a JSON object.
fn valid_parameter_files() -> [String; 2] {
    let lines = params::write(&Params::default());
    let values: Vec<String> = lines.lines().map(|line| line.replace(" =", "\":")).collect();
    let object = format!("{{\"{}}}", values.join(",\""));
    [lines, object]
}

/// Texts that resemble a parameter file.
fn parameter_files() -> impl Strategy<Value = Vec<u8>> {
    let [lines, object] = valid_parameter_files();
    let line = "[a-z_]{1,12} = [-0-9]{1,12}\n".prop_map(String::into_bytes);
    let any_text = any::<String>().prop_map(String::into_bytes);
    prop_oneof![mutated(lines.into_bytes()), mutated(object.into_bytes()), line, any_text]
}

proptest! {
    #[test]
    fn any_state_is_read_or_rejected(text in mutated(text(&fresh()).into_bytes())) {
        let fresh = fresh();
        if let Ok(mut state) = parse_state(&String::from_utf8_lossy(&text), &fresh) {
            // A tuning run can be resumed from it.
            let schedule = Schedule { iterations: 10, rate: 0.5 };
            let perturbation = spsa::perturb(&state.tuned, &schedule, 0, &mut Rng::new(1));
            spsa::update(&mut state.tuned, &schedule, 0, &perturbation, 1.0);
            prop_assert!(state.tuned.iter().zip(&fresh.tuned).all(|(one, other)| one.is_successor_of(other)));
        }
    }

    #[test]
    fn any_parameter_file_is_read_or_rejected(bytes in parameter_files()) {
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
