//! Tests the space-time diagram with PTI's four states.

use prophet_report::page::SegmentState;
use prophet_testing::BrowserPage;
use serde_json::json;

use super::{open, ring};

const READ: &str = "return report.read('timeline')";

fn choose(page: &BrowserPage, coloring: &str) {
    page.run(&format!(
        "const list = document.getElementById('timeline-color'); \
         list.value = '{coloring}'; \
         list.dispatchEvent(new Event('change'))"
    ));
}

fn legend(page: &BrowserPage) -> serde_json::Value {
    page.run(
        "return [...document.querySelectorAll('#timeline-section .legend li')]\
         .map((item) => [item.childNodes[1].textContent, item.childNodes[2]?.textContent ?? ''])",
    )
}

#[test]
fn four_states_have_their_shares() {
    let mut data = ring();
    let records = data.records.as_mut().expect("it was traced");
    // Collectives alternate between sending, receiving, and neither.
    let mut turn = 0;
    let mut shares = [0.0; 5];
    for (record, &state) in records.state.iter().enumerate() {
        let is_collective = state == SegmentState::Collective as u8;
        turn = (turn + u8::from(is_collective)) % 3;
        let role = if is_collective { turn } else { 0 };
        records.role.push(role);
        let activity = match (state, role) {
            (0, _) => 0,
            (1, _) | (_, 1) => 1,
            (2, _) | (_, 2) => 2,
            (3 | 5, _) => 3,
            _ => 4,
        };
        shares[activity] += records.end_s[record] - records.start_s[record];
    }
    let all: f64 = shares.iter().sum();
    let Some(page) = open("activities", &data) else {
        return;
    };
    choose(&page, "activity");
    let shown = legend(&page);
    let names = ["processing", "send", "receive", "wait", "other"];
    for (at, (name, share)) in names.iter().zip(shares).enumerate() {
        assert_eq!(shown[at][0], *name);
        let text = shown[at][1].as_str().expect("a share");
        let percent: f64 = text.trim_end_matches("\u{202f}%").parse().expect(text);
        assert!(
            (percent - 100.0 * share / all).abs() < 0.06,
            "{name}: {text}"
        );
    }
    let painted = page.run(READ);
    assert!(painted["hatched"].as_u64() > Some(100), "{painted}");
    choose(&page, "state");
    let painted = page.run(READ);
    assert_eq!(painted["hatched"], 0);
    page.is_quiet();
}

#[test]
fn a_run_that_only_computes_and_waits_has_no_other_state() {
    let mut data = ring();
    let records = data.records.as_mut().expect("it was traced");
    for state in records.state.iter_mut() {
        *state = if *state == 0 {
            0
        } else {
            SegmentState::Wait as u8
        };
    }
    let Some(page) = open("activities-few", &data) else {
        return;
    };
    choose(&page, "activity");
    let names = page.run(
        "return [...document.querySelectorAll('#timeline-section .legend li')]\
         .map((item) => item.childNodes[1].textContent)",
    );
    assert_eq!(names, json!(["processing", "send", "receive", "wait"]));
    assert_eq!(legend(&page)[1][1], "0.0\u{202f}%");
    page.is_quiet();
}
