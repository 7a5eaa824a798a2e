use expect_test::expect_file;
use prophet_page::base64;
use sha2::{Digest, Sha256};

use super::*;
use crate::evaluate::{METRICS, PointResults, SweepRow};
use crate::space::AxisValue;

/// Returns a sweep over nodes and a text, with `points` points and decreasing times.
fn filled(points: u64) -> Table {
    let mut rows = empty(points);
    for index in 0..points {
        push(&mut rows, index);
    }
    rows.finish()
}

fn empty(points: u64) -> PageRows {
    let parameters = vec![
        Parameter::new("nodes", "--nodes ").resource(),
        Parameter::new("latency", "--network.latency "),
        Parameter::new("mapping", "--mapping "),
    ];
    let measures = vec![
        Measure::new("time_s", "s"),
        Measure::new("share", "").better_if_more(),
    ];
    PageRows::new(points, parameters, measures)
}

/// Tests that points found by goals are included once, however many points there are.
#[test]
fn points_that_are_kept_are_in_the_part() {
    let points = 1_000_000;
    let mut rows = empty(points);
    let wanted: Vec<u64> = (0..100).map(|place| 7_777 * place + 1).collect();
    for &index in &wanted {
        let (row, means) = at(index);
        rows.keep(&row, &means);
    }
    for index in 0..points {
        push(&mut rows, index);
    }
    let table = rows.finish();
    assert_eq!(table.points, points);
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let is_there = |&&index: &&u64| table.index.contains(&(index as f64));
    assert_eq!(wanted.iter().filter(is_there).count(), wanted.len());
    assert!(table.index.windows(2).all(|pair| pair[0] < pair[1]));
}

fn push(rows: &mut PageRows, index: u64) {
    let (row, means) = at(index);
    rows.push(&row, &means);
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn at(index: u64) -> (SweepRow, Vec<f64>) {
    let nodes = (64 - index % 64).to_string();
    let latency = format!("{}us", 1 + index % 3);
    let mapping = ["block", "cyclic"][usize::from(index % 2 == 1)];
    let values = [nodes.as_str(), latency.as_str(), mapping];
    if index % 1000 == 7 {
        return (row(index, &values, Err("deadlock".to_owned())), Vec::new());
    }
    let time_s = 1.0 + 1e-9 * index.abs_diff(123_456) as f64;
    (row(index, &values, Ok(FOUND)), vec![time_s, 1.0 / time_s])
}

/// Results with one seed. Pages take their means from elsewhere.
const FOUND: PointResults = PointResults {
    metrics: [f64::NAN; METRICS.len()],
    half_width_s: f64::NAN,
    seeds: 1,
};

fn row(index: u64, values: &[&str], found: Result<PointResults, String>) -> SweepRow {
    SweepRow {
        index,
        values: values.iter().map(|text| AxisValue::read(text)).collect(),
        found,
    }
}

#[test]
fn the_policy_names_what_is_in_the_page() {
    let policy = PAGE.policy_with(|text| base64(&Sha256::digest(text)));
    expect_file!["policy.txt"].assert_eq(&policy);
}

#[test]
fn nothing_in_the_page_points_elsewhere() {
    let html = render(&PageData::default());
    let links = html.matches("://").count();
    let namespaces = html.matches("http://www.w3.org/2000/svg").count();
    assert_eq!(links, namespaces, "namespaces are the only addresses");
    for word in [
        "innerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "Function(",
    ] {
        assert!(!html.contains(word), "{word}");
    }
}

#[test]
fn values_ascend_if_they_are_numbers_of_one_unit() {
    let table = filled(6);
    let [nodes, latency, mapping] = table.parameters.try_into().unwrap();
    assert_eq!(nodes.values, ["59", "60", "61", "62", "63", "64"]);
    assert_eq!(nodes.place, [5, 4, 3, 2, 1, 0]);
    assert_eq!((latency.unit.as_str(), latency.is_numeric), ("us", true));
    assert_eq!(latency.values, ["1us", "2us", "3us"]);
    assert_eq!(mapping.values, ["block", "cyclic"]);
    assert!(!mapping.is_numeric && mapping.unit.is_empty());
    // If units differ, numbers are texts.
    let mut rows = PageRows::new(2, vec![Parameter::new("p", "p=")], Vec::new());
    for (index, text) in [(0, "5us"), (1, "5ms")] {
        rows.push(&row(index, &[text], Ok(FOUND)), &[]);
    }
    let parameter = &rows.finish().parameters[0];
    assert!(!parameter.is_numeric);
    assert_eq!(parameter.values, ["5us", "5ms"]);
}

#[test]
fn failures_are_counted_and_told_once() {
    let table = filled(3000);
    assert_eq!((table.points, table.failed), (3000, 3));
    assert_eq!(table.failures, ["deadlock"]);
    assert_eq!(table.failure[7], 1);
    assert_eq!(table.failure[8], 0);
    assert!(table.measures[0].mean[7].is_nan());
    assert!(
        table.measures[0].half_width.is_empty(),
        "no point has several seeds"
    );
}

/// Tests the kept part of a sweep that is too large: it is limited and random, and includes the
/// best points.
#[test]
fn many_points_are_a_part() {
    let points = 1_000_000;
    let table = filled(points);
    assert_eq!(table.points, points);
    let kept = table.index.len();
    let room = usize::try_from(CELLS_MAX).unwrap() / 8;
    assert!(kept.abs_diff(room) < room / 100, "{kept} of {room}");
    for column in [
        table.measures[0].mean.len(),
        table.parameters[0].place.len(),
        table.failure.len(),
    ] {
        assert_eq!(column, kept);
    }
    assert!(table.index.contains(&123_456.0), "the best point is there");
    assert!(
        table.index.windows(2).all(|pair| pair[0] < pair[1]),
        "once each, in order"
    );
    for place in 0..64 {
        let count = table.parameters[0]
            .place
            .iter()
            .filter(|it| **it == place)
            .count();
        assert!(
            count.abs_diff(kept / 64) < kept / 640,
            "value {place}: {count}"
        );
    }
    let bytes = render(&PageData {
        table,
        ..PageData::default()
    });
    assert!(bytes.len() < 24 << 20, "{} bytes", bytes.len());
}

#[test]
fn the_same_points_make_the_same_page() {
    let page = |order: &mut dyn Iterator<Item = u64>| {
        let mut rows = PageRows::new(
            4,
            vec![
                Parameter::new("nodes", ""),
                Parameter::new("l", ""),
                Parameter::new("m", ""),
            ],
            vec![Measure::new("time_s", "s"), Measure::new("share", "")],
        );
        order.for_each(|index| push(&mut rows, index));
        render(&PageData {
            table: rows.finish(),
            ..PageData::default()
        })
    };
    assert_eq!(page(&mut (0..4)), page(&mut (0..4)));
}
