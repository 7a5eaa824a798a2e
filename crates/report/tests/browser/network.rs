//! Tests the views of a network with shared links.

use prophet_report::page::Data;
use prophet_report::page::network::{AvailabilityData, Flows, Links, Network};
use prophet_testing::{BrowserPage, PAINTED, assert_says, assert_starts};
use serde_json::{Value, json};

use super::{column, open, ring};

const ENTER_LINKS: &str = "document.getElementById('availability').focus()";
const RIGHT: &str = "\u{e014}";
const LEFT: &str = "\u{e012}";
const HOSTILE: &str = "<img src=x onerror=alert(1)>";

const STEPS: u32 = 4;

/// Two messages that arrive at process 0 at the same time, followed by a third one at half of their
/// speed.
fn incast() -> Data {
    let mut data = ring();
    let end_s = data.run.predicted_time_s;
    let step_s = end_s / f64::from(STEPS);
    let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"prophet-machine\" \
        width=\"300\" height=\"90\" viewBox=\"0 0 300 90\"><style>text{fill:red}</style>\
        <rect class=\"ground\" width=\"100%\" height=\"100%\" fill=\"#fff\"/>\
        <path class=\"link\" data-links=\"7 3\" d=\"M20 40L280 40\" stroke=\"#999\">\
        <title>node0.up, node0.down</title></path>\
        <path class=\"link\" data-links=\"99\" d=\"M20 80L280 80\" stroke=\"#999\">\
        <title>other</title></path>\
        <g data-links=\"3\"/><path data-links=\"x 3\" d=\"\"/>\
        <circle class=\"host\" cx=\"20\" cy=\"40\" r=\"5\"/></svg>";
    data.network = Some(Network {
        packet_bytes: 1500.0,
        links: Links {
            name: vec!["node0.down".to_owned(), HOSTILE.to_owned()],
            number: vec![3, 7].into(),
            bytes_per_s: vec![1e10, 1e10].into(),
            background: vec![0.5, 0.0].into(),
            mean_load: vec![0.375, 0.125].into(),
            most_load: vec![0.5, 0.5].into(),
            step_s,
            steps: STEPS,
            shown: vec![0].into(),
            load: vec![0.5, 0.5, 0.25, 0.0].into(),
        },
        flows: Flows {
            from: vec![1, 2, 3].into(),
            to: vec![0, 0, 0].into(),
            start_s: vec![0.0, 0.0, 2.0 * step_s].into(),
            end_s: vec![2.0 * step_s, 2.0 * step_s, 3.0 * step_s].into(),
            bytes: vec![1e6, 1e6, 1e6].into(),
            link: vec![0, 0, 1].into(),
            available_bytes_per_s: vec![2.5e9, 2.5e9, 1.25e9].into(),
            clear_bytes_per_s: vec![5e9, 5e9, 1.25e9].into(),
            count: 3,
        },
        availability: AvailabilityData {
            step_s,
            mean_bytes_per_s: vec![2.5e9, 2.5e9, 1.25e9, f64::NAN].into(),
            least_bytes_per_s: vec![2.5e9, 2.5e9, 1.25e9, f64::NAN].into(),
            clear_bytes_per_s: vec![5e9, 5e9, 1.25e9, f64::NAN].into(),
        },
        picture: Some(picture.to_owned()),
    });
    data
}

fn said(page: &BrowserPage) -> String {
    let said = page.run("return document.querySelector('[role=status]').textContent");
    said.as_str().unwrap_or_default().to_owned()
}

#[test]
fn keys_step_through_messages_and_their_bandwidth() {
    let Some(page) = open("network", &incast()) else {
        return;
    };
    page.run(ENTER_LINKS);
    page.browser.press(RIGHT);
    assert_starts(
        &said(&page),
        "Message from 1 to 0. Most loaded link node0.down, Available 2.5\u{202f}GB/s, \
             Without background 5\u{202f}GB/s",
    );
    page.browser.press(RIGHT);
    page.browser.press(RIGHT);
    assert!(said(&page).contains(HOSTILE) && said(&page).contains("1.25\u{202f}GB/s"));
    page.browser.press(LEFT);
    assert!(said(&page).starts_with("Message from 2"));
    let names = column(&page, "network-links", 0);
    assert_eq!(names, ["node0.down", HOSTILE]);
    assert_eq!(column(&page, "network-links", 3), ["2", "1"]);
    let available = column(&page, "network-links", 4);
    assert_eq!(available, ["2.5\u{202f}GB/s", "1.25\u{202f}GB/s"]);
    let clear = column(&page, "network-links", 6);
    assert_eq!(clear, ["5\u{202f}GB/s", "1.25\u{202f}GB/s"]);
    let status = page.run("return document.getElementById('network-status').textContent");
    assert_eq!(status, "3\u{202f}messages with bytes on shared links.");
    page.is_quiet();
}

#[test]
fn a_knee_is_a_bandwidth_in_packets() {
    let Some(page) = open("knee", &incast()) else {
        return;
    };
    let steps = page.run("return report.read('knee')");
    let near = |value: &Value, expected: f64| {
        let value = value.as_f64().expect("a number");
        assert!((value - expected).abs() < 1e-6 * expected, "{value}");
    };
    near(&steps[0]["mean"], 2.5e9 / 1500.0);
    near(&steps[0]["clear"], 5e9 / 1500.0);
    near(&steps[2]["least"], 1.25e9 / 1500.0);
    assert_eq!(steps[3]["mean"], Value::Null, "no message is on its way");
    page.run("document.getElementById('knee').focus()");
    page.browser.press(RIGHT);
    assert_says(said(&page), &["With background 1,667,000\u{202f}packets/s"]);
    page.is_quiet();
}

fn lines(page: &BrowserPage) -> Value {
    page.run(
        "return [...document.querySelectorAll('#topology .link')].map((line) => \
         [Number(line.dataset.load), line.querySelector('title').textContent])",
    )
}

#[test]
fn the_picture_shows_the_loads_of_the_run_and_of_a_time() {
    let data = incast();
    let Some(page) = open("topology", &data) else {
        return;
    };
    let unused = json!([0, "no message took it"]);
    let both = |up: &str, down: &str| format!("{HOSTILE} {up}, node0.down {down}");
    let mean = both("12.5\u{202f}%", "37.5\u{202f}%");
    assert_eq!(lines(&page), json!([[0.375, mean], unused]));
    page.run(
        "const list = document.getElementById('topology-load'); list.value = 'time'; \
         list.dispatchEvent(new Event('change'))",
    );
    page.run(&format!(
        "report.simulatedTime.set({})",
        0.6 * data.run.predicted_time_s
    ));
    // Only the first link has loads over time.
    let then = both("\u{2013}", "25.0\u{202f}%");
    assert_eq!(lines(&page), json!([[0.25, then], unused]));
    page.run(
        "const slider = document.getElementById('topology-time'); slider.value = '0'; \
         slider.dispatchEvent(new Event('input'))",
    );
    assert_eq!(lines(&page)[0][0], 0.5);
    page.browser.run_async(PAINTED);
    let labels = page.run(
        "return [...document.querySelectorAll('#topology text.load')].map((it) => it.textContent)",
    );
    assert_eq!(labels, json!(["50\u{202f}%", ""]));
    let foreign = "return document.querySelectorAll('#network img, \
                   #topology style, #topology .ground').length";
    assert_eq!(page.run(foreign), 0);
    page.is_quiet();
}
