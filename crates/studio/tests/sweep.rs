//! Sweeps in the studio: the page of the command, of the model as it is shown.

use serde_json::{Value, json};

use crate::client::Studio;

const LAPW0: &str = include_str!("../../../sample-models/lapw0.uml");
const GENOME: &str = include_str!("../../../sample-models/workflows/genome.uml");

/// Axes that are refused, and the messages.
const REFUSED: &[(&str, &str)] = &[
    ("nodes=", "`nodes=`: a value is missing"),
    ("depth=1,2", "`depth` cannot be set to `1` here"),
    (
        "machine=h100,../m.toml",
        "`machine` cannot be set to `../m.toml` here",
    ),
    (
        "mapping=/etc/passwd",
        "`mapping` cannot be set to `/etc/passwd` here",
    ),
    (
        "tariff=prices.toml",
        "`tariff` cannot be set to `prices.toml` here",
    ),
    (
        "network.latency=/etc/passwd",
        "`network.latency` cannot be set to `/etc/passwd` here",
    ),
    (
        "NAT=1..10001",
        "this sweep has at most 10,000 points, each a list of values: `performance-prophet sweep` \
         has no limit",
    ),
    (
        "nodes=0",
        "invalid value '0' for 'nodes': it is a whole number from 1 to ",
    ),
];

fn asked(vary: &[&str]) -> Value {
    json!({ "flags": { "nodes": "2" }, "vary": vary, "minimize": "predicted_time_s * processes" })
}

#[test]
fn a_sweep_is_shown_on_the_page_of_the_command() {
    let studio = Studio::of(LAPW0);
    let (status, answer) = studio.post("api/sweep", &asked(&["processes=2,4..8", "NAT=32,64"]));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["result"]["points"], 8, "{answer}");
    let address = answer["result"]["address"].as_str().unwrap();
    let (status, head, page) = studio.get(address);
    assert_eq!(status, 200, "{head}");
    assert!(page.contains("<title>LAPW0: sweep</title>"));
    assert!(head.contains("sandbox allow-scripts"), "{head}");
}

#[test]
fn what_a_page_may_not_sweep_is_told() {
    let studio = Studio::of(LAPW0);
    for (axis, why) in REFUSED {
        let (status, answer) = studio.post("api/sweep", &asked(&[axis]));
        assert_eq!(status, 200, "{answer}");
        let error = answer["error"].as_str().unwrap_or_default();
        assert!(error.starts_with(why), "{axis}: {answer}");
    }
    // A parameter does not hide the flag of its name, whose value is a file.
    let (_, answer) = Studio::of(LAPW0.replace("NAT", "mapping"))
        .post("api/sweep", &asked(&["mapping=/etc/passwd"]));
    let error = answer["error"].as_str().unwrap_or_default();
    assert_eq!(error, "`mapping` cannot be set to `/etc/passwd` here");
    let (_, answer) = Studio::of(GENOME).post("api/sweep", &asked(&["hosts=1,2"]));
    let error = answer["error"].as_str().unwrap_or_default();
    assert!(
        error.starts_with("a workflow is swept by the command: "),
        "{answer}"
    );
}
