//! Tests the page in headless Chromium: its display, the effects of keys and controls, and that it
//! requests nothing. Without Chromium (Debian: `chromium`, `chromium-driver`), these tests are
//! skipped.
//!
//! With `PROPHET_REPORTS=FOLDER`, the tests save their pages and screenshots there.

mod activities;
mod network;
mod synthetic;
mod views;

use prophet_report::page::{Data, Diagram, RunSummary, render};
use prophet_testing::{BrowserPage, keep_file, kept_pages};
use serde_json::{Value, json};

fn open(name: &str, data: &Data) -> Option<BrowserPage> {
    BrowserPage::open(name, &render(data))
}

fn ring() -> Data {
    let mut data = synthetic::data(32, 3000);
    data.runs = [32, 4, 8, 16]
        .map(|processes| {
            let data = synthetic::data(processes, processes * 94);
            RunSummary::of(&data, format!("{processes} processes"))
        })
        .to_vec();
    data.notes = vec!["A made-up run.".to_owned()];
    data
}

#[test]
fn charts_show_the_data() {
    let data = ring();
    let Some(page) = open("ring", &data) else {
        return;
    };
    // The numbers are passed as text, which Rust parses back to the last bit.
    let bars = page.run(
        "return report.read('process-bars').map((bar) => \
         [bar.compute_s, bar.communication_s, bar.wait_s].map(String))",
    );
    let bars = bars.as_array().expect("a bar for each process");
    assert_eq!(bars.len(), 32);
    for (index, bar) in bars.iter().enumerate() {
        let columns = [
            &data.processes.compute_s,
            &data.processes.communication_s,
            &data.processes.wait_s,
        ];
        for (part, column) in columns.iter().enumerate() {
            let shown: f64 = bar[part].as_str().unwrap().parse().unwrap();
            assert_eq!(shown.to_bits(), column[index].to_bits());
        }
    }
    let matrix = page.run("return report.read('matrix')");
    assert_eq!(
        matrix["bytes"],
        32.0 * data.matrix.as_ref().unwrap().bytes[0]
    );
    let rows = page.run("return document.querySelectorAll('#element-table tbody tr').length");
    assert_eq!(rows, 4);
    page.is_quiet();
}

#[test]
fn the_page_begins_with_answers() {
    let data = ring();
    let Some(page) = open("answers", &data) else {
        return;
    };
    let items = "return [...document.querySelectorAll('#answers li')].map((it) => it.textContent)";
    let told: Vec<String> = serde_json::from_value(page.run(items)).expect("they are texts");
    let percent = |share: f64| format!("{:.1}\u{202f}%", 100.0 * share);
    let times = &data.processes;
    let [compute_s, communication_s, wait_s] =
        [&times.compute_s, &times.communication_s, &times.wait_s].map(|it| it.iter().sum::<f64>());
    let all_s = compute_s + communication_s + wait_s;
    // Only `Sweep` computes, and it does nothing else.
    assert_eq!(
        told[0],
        format!(
            "Sweep takes {} of the processes' time.",
            percent(compute_s / all_s)
        )
    );
    let waits = format!(
        "Processes wait for {} of their time, ",
        percent(wait_s / all_s)
    );
    assert!(told[1].starts_with(&waits), "{}", told[1]);
    let first = &data.what_if.as_ref().expect("it is known").elements[0];
    let gain = format!(
        " ({}) sooner.",
        percent(first.gain_s / data.run.predicted_time_s)
    );
    assert!(told[2].ends_with(&gain), "{}", told[2]);
    assert_eq!(
        page.run("return document.querySelector('main section').id"),
        "answers"
    );
    page.is_quiet();
}

fn column(page: &BrowserPage, table: &str, column: usize) -> Vec<String> {
    page.column(&format!("#{table} tbody tr"), column)
}

#[test]
fn tables_sort_by_keyboard() {
    let Some(page) = open("tables", &ring()) else {
        return;
    };
    let focus = "document.querySelector('#element-table th:nth-child(1) button').focus()";
    page.run(focus);
    page.browser.press(ENTER);
    let names = column(&page, "element-table", 0);
    assert_eq!(names, ["ReceiveHalo", "Residual", "SendHalo", "Sweep"]);
    page.browser.press(ENTER);
    let names = column(&page, "element-table", 0);
    assert_eq!(names, ["Sweep", "SendHalo", "Residual", "ReceiveHalo"]);
    let sorted =
        page.run("return document.querySelector('#element-table th').getAttribute('aria-sort')");
    assert_eq!(sorted, "descending");
    page.is_quiet();
}

