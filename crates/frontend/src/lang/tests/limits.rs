//! Tests that no text makes a front end panic, overflow its stack or take too long.

use proptest::prelude::*;

use super::{As, read};
use crate::lang::screen::{MAX_BYTES, MAX_NESTING};
use prophet_model::model::Language;

/// The smallest default stack size of a thread.
const STACK: usize = 2 * 1024 * 1024;

/// Parses the text in every possible way, on a stack of this size.
fn survives(text: String, language: Language) {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let reader = thread.spawn(move || {
        for read_as in [As::Real, As::Fragment, As::Body] {
            read(&text, language, read_as);
        }
    });
    let result = reader.expect("a thread starts").join();
    assert!(result.is_ok(), "a panic");
}

/// Constructs that nest: the text before and after the nested part.
const C_NESTS: [(&str, &str); 31] = include!("c_nests.in");

const RUST_NESTS: [(&str, &str); 22] = include!("rust_nests.in");

#[test]
fn deep_text_is_parsed_or_refused() {
    for (nests, language, core) in [
        (C_NESTS.as_slice(), Language::C, "1"),
        (RUST_NESTS.as_slice(), Language::Rust, "1.0"),
    ] {
        for (before, behind) in nests {
            for depth in [8, 20, 40, MAX_NESTING, 96, 1000, 100_000] {
                let text = format!("{}{core}{}", before.repeat(depth), behind.repeat(depth));
                survives(text, language);
            }
        }
    }
}

#[test]
fn methods_and_types_cannot_be_stacked() {
    for depth in [50, 96, 500, 2000] {
        survives(format!("1.0{}", ".sqrt()".repeat(depth)), Language::Rust);
        survives(format!("1{}", " as i64".repeat(depth)), Language::Rust);
        survives(format!("1 as {}i64", "&".repeat(depth)), Language::Rust);
        survives(format!("1 as {}", "a<".repeat(depth)), Language::Rust);
        survives(format!("a{}", "::<a".repeat(depth)), Language::Rust);
        survives(format!("{}1", "|| ".repeat(depth)), Language::Rust);
        survives(format!("A{}", "[1]".repeat(depth)), Language::C);
        survives(format!("F{}", "(1)".repeat(depth)), Language::C);
        survives(format!("int {}x;", "*".repeat(depth)), Language::C);
    }
}

#[test]
fn reasonable_code_is_within_the_limits() {
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    let sum = vec!["P*GV"; 45].join(" + ");
    let chain = "if (n == GV) { P = GV*2 + 1; } else ".repeat(40);
    for (text, read_as) in [
        (nested(40), As::Real),
        (sum, As::Real),
        (format!("{chain} {{ P = 1; }} return P;"), As::Body),
        ("P = P + 1;".repeat(1500), As::Fragment),
    ] {
        let (result, messages) = read(&text, Language::C, read_as);
        assert!(result.is_some(), "{messages:?}");
    }
}

#[test]
fn the_limits_are_told() {
    let long = format!("1{}", " ".repeat(MAX_BYTES));
    let deep = format!("{}1{}", "(".repeat(60), ")".repeat(60));
    let wide = vec!["P"; 200].join("+");
    for (text, message) in [
        (
            long,
            "PM0202 `1`: the code has 16385 bytes, but at most 16384 are allowed",
        ),
        (
            deep,
            "PM0202 `(`: the code is nested more than 48 levels deep here",
        ),
        (
            wide,
            "PM0202 `+`: the expression has more than 96 operators",
        ),
    ] {
        for language in [Language::C, Language::Rust] {
            let (_, messages) = read(&text, language, As::Real);
            let (problem, help) = messages[0].split_once("; ").expect("there is help");
            assert_eq!((problem, messages.len()), (message, 1));
            assert!(help.contains("cost function"), "{help}");
        }
    }
}

#[test]
fn problems_of_one_piece_are_limited() {
    for text in ["nothing = 1;", "1;"] {
        let (_, messages) = read(&text.repeat(1000), Language::C, As::Fragment);
        assert_eq!(messages.len(), 20);
    }
}

/// Pieces of text, some of which front ends don't know.
const PIECES: [&str; 108] = include!("pieces.in");

fn soup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        20 => prop::sample::select(PIECES.as_slice()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec((piece, prop::bool::weighted(0.8)), 0..40).prop_map(|pieces| {
        let mut text = String::new();
        for (piece, space) in pieces {
            text.push_str(&piece);
            if space {
                text.push(' ');
            }
        }
        text
    })
}

/// Generates correct code in which a piece is deleted, doubled or replaced.
fn mutated() -> impl Strategy<Value = String> {
    const CODE: [&str; 6] = [
        "double s = 0; for (int i = 0; i < n; i++) { s += A[i % 8] * (i + 1); } return s / n;",
        "int a[3] = {1, 2, 3}; do { GV -= a[n & 1]; if (GV < 0) break; } while (ok); return GV;",
        "return n > 0 ? interpolate(\"table.csv\", n) : max(P, 0x10) + uniform(0, 1.5e-3);",
        "let mut s = 0.0; for i in 0..n { s += A[i % 8] * (i + 1) as f64; } s / n as f64",
        "let mut a = [1, 2, 3]; loop { GV -= a[n & 1]; if GV < 0 { break; } } GV as f64",
        "if n > 0 { interpolate(\"table.csv\", n as f64) } else { P.max(16.0).powi(2) }",
    ];
    let piece = prop::sample::select(PIECES.as_slice());
    let places = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (prop::sample::select(CODE.as_slice()), places, piece, 0..4).prop_map(
        |(code, (a, b), piece, what)| {
            let (a, b) = (a.index(code.len()), b.index(code.len()));
            let (a, b) = (a.min(b), a.max(b).min(a.min(b) + 12));
            match what {
                0 => format!("{}{}", &code[..a], &code[b..]),
                1 => format!("{}{}", &code[..b], &code[a..]),
                2 => format!("{}{piece}{}", &code[..a], &code[b..]),
                _ => format!("{} {piece} {}", &code[..a], &code[a..]),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: prophet_testing::cases(1500),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn random_text_is_read_or_refused(text in prop_oneof![soup(), mutated()]) {
        for language in [Language::C, Language::Rust] {
            for read_as in [As::Real, As::Fragment, As::Body] {
                read(&text, language, read_as);
            }
        }
    }
}
