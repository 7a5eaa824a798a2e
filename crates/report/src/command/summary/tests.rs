use crate::page::{
    CriticalPathData, Element, Imbalance, PathPart, UtilizationData, WhatIf, WhatIfElement,
};
use expect_test::expect_file;
use prophet_text::columns;

use super::*;

fn data() -> Data {
    let mut data = Data {
        elements: ["Work", "A name that is longer than its column"]
            .into_iter()
            .zip([7, 9])
            .map(|(name, id)| Element {
                name: name.to_owned(),
                id: id.to_string(),
                total_s: 2.5,
                ..Element::default()
            })
            .collect(),
        imbalance: Some(Imbalance {
            parallel_efficiency: 0.45,
            load_balance: 0.5,
            communication_efficiency: 0.9,
            ..Imbalance::default()
        }),
        notes: vec![
            "A sentence that has so many words that they do not fit a line of eighty \
                     columns, which is why it is broken."
                .to_owned(),
        ],
        ..Data::default()
    };
    data.run.model = "Pi".to_owned();
    data.run.processes = 2;
    data.run.predicted_time_s = 4.0;
    let part = |element, state, total_s| PathPart {
        element,
        state,
        count: 1,
        total_s,
    };
    data.critical_path = Some(CriticalPathData {
        parts: vec![part(0, 0, 2.5), part(1, 6, 1.0), part(NO_ELEMENT, 3, 0.5)],
        ..CriticalPathData::default()
    });
    let row = |element, gain_s, exact| WhatIfElement {
        element,
        predicted_time_s: 4.0 - gain_s,
        gain_s,
        exact,
    };
    data.what_if = Some(WhatIf::new(0.1, &[row(1, 0.1, false), row(0, 0.25, true)]));
    data.utilization = vec![UtilizationData {
        title: "CPUs".to_owned(),
        steps: 2,
        names: vec!["node 0".to_owned(), "node 1".to_owned()],
        values: vec![0.5, 0.0, 0.5, 1.0].into(),
        ..UtilizationData::default()
    }];
    data
}

fn compared() -> Data {
    let mut faster = data();
    faster.run.processes = 8;
    faster.run.predicted_time_s = 2.0;
    faster.elements.truncate(1);
    crate::command::compare::compare(vec![("a".to_owned(), data()), ("b".to_owned(), faster)])
}

#[test]
fn the_text_is_compact() {
    let text = summary_text(&compared());
    assert!(text.lines().all(|line| columns(line) <= 80));
    expect_file!["golden/the_text_is_compact.txt"].assert_eq(&text);
}

#[test]
fn speed_up_is_over_the_first_run() {
    let mut json = Vec::new();
    for threads in [1, 2] {
        let (mut slower, mut faster) = (data(), data());
        (slower.run.processes, slower.run.threads) = (4, 1);
        (faster.run.processes, faster.run.threads) = (4, threads);
        faster.run.predicted_time_s = slower.run.predicted_time_s / 2.0;
        let runs = vec![("a".to_owned(), slower), ("b".to_owned(), faster)];
        json.push(summary_json(&crate::command::compare::compare(runs)));
    }
    for (json, efficiency) in json.iter().zip([2.0, 1.0]) {
        // `runs compare` shows the same numbers.
        assert_eq!(json["runs"][0]["speed_up"], 1.0);
        assert_eq!(json["runs"][1]["speed_up"], 2.0);
        assert_eq!(json["runs"][1]["efficiency"], efficiency);
    }
}

#[test]
fn the_json_has_all() {
    let json = summary_json(&compared());
    assert_eq!(json["critical_path"][1]["state"], "transfer");
    assert_eq!(json["critical_path"][2]["element"], Value::Null);
    assert_eq!(json["what_if"]["elements"][0]["element"]["id"], 7);
    assert_eq!(json["what_if"]["elements"][1]["exact"], false);
    assert_eq!(json["utilization"][0]["devices"][1]["mean"], 0.75);
    assert_eq!(json["runs"][1]["speed_up"], 2.0);
    assert_eq!(json["runs"][1]["efficiency"], 0.5);
    assert_eq!(json["efficiency"]["parallel"], 0.45);
}
