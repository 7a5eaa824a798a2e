//! Damages models, and checks that reading them never panics.

use proptest::prelude::*;

use super::super::encoding;
use crate::diagnostic::{Diagnostics, render_human, render_json};
use crate::source::Source;

/// Valid models that contain everything the reader knows.
const MODELS: [&str; 7] = [
    include_str!("../../../tests/data/damaged/everything.uml"),
    include_str!("../../../tests/data/damaged/by-ids.uml"),
    include_str!("../../../../../tests/models/dialects/argouml.xmi"),
    include_str!("../../../../../tests/models/dialects/staruml.xmi"),
    include_str!("../../../../../tests/models/dialects/visual-paradigm.xmi"),
    include_str!("../../../../../docs/models/web_server.uml"),
    // This model has references by position, and an event that starts together with its diagram.
    include_str!("../../../tests/data/damaged/by-places.uml"),
];

/// A way to damage a file. Positions are taken modulo its length.
#[derive(Debug, Clone)]
enum Damage {
    Flip(usize, u8),
    Insert(usize, String),
    Delete(usize, usize),
    Copy(usize, usize, usize),
    Truncate(usize),
    DropTag(usize),
    SwapIds(usize, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = || 0_usize..10_000;
    // XML tokens, and characters that aren't tokens.
    let tokens = include_str!("tokens.txt")
        .lines()
        .chain(["\u{0}", "\u{feff}", " "]);
    let tokens: Vec<&str> = tokens.collect();
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, with)| Damage::Flip(at, with)),
        (at(), prop::sample::select(tokens))
            .prop_map(|(at, token)| Damage::Insert(at, token.to_owned())),
        (at(), 0_usize..40).prop_map(|(at, length)| Damage::Delete(at, length)),
        (at(), at(), 0_usize..200).prop_map(|(from, to, length)| Damage::Copy(from, to, length)),
        at().prop_map(Damage::Truncate),
        at().prop_map(Damage::DropTag),
        (at(), at()).prop_map(|(one, other)| Damage::SwapIds(one, other)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let length = bytes.len().max(1);
    match damage {
        Damage::Flip(at, with) => {
            if let Some(byte) = bytes.get_mut(at % length) {
                *byte ^= with;
            }
        }
        Damage::Insert(at, token) => {
            let at = at % length;
            bytes.splice(at.min(bytes.len())..at.min(bytes.len()), token.bytes());
        }
        Damage::Delete(at, count) => {
            let start = (at % length).min(bytes.len());
            bytes.drain(start..(start + count).min(bytes.len()));
        }
        Damage::Copy(from, to, count) => {
            let start = (from % length).min(bytes.len());
            let part = bytes[start..(start + count).min(bytes.len())].to_vec();
            let to = (to % length).min(bytes.len());
            bytes.splice(to..to, part);
        }
        Damage::Truncate(at) => bytes.truncate(at % length),
        Damage::DropTag(number) => {
            let starts = bytes.iter().enumerate().filter(|&(_, &b)| b == b'<');
            let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
            if let Some(&start) = starts.get(number % starts.len().max(1)) {
                let end = bytes[start..].iter().position(|&b| b == b'>');
                bytes.drain(start..end.map_or(bytes.len(), |end| start + end + 1));
            }
        }
        Damage::SwapIds(one, other) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let ids: Vec<&str> = text.split('"').filter(|it| it.starts_with('_')).collect();
            if let (Some(one), Some(other)) = (
                ids.get(one % ids.len().max(1)),
                ids.get(other % ids.len().max(1)),
            ) {
                let with = format!("\"{other}\"");
                *bytes = text.replacen(&format!("\"{one}\""), &with, 1).into_bytes();
            }
        }
    }
}

fn read(bytes: Vec<u8>) {
    let Ok(text) = encoding::decode(bytes) else {
        return;
    };
    let source = Source::new("damaged.uml", text);
    let mut diagnostics = Diagnostics::new();
    if let Some(model) = super::super::read(&source, None, &mut diagnostics) {
        // The outline follows every index, and checks that flows stay in their diagrams.
        let outline = super::outline(&model);
        assert!(outline.starts_with("model "));
    }
    let diagnostics = diagnostics.sorted();
    let shown = render_human(&source, &diagnostics, true);
    assert_eq!(shown.is_empty(), diagnostics.is_empty());
    assert!(render_json(&source, &diagnostics).starts_with('['));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prophet_testing::cases(2000)))]

    #[test]
    fn damaged_models_cause_no_panic(
        model in prop::sample::select(MODELS.to_vec()),
        damages in prop::collection::vec(damage(), 1..6),
    ) {
        let mut bytes = model.as_bytes().to_vec();
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        read(bytes);
    }

    #[test]
    fn any_bytes_cause_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read(bytes);
    }
}

#[test]
fn undamaged_models_are_read_without_complaint() {
    for text in MODELS {
        let source = Source::new("whole.uml", text);
        let mut diagnostics = Diagnostics::new();
        assert!(super::super::read(&source, None, &mut diagnostics).is_some());
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    }
}