const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";

#[test]
fn another_process_changes_pie_and_table() {
    let data = ring();
    let Some(page) = open("choose", &data) else {
        return;
    };
    page.run(
        "const list = document.getElementById('process'); list.value = '7'; \
         list.dispatchEvent(new Event('change'))",
    );
    let pie = "return Number(document.querySelector('#process-pie .compute').dataset.seconds)";
    assert_eq!(page.run(pie), data.processes.compute_s[7]);
    let caption = "return document.querySelector('#element-table caption').textContent";
    assert_eq!(page.run(caption), "Elements of process 7");
    page.run("document.getElementById('process-bars').focus()");
    page.browser.press(RIGHT);
    assert_eq!(page.run(caption), "Elements of process 8");
    assert_eq!(page.run(pie), data.processes.compute_s[8]);
    page.is_quiet();
}

#[test]
fn the_slider_moves_processes_through_the_diagram() {
    let data = ring();
    let Some(page) = open("animator", &data) else {
        return;
    };
    let counts = page.run(
        "const slider = document.getElementById('animator-time'); slider.value = '5000'; \
         slider.dispatchEvent(new Event('input')); \
         return [...document.querySelectorAll('[data-element] .badge')]\
         .filter((badge) => badge.style.display !== 'none')\
         .map((badge) => Number(badge.querySelector('text').textContent.replace(',', '')))",
    );
    let total: f64 = counts
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_f64)
        .sum();
    assert!(
        (total - 32.0).abs() < 0.5,
        "each process is somewhere: {counts}"
    );
    page.run("document.getElementById('animator-play').click()");
    let moved = page.browser.run_async(
        "const before = report.simulatedTime.get(); \
         setTimeout(() => done(report.simulatedTime.get() > before), 300)",
    );
    assert_eq!(moved, true);
    page.is_quiet();
}

#[test]
fn keys_move_and_zoom_the_space_time_diagram() {
    let data = ring();
    let Some(page) = open("timeline", &data) else {
        return;
    };
    let end = data.run.predicted_time_s;
    page.run("document.getElementById('timeline').focus()");
    page.browser.press("++");
    let painted = "requestAnimationFrame(() => requestAnimationFrame(() => \
                   done(report.read('timeline'))))";
    let seen = page.browser.run_async(painted);
    let span = seen["t1"].as_f64().unwrap() - seen["t0"].as_f64().unwrap();
    assert!((span - end * 0.49).abs() < end * 1e-9, "{seen}");
    page.browser.press(RIGHT);
    let moved = page.browser.run_async(painted);
    let by = moved["t0"].as_f64().unwrap() - seen["t0"].as_f64().unwrap();
    assert!((by - span * 0.1).abs() < end * 1e-9, "{moved}");
    page.browser.press("0..");
    let all = page.browser.run_async(painted);
    assert_eq!(all["seen"], data.records.as_ref().unwrap().start_s.len());
    let said = page.run("return document.querySelector('[role=status]').textContent");
    assert!(said.as_str().unwrap().contains("SendHalo: sends"), "{said}");
    page.is_quiet();
}

/// Tests that the table of nodes contains the values of the series, and that column headings sort
/// by keyboard.
#[test]
fn nodes_show_how_busy_they_were() {
    let data = ring();
    let Some(page) = open("utilization", &data) else {
        return;
    };
    let series = &data.utilization[0];
    let steps = series.steps as usize;
    let mean = |values: &[f32]| {
        values.iter().copied().map(f64::from).sum::<f64>() / f64::from(series.steps)
    };
    let means: Vec<f64> = series.values.chunks(steps).map(mean).collect();
    assert_eq!(means.len(), 2);
    let percent = |mean: &f64| format!("{:.1}\u{202f}%", 100.0 * mean);
    let shown = column(&page, "utilization-table", 1);
    assert_eq!(shown, means.iter().map(percent).collect::<Vec<_>>());
    page.run("document.querySelector('#utilization-table th:nth-child(1) button').focus()");
    page.browser.press(ENTER);
    assert_eq!(column(&page, "utilization-table", 0), ["node 1", "node 0"]);
    let band = page.run("return report.read('utilization-0')[0].mean");
    let first = f64::midpoint(f64::from(series.values[0]), f64::from(series.values[steps]));
    assert!((band.as_f64().unwrap() - first).abs() < 1e-6, "{band}");
    let known = column(&page, "what-if-table", 5);
    assert_eq!(known.iter().filter(|known| *known == "exactly").count(), 1);
    assert_eq!(known.iter().filter(|known| *known == "at most").count(), 3);
    page.is_quiet();
}

