//! Tests reading results, including untrusted ones and those from older versions.

use prophet_result::{Parameters, RunResult};
use serde_json::{Value, json};

/// Returns a result with only the required keys.
fn least() -> Value {
    json!({
        "model": "M",
        "system": {"nodes": 1, "cpus_per_node": 2, "processes": 3, "threads": 4},
        "predicted_time_s": 0.5,
    })
}

/// Returns the minimal result with this value at this key.
fn with(key: &str, value: Value) -> String {
    let mut result = least();
    result[key] = value;
    result.to_string()
}

fn read(text: &str) -> RunResult<'_> {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn refused(text: &str) -> String {
    let read: Result<RunResult<'_>, _> = serde_json::from_str(text);
    read.expect_err(text).to_string()
}

#[test]
fn optional_keys_have_defaults() {
    let text = least().to_string();
    let result = read(&text);
    assert_eq!(
        (&*result.machine, result.seed, result.partial),
        ("", 0, false)
    );
    assert!(result.parameters == Parameters::default() && result.efficiency.is_none());
    assert!(result.processes.is_empty() && result.elements.is_empty());
    assert!(!result.evaluation.is_known());

    let evaluation = with("evaluation", json!({"engine": "event", "wall_s": 0.25}));
    let evaluation = read(&evaluation).evaluation;
    assert!(evaluation.is_known());
    assert_eq!(evaluation.evaluated, "native");
    assert_eq!((evaluation.events, evaluation.cpu_s), (0, 0.0));
}

#[test]
fn processes_and_elements_of_older_versions_are_read() {
    let process = json!({
        "pid": 7, "nid": 1, "end_s": 3.0, "compute_s": 1.0, "communication_s": 0.5, "wait_s": 1.5,
    });
    let text = with("processes", json!([process]));
    assert_eq!(read(&text).processes[0].hold_s.to_bits(), 0);
    let element = json!({
        "name": "A", "id": -1, "type": "action+", "count": 2, "total_s": 3.0, "mean_s": 1.5,
        "max_s": 2.0,
    });
    let text = with("elements", json!([element]));
    let result = read(&text);
    assert_eq!(result.elements[0].kind, "action+");
    assert!(result.elements[0].share.is_nan());
}

/// Tests that the JSON says why a run didn't fold, or why it used one thread.
#[test]
fn reasons_are_written_and_read() {
    let reasons = json!({
        "engine": "event", "wall_s": 0.25, "why_not_folded": "it draws random numbers",
        "why_one_thread": "the event engine uses one",
    });
    let text = with("evaluation", reasons.clone());
    let result = read(&text);
    let written = serde_json::to_value(&result).expect("it is written");
    for key in ["why_not_folded", "why_one_thread"] {
        assert_eq!(written["evaluation"][key], reasons[key]);
    }
    let without = serde_json::to_string(&read(&least().to_string())).expect("it is written");
    assert!(!without.contains("why_"), "{without}");
}

#[test]
fn unknown_keys_are_ignored() {
    let text = with("later", json!({"versions": ["say", {"more": null}]}));
    assert_eq!(read(&text), read(&least().to_string()));
}

#[test]
fn missing_keys_are_named() {
    for key in ["model", "system", "predicted_time_s"] {
        let mut result = least();
        result.as_object_mut().and_then(|it| it.remove(key));
        let message = refused(&result.to_string());
        assert!(
            message.contains(&format!("missing field `{key}`")),
            "{message}"
        );
    }
    for (key, value, missing) in [
        ("system", json!({"nodes": 1}), "cpus_per_node"),
        ("evaluation", json!({"wall_s": 1.0}), "engine"),
        ("evaluation", json!({"engine": "local"}), "wall_s"),
        ("processes", json!([{"pid": 0}]), "nid"),
        ("elements", json!([{"name": "A", "id": 1}]), "type"),
        ("efficiency", json!({"parallel": 1.0}), "load_balance"),
    ] {
        let message = refused(&with(key, value));
        assert!(
            message.contains(&format!("missing field `{missing}`")),
            "{message}"
        );
    }
}

#[test]
fn hostile_texts_are_refused() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let twice = least().to_string().replacen('{', "{\"model\": \"N\", ", 1);
    for (text, reason) in [
        (String::new(), "EOF"),
        ("null".to_owned(), "invalid type: null"),
        ("[]".to_owned(), "invalid length 0"),
        (deep.clone(), "invalid type: sequence"),
        // Unknown keys are skipped without recursion.
        (format!("{{\"later\": {deep}}}"), "missing field `model`"),
        (
            format!("{{\"parameters\": {{\"N\": {deep}}}}}"),
            "recursion limit exceeded",
        ),
        (twice, "duplicate field `model`"),
        (with("model", json!(1)), "invalid type: integer"),
        (with("seed", json!(-1)), "invalid value: integer `-1`"),
        (with("machine", json!(null)), "invalid type: null"),
        (with("parameters", json!([1])), "invalid type: sequence"),
        (with("processes", json!({})), "invalid type: map"),
        (with("partial", json!("true")), "invalid type: string"),
        (
            with("system", json!({"nodes": 4_294_967_296_u64})),
            "invalid value: integer `4294967296`",
        ),
        (
            with("predicted_time_s", json!("soon")),
            "invalid type: string",
        ),
        (
            least().to_string().replace("0.5", "1e999"),
            "number out of range",
        ),
        (least().to_string().replace("0.5", "NaN"), "expected value"),
        (least().to_string() + "}", "trailing characters"),
    ] {
        let message = refused(&text);
        assert!(message.contains(reason), "{message}, not {reason}");
    }
}
