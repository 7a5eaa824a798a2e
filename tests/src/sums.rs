//! Checks that the times in a result add up, using the formulas in `docs/reports.md`.

use serde_json::Value;

/// Categories that a process's time is split into.
pub const CATEGORIES: [&str; 4] = ["compute_s", "communication_s", "wait_s", "hold_s"];
/// Largest difference due to rounding, relative to the predicted time.
pub const ROUNDING: f64 = 1e-9;

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// Checks a JSON result: categories must add up to end times, no share can exceed 1, and any
/// efficiencies must follow the formulas.
///
/// # Panics
///
/// Panics if something doesn't add up.
pub fn check(result: &Value, what: &str) {
    let predicted_s = number(&result["predicted_time_s"]);
    let slack_s = ROUNDING * predicted_s;
    let processes = list(&result["processes"]);
    for process in processes {
        let parts = CATEGORIES.map(|name| number(&process[name]));
        assert!(parts.iter().all(|part| *part >= 0.0), "{what}: {process}");
        let off_s = parts.iter().sum::<f64>() - number(&process["end_s"]);
        assert!(
            off_s.abs() <= slack_s,
            "{what}: {process} is off by {off_s}"
        );
    }
    let all_s: f64 = processes.iter().map(|it| number(&it["end_s"])).sum();
    for element in list(&result["elements"]) {
        let (share, total_s) = (number(&element["share"]), number(&element["total_s"]));
        assert!((0.0..=1.0).contains(&share), "{what}: {element}");
        assert!(share * all_s <= total_s + slack_s, "{what}: {element}");
    }
    if let Some(efficiency) = result.get("efficiency") {
        check_efficiency(efficiency, processes, predicted_s, what);
    }
}

fn check_efficiency(efficiency: &Value, processes: &[Value], predicted_s: f64, what: &str) {
    let computed = processes.iter().map(|it| number(&it["compute_s"]));
    #[expect(clippy::cast_precision_loss, reason = "a few")]
    let mean_s = computed.clone().sum::<f64>() / processes.len() as f64;
    let most_s = computed.fold(0.0, f64::max);
    for (name, expected) in [
        ("load_balance", mean_s / most_s),
        ("communication", most_s / predicted_s),
        ("parallel", mean_s / predicted_s),
    ] {
        let found = number(&efficiency[name]);
        assert!(
            (found - expected).abs() <= ROUNDING,
            "{what}: {name} {found}"
        );
        assert!((0.0..=1.0).contains(&found), "{what}: {name} {found}");
    }
}
