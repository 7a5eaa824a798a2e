//! Tests charts: their numbers, controls and keys, and saved files.

use std::path::Path;

use prophet_sweep::page::MarkedPoints;
use prophet_testing::{BrowserPage, PAINTED, assert_starts, keep_file};
use serde_json::{Value, json};

use super::synthetic::{ATOMS, NETWORKS, NODES, grid, time_s};
use super::{ENTER, RIGHT, UP, open};

/// Returns the rows of numbers that a chart shows.
fn numbers(page: &BrowserPage, chart: &str) -> Vec<Vec<Value>> {
    let rows = page.run(&format!("return sweep.read('{chart}').rows"));
    let rows = rows.as_array().expect("a chart has rows");
    rows.iter()
        .map(|row| row.as_array().expect("cells").clone())
        .collect()
}

fn texts(page: &BrowserPage, selector: &str) -> Vec<String> {
    let found = page.run(&format!(
        "return [...document.querySelectorAll('{selector}')].map((it) => it.textContent)"
    ));
    let found = found.as_array().cloned().unwrap_or_default();
    found
        .iter()
        .map(|text| text.as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Returns the times for a network and a number of atoms, by number of nodes and without failed
/// points.
fn times(network: usize, atoms: f64) -> Vec<(f64, f64)> {
    let all = NODES.map(f64::from).into_iter();
    let failed = |nodes: f64| nodes > 200.0 && network == 0 && atoms < 40.0;
    all.filter(|nodes| !failed(*nodes))
        .map(|nodes| (nodes, time_s(nodes, network, atoms)))
        .collect()
}

#[test]
fn curves_are_the_times_of_the_slice() {
    let Some(page) = open("curves", &grid()) else {
        return;
    };
    // The best point has 32 atoms.
    for atoms in [32, 128] {
        if atoms != 32 {
            page.set("at-p2", "2");
        }
        let rows = numbers(&page, "curve-time");
        let mut expected = Vec::new();
        for (network, name) in NETWORKS.iter().enumerate() {
            for (nodes, time) in times(network, f64::from(atoms)) {
                expected.push((name.to_string(), nodes.to_string(), time));
            }
        }
        assert_eq!(rows.len(), expected.len());
        for (row, (name, nodes, time)) in rows.iter().zip(expected) {
            assert_eq!((&row[0], &row[1]), (&json!(name), &json!(nodes)));
            assert_eq!(row[2].as_f64().unwrap().to_bits(), time.to_bits());
        }
    }
    let speedups = numbers(&page, "curve-speedup");
    let efficiencies = numbers(&page, "curve-efficiency");
    let (one, two) = (time_s(1.0, 0, 128.0), time_s(2.0, 0, 128.0));
    assert!((speedups[1][2].as_f64().unwrap() - one / two).abs() < 1e-12);
    assert!((efficiencies[1][2].as_f64().unwrap() - one / two / 2.0).abs() < 1e-12);
    // Without a second parameter, a curve is for its fixed value, or for the mean.
    page.set("curve-by", "");
    page.set("at-p1", "all");
    let rows = numbers(&page, "curve-time");
    let mean = (0..3)
        .map(|network| time_s(4.0, network, 128.0))
        .sum::<f64>()
        / 3.0;
    assert!((rows[2][1].as_f64().unwrap() - mean).abs() < 1e-12);
    assert_eq!(rows[2][3], 3, "three points");
    page.is_quiet();
}

/// Tests that the mark is where T · n^a is smallest, computed independently of the page.
#[test]
fn more_nodes_stop_paying_at_the_mark() {
    let Some(page) = open("stops", &grid()) else {
        return;
    };
    for (share, saved) in [
        ("0.2928932188134524", 0.292_893_218_813_452_4),
        ("0.05", 0.05),
    ] {
        page.set("curve-pays", share);
        let told = texts(&page, ".stops li");
        for (network, name) in NETWORKS.iter().enumerate() {
            let points = times(network, 32.0);
            // Beyond it, no number of nodes saves enough. Below it, some number does.
            let power: f64 = -f64::log2(1.0 - saved);
            let pays =
                |from: (f64, f64), to: (f64, f64)| to.1 < from.1 * (from.0 / to.0).powf(power);
            let stop = points.iter().copied().find(|here| {
                let beyond = points.iter().filter(|to| to.0 > here.0);
                beyond.into_iter().all(|to| !pays(*here, *to))
            });
            let (nodes, _) = stop.expect("the last point");
            let verb = if (nodes - points.last().unwrap().0).abs() < 0.5 {
                format!("more nodes pay up to the largest tried, {nodes} ")
            } else {
                format!("more nodes stop paying at {nodes} ")
            };
            let line = format!("network = {name}: {verb}");
            assert!(told[network].starts_with(&line), "{told:?}: {line}");
        }
    }
    // A speedup over a problem size makes no sense.
    page.set("curve-x", "p2");
    assert_eq!(texts(&page, ".stops li"), Vec::<String>::new());
    let hidden =
        page.run("return document.getElementById('curve-speedup').closest('figure').hidden");
    assert_eq!(hidden, true);
    page.is_quiet();
}

#[test]
fn keys_step_through_the_map() {
    let Some(page) = open("map", &grid()) else {
        return;
    };
    let rows = numbers(&page, "heat-map");
    assert_eq!(rows.len(), NODES.len() * ATOMS.len());
    assert_eq!(rows[9][..2], [json!("1"), json!("64")]);
    assert_eq!(rows[9][2], time_s(1.0, 2, 64.0));
    page.show("heat-map");
    page.run("document.getElementById('heat-map').focus({ preventScroll: true })");
    page.browser.press(&[RIGHT, RIGHT, UP].concat());
    let said = page.run("return document.querySelector('[role=status]').textContent");
    assert_eq!(
        said, "Point 21. nodes 2, nat 64, predicted_time_s 16.06\u{202f}s",
        "one to the right of the first, and one up"
    );
    page.browser.press(ENTER);
    assert_eq!(page.run("return sweep.selectedRow.get()"), 21);
    let cells = page.run("return document.querySelectorAll('#heat-map rect').length");
    assert_eq!(cells, rows.len() + 1, "cells, and the frame around one");
    page.is_quiet();
}

/// Compares the front with all pairs of points.
#[test]
fn no_point_beats_the_front() {
    let Some(page) = open("front", &grid()) else {
        return;
    };
    page.set("front-x", "r2");
    let mut points = Vec::new();
    let mut index = 0;
    for nodes in NODES.map(f64::from) {
        for network in 0..3 {
            for atoms in ATOMS.map(f64::from) {
                let time = time_s(nodes, network, atoms);
                if !(nodes > 200.0 && network == 0 && atoms < 40.0) {
                    points.push((index, time * nodes, time));
                }
                index += 1;
            }
        }
    }
    let mut front: Vec<u64> = Vec::new();
    for (index, cost, time) in &points {
        let beats = |other: &&(u64, f64, f64)| {
            other.1 <= *cost && other.2 <= *time && (other.1 < *cost || other.2 < *time)
        };
        if points.iter().find(beats).is_none() {
            front.push(*index);
        }
    }
    let mut shown: Vec<u64> = numbers(&page, "front-chart")
        .iter()
        .map(|row| row[0].as_u64().unwrap())
        .collect();
    shown.sort_unstable();
    assert_eq!(shown, front);
    assert_eq!(texts(&page, "#front-table tbody th").len(), front.len());
    page.is_quiet();
}

#[expect(clippy::cast_precision_loss, reason = "a count of points")]
#[test]
fn ranges_of_the_mean_are_the_tornado() {
    let Some(page) = open("tornado", &grid()) else {
        return;
    };
    let rows = numbers(&page, "tornado");
    let names: Vec<&Value> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(names, ["nodes", "nat", "network"]);
    let mean = |nodes: f64| {
        let networks = (0..3).filter(|network| nodes < 200.0 || *network > 0);
        let each = networks.flat_map(|network| ATOMS.map(|it| time_s(nodes, network, it.into())));
        each.clone().sum::<f64>() / each.count() as f64
    };
    assert!(
        (rows[0][1].as_f64().unwrap() - mean(64.0)).abs() < 1e-9,
        "{rows:?}"
    );
    assert!(
        (rows[0][3].as_f64().unwrap() - mean(1.0)).abs() < 1e-9,
        "{rows:?}"
    );
    assert_eq!((&rows[0][2], &rows[0][4]), (&json!("64"), &json!("1")));
    let told = numbers(&page, "sensitivity-0");
    assert_eq!(told[2][0], "network");
    assert_eq!(told[2][3], "few messages are sent");
    assert_eq!(
        texts(&page, "#influence ul li"),
        ["network: few messages are sent"]
    );
    page.is_quiet();
}

#[test]
fn a_range_is_brushed_by_mouse_and_by_keys() {
    let Some(page) = open("brush", &grid()) else {
        return;
    };
    page.show("parallel");
    // Drag from the middle of the first axis to above its upper end: 16 nodes and more.
    let at = page.run(
        "const box = document.querySelector('#parallel .brush').getBoundingClientRect(); \
         return [box.left + 12, box.top + box.height / 2 + 4, box.top].map(Math.round)",
    );
    let at = |index: usize| at[index].as_i64().expect("a place");
    page.browser.drag((at(0), at(1)), (at(0), at(2)), "");
    page.browser.run_async(PAINTED);
    let shown = "return sweep.shownRows.get().length";
    assert_eq!(page.run(shown), 5 * 12);
    let filter = "return document.getElementById('filter-p0').value";
    let text = page.run(filter);
    assert!(text.as_str().unwrap().ends_with("..256"), "{text}");
    // The lower end moves up by one value. Axes of texts have handles too.
    page.run("document.getElementById('brush-p0-from').focus()");
    page.browser.press(UP);
    page.browser.run_async(PAINTED);
    assert_eq!(page.run(shown), 4 * 12);
    assert_eq!(page.run(filter), "32..256");
    assert_eq!(
        page.run("return document.activeElement.id"),
        "brush-p0-from"
    );
    page.run("document.getElementById('brush-p1-from').focus()");
    page.browser.press(UP);
    page.browser.run_async(PAINTED);
    assert_eq!(
        page.run("return document.getElementById('filter-p1').value"),
        "=infiniband|=ideal"
    );
    assert_eq!(page.run(shown), 4 * 8);
    // A click on the axis selects all points again.
    page.browser.drag((at(0), at(1)), (at(0), at(1)), "");
    page.browser.run_async(PAINTED);
    assert_eq!(page.run(filter), "");
    page.is_quiet();
}

/// Returns the text of a file after the browser has saved all of it.
fn saved(page: &BrowserPage, folder: &Path, name: &str) -> String {
    String::from_utf8(page.saved(folder, name)).expect("it is text")
}

#[test]
fn charts_are_saved_as_drawings_and_numbers() {
    let mut data = grid();
    data.model = "../jacobi: \u{202e}<32>".to_owned();
    data.table.parameters[1].values[0] = "=cmd|' /C calc'!A0".to_owned();
    let Some(page) = open("exports", &data) else {
        return;
    };
    let folder = tempfile::tempdir().expect("there is room");
    page.browser.save_to(folder.path());
    let charts = page.run("return Object.keys(sweep.plots)");
    let charts = charts.as_array().expect("there are charts");
    assert_eq!(charts.len(), 8, "{charts:?}");
    for chart in charts.iter().map(|chart| chart.as_str().unwrap()) {
        page.show(chart);
        page.browser.click(&format!("#{chart}-svg"));
        let drawing = saved(&page, folder.path(), &format!("_jacobi_32_-{chart}.svg"));
        assert_starts(&drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
        assert!(drawing.contains("fill=\"rgb("), "{chart} has its colors");
        assert!(!drawing.contains("class="), "{chart} needs no style sheet");
        page.browser.click(&format!("#{chart}-csv"));
        let text = saved(&page, folder.path(), &format!("_jacobi_32_-{chart}.csv"));
        assert!(text.lines().count() > 2, "{chart}: {text}");
        keep_file(&format!("{chart}.svg"), drawing.as_bytes());
    }
    page.browser.click("#points-csv");
    let text = saved(&page, folder.path(), "_jacobi_32_-points.csv");
    assert_eq!(text.lines().count(), 109);
    let line = text.lines().nth(1).unwrap();
    assert!(line.starts_with("0,1,'=cmd|' /C calc'!A0,32,"), "{line}");
    page.is_quiet();
}

/// Tests texts of the model, values and reasons that try to be markup, and to escape their quotes.
#[test]
fn text_of_a_sweep_is_only_text() {
    let evil = "<img src=x onerror=alert(1)></script><script>alert(2)</script>";
    let mut data = grid();
    data.model = evil.to_owned();
    data.table.failures[0] = evil.to_owned();
    data.table.measures[1].name = evil.to_owned();
    data.table.parameters[1].name = evil.to_owned();
    data.table.parameters[1].values[2] = "'; rm -rf / #".to_owned();
    data.sensitivity[0].influences[0].reason = evil.to_owned();
    data.notes.push(evil.to_owned());
    data.marked.push(MarkedPoints {
        title: evil.to_owned(),
        about: evil.to_owned(),
        ..MarkedPoints::default()
    });
    let Some(page) = open("hostile", &data) else {
        return;
    };
    assert_eq!(texts(&page, "h1"), [evil]);
    for id in [
        "curve-time",
        "heat-map",
        "front-chart",
        "tornado",
        "parallel",
        "points-table",
    ] {
        page.show(id);
    }
    let foreign = "return document.querySelectorAll('img, script:not(body > script), image, \
                   foreignObject, a[href^=javascript], [onclick], [onload], svg style').length";
    assert_eq!(page.run(foreign), 0);
    let command = page.run("return sweep.commandLine(sweep.selectedRow.get())");
    assert_eq!(
        command,
        "performance-prophet run jacobi.uml --seeds 30 --nodes 256 \
         --network ''\\''; rm -rf / #' nat=32 -- --machine small"
    );
    page.is_quiet();
}
