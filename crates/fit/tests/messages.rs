//! Tests messages about files that can't be read.

use std::fmt::Write as _;
use std::path::PathBuf;

use prophet_fit::measurements::{Choice, parse, read};
use prophet_testing::{assert_cases, assert_says, assert_starts};

fn refused(text: &str) -> String {
    let read = parse("f", text.as_bytes(), &Choice::default());
    read.expect_err("it is wrong").to_string()
}

#[test]
fn texts_say_what_is_wrong_where() {
    assert_cases("tests/cases/measurements.txt", |case| {
        let text = match case.input {
            "" => String::new(),
            lines => format!("{lines}\n"),
        };
        refused(&text)
    });
}

#[test]
fn what_is_no_text_file_is_told() {
    let choice = Choice::default();
    let told = parse("f", b"p,time\n1,\xff\n", &choice).expect_err("it is not text");
    assert_eq!(told, "f:2: it is not UTF-8 text");
    let told = parse("f", b"PK\x03\x04 \xff", &choice).expect_err("it is an archive");
    assert_starts(
        &told.to_string(),
        "f: it is an archive, as written by Extra-P or Score-P (CUBE)",
    );
    let estimates =
        br#"{"mean": {"point_estimate": 2500.0}, "median": {"point_estimate": 2000.0}}"#;
    let told = parse("estimates.json", estimates, &choice).expect_err("it is in no folder");
    assert_says(&told, &["names an estimate by its folder"]);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let told = read(&[folder.path().to_owned()], &choice).expect_err("it is a folder");
    let shown = folder.path().display();
    assert_eq!(told, &*format!("cannot read {shown}: it is a folder"));
    let told = read(&[PathBuf::from("no-such-file")], &choice).expect_err("it is missing");
    assert_starts(&told.to_string(), "cannot read no-such-file: ");
}

#[test]
fn a_million_values_are_read_and_not_more() {
    let mut text = "p,time\n".to_owned();
    for index in 0..1_000_000 {
        writeln!(text, "{},{index}", index % 100).expect("text can always grow");
    }
    let series = parse("f", text.as_bytes(), &Choice::default()).expect("a million are read");
    assert_eq!(series[0].points.len(), 100);
    let values: usize = series[0].points.iter().map(|it| it.values.len()).sum();
    assert_eq!(values, 1_000_000);
    text.push_str("1,2\n");
    let told = refused(&text);
    assert_eq!(
        told,
        "f:1000002: more than 1000000 values are not supported; keep fewer repetitions"
    );
}

#[test]
fn regions_and_parameters_are_limited() {
    let mut text = "region,p,time\n".to_owned();
    for index in 0..=10_000 {
        writeln!(text, "r{index},1,1").expect("text can always grow");
    }
    let told = refused(&text);
    assert_eq!(
        told,
        "f:10002: more than 10000 regions and metrics are not supported"
    );
    let names: Vec<String> = (0..17).map(|it| format!("p{it}")).collect();
    let text = format!("{},time\n{}1\n", names.join(","), "1,".repeat(17));
    let told = refused(&text);
    assert_eq!(told, "f:2: 17 parameters are too many; choose at most 16");
}