/// Tests texts of a model that try to be markup, and a drawing that tries to run and load things.
#[test]
fn text_of_a_model_is_only_text() {
    let evil = "<img src=x onerror=alert(1)></script><script>alert(2)</script>";
    let mut data = ring();
    data.run.model = evil.to_owned();
    data.elements[0].name = evil.to_owned();
    data.runs[0].label = evil.to_owned();
    data.utilization[0].names[0] = evil.to_owned();
    data.diagrams.push(Diagram {
        name: evil.to_owned(),
        svg: "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(3)\" viewBox=\"0 0 9 9\">\
              <script>alert(4)</script><foreignObject><p>hello</p></foreignObject>\
              <image href=\"https://example.com/a.png\"/><a href=\"javascript:alert(5)\">\
              <rect width=\"9\" height=\"9\"/></a><style>*{fill:url(https://example.com)}</style>\
              <rect id=\"kept\" width=\"9\" height=\"9\" onclick=\"alert(6)\" \
              fill=\"url(https://example.com/b)\" style=\"fill:red\"/></svg>"
            .to_owned(),
    });
    let Some(page) = open("hostile", &data) else {
        return;
    };
    assert_eq!(
        page.run("return document.querySelector('h1').textContent"),
        evil
    );
    let foreign = "return document.querySelectorAll('img, script:not(body > script), image, \
                   foreignObject, a[href^=javascript], [onclick], [onload], svg style').length";
    assert_eq!(page.run(foreign), 0);
    let kept = page.run("return document.getElementById('diagram1-kept').outerHTML");
    let kept = kept.as_str().expect("the harmless part is kept");
    assert!(
        !kept.contains("example") && !kept.contains("style"),
        "{kept}"
    );
    // The policy blocks what the drawing attempts, even before its harmless parts are copied.
    for message in page.browser.console() {
        assert!(message.contains("Content Security Policy"), "{message}");
    }
    page.is_quiet();
}

/// Saves screenshots of a page in light and dark themes, in a narrow window and on paper, if
/// requested.
#[test]
fn pictures() {
    if kept_pages().is_none() {
        return;
    }
    let Some(page) = open("pictures", &ring()) else {
        return;
    };
    page.run("report.simulatedTime.set(report.data.run.predicted_time_s * 0.4)");
    for (name, width, scheme) in [
        ("light", 1280, "light"),
        ("dark", 1280, "dark"),
        ("narrow", 390, "light"),
        ("chosen-light", 1280, "light"),
        ("chosen-dark", 1280, "dark"),
        // The size of a 1280-pixel window at 200%.
        ("chosen-large", 640, "light"),
    ] {
        if name == "chosen-light" {
            page.run("document.getElementById('timeline').focus()");
            page.browser.press("++s0/halo");
        }
        page.keep_picture(name, width, scheme);
    }
    page.browser.resize(1280, 900);
    let paper = page
        .browser
        .devtools("Page.printToPDF", &json!({ "printBackground": true }));
    keep_file(
        "paper.pdf.base64",
        paper["data"].as_str().unwrap().as_bytes(),
    );
    page.is_quiet();
}

/// Tests that a page without a trace omits what is unknown, without any error.
#[test]
fn a_page_without_a_trace_is_whole() {
    let full = ring();
    let data = Data {
        run: full.run.clone(),
        elements: full.elements.clone(),
        processes: full.processes.clone(),
        ..Data::default()
    };
    let Some(page) = open("untraced", &data) else {
        return;
    };
    let titles = page.run("return [...document.querySelectorAll('h2')].map((h) => h.textContent)");
    assert_eq!(titles, json!(["In short", "Processes", "What was run"]));
    page.is_quiet();
}

/// Opens, draws and pans a million records of ten thousand processes.
#[test]
fn large_runs_open_and_pan() {
    let data = synthetic::data(10_000, 1_000_000);
    let Some(page) = open("large", &data) else {
        return;
    };
    let times = page.browser.run_async(include_str!("pan.js"));
    page.keep_picture("large", 1280, "light");
    eprintln!("10,000 processes, 1 M records, in ms: {times}");
    // The times are for people to read (`-- --nocapture`), because machines differ.
    assert!(
        times["loaded"].is_number() && times["median"].is_number(),
        "{times}"
    );
    page.is_quiet();
}
