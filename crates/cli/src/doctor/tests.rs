use super::*;

/// Returns the state of a part on a machine on which programs give these answers.
fn state_of(name: &str, parts: &[Part]) -> CheckState {
    let part = parts.iter().find(|part| part.known.name == name);
    part.expect("there is such a part").state.clone()
}

fn found(version: &str) -> CheckState {
    CheckState::Found(version.to_owned())
}

/// A machine with every program, as on Debian.
fn complete(call: Call<'_>) -> Option<String> {
    let said = match (call.program, call.arguments) {
        ("g++", [_, "-E", ..]) => "SG_BEGIN_DECL\n3 .32\n",
        ("cargo", _) => "cargo 1.95.0 (f2d3ce0bd 2026-03-21)\n",
        ("rustc", _) => "rustc 1.95.0-nightly (59807616e 2026-04-14)\n",
        ("rustfmt", _) => "rustfmt 1.9.0-stable (59807616e1 2026-04-14)\n",
        ("g++" | "mpicc", _) => "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022\n",
        ("make", _) => "GNU Make 4.3\nBuilt for x86_64-pc-linux-gnu\n",
        ("mpirun", _) => "mpirun (Open MPI) 4.1.4\n\nReport bugs to\n",
        ("firefox", _) => "Mozilla Firefox 140.4.0esr\n",
        ("clang" | "clang-14", _) => "Debian clang version 14.0.6\nTarget: x86_64\n",
        ("psql", _) => "psql (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n",
        _ => return None,
    };
    Some(said.to_owned())
}

/// Findings on a machine that can make predictions and has these parts.
fn findings(parts: Vec<Part>) -> Findings {
    Findings {
        trouble: None,
        cache: None,
        parts,
    }
}

#[test]
fn this_machine_predicts() {
    assert_eq!(predict(), Ok(()));
}

#[test]
fn versions_are_found_in_what_programs_say() {
    let parts = parts(&complete);
    let versions = [
        ("cargo", "1.95.0"),
        ("rustc", "1.95.0-nightly"),
        ("rustfmt", "1.9.0-stable"),
        ("g++", "12.2.0"),
        ("SimGrid", "3.32"),
        ("make", "4.3"),
        ("mpicc", "12.2.0"),
        ("mpirun", "4.1.4"),
        ("clang", "14.0.6"),
        ("browser", "140.4.0esr"),
        ("psql", "15.18"),
    ];
    assert_eq!(parts.len(), versions.len());
    for (name, version) in versions {
        assert_eq!(state_of(name, &parts), found(version), "{name}");
    }
}

#[test]
fn what_is_missing_is_told_with_the_way_to_get_it() {
    let findings = findings(parts(&|_| None));
    let text = text(&findings);
    for line in [
        "This machine can predict models.",
        "Cache: none; choose a folder with --cache DIR",
        "rustfmt: rustup component add rustfmt",
        "SimGrid: install SimGrid and g++ (Debian: libsimgrid-dev)",
    ] {
        assert!(text.lines().any(|it| it == line), "{text}");
    }
    let json = as_json(&findings);
    assert_eq!(json["ready"], true);
    assert_eq!(json["parts"][0]["version"], Value::Null);
    assert_eq!(json["parts"][0]["state"], "missing");
}

#[test]
fn an_old_rust_does_not_suffice() {
    let parts = parts(&|call| match call.program {
        "cargo" | "rustc" => Some(format!("{} 1.63.0 (Debian)", call.program)),
        _ => complete(call),
    });
    assert_eq!(
        state_of("rustc", &parts),
        CheckState::TooOld("1.63.0".to_owned())
    );
    let text = text(&findings(parts));
    assert!(text.contains("rustc    1.63.0, too old"), "{text}");
    assert!(text.contains(&format!(
        "rustc: install Rust from https://rustup.rs, {RUST} or later"
    )));
}

#[test]
fn a_machine_that_does_not_predict_says_why() {
    let findings = Findings {
        trouble: Some("there is no room".to_owned()),
        cache: Some("/cache".into()),
        ..findings(parts(&complete))
    };
    let text = text(&findings);
    let start = "This machine cannot predict models: there is no room\nCache: /cache\n\npart ";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(as_json(&findings)["ready"], false);
}

#[test]
fn versions_of_rust_are_compared_by_their_numbers() {
    for enough in [RUST, "1.100.0", "2.0.0", "1.95.1-nightly"] {
        assert!(is_enough(enough), "{enough}");
    }
    for old in ["1.88.9", "1.9.0", "0.99", "unknown"] {
        assert!(!is_enough(old), "{old}");
    }
}
