//! Messages about files that cannot be read.

use std::fmt::Write as _;
use std::path::PathBuf;

use prophet_fit::measurements::{Choice, parse, read};
use prophet_testing::assert_cases;

#[test]
fn texts_say_what_is_wrong_where() {
    assert_cases("tests/cases/measurements.txt", |case| {
        let text = match case.input {
            "" => String::new(),
            lines => format!("{lines}\n"),
        };
        parse("f", text.as_bytes(), &Choice::default()).expect_err("it is wrong")
    });
}

#[test]
fn lines_say_what_is_wrong_where() {
    let form = r#"{"params": {"p": 4}, "callpath": "main", "metric": "time", "value": 1.5}"#;
    let good = r#"{"params": {"p": 4}, "value": 1}"#;
    let told = |line: &str| {
        let text = format!("{good}\n{line}\n");
        parse("f", text.as_bytes(), &Choice::default()).expect_err(line)
    };
    let cases = [
        (
            r#"{"params": {"p": 4}, "value": NaN}"#,
            format!(
                "f:2: expected value (column 31), where a finite number is needed: leave NaN and \
                 infinities out; a line is {form}"
            ),
        ),
        (
            r#"{"params": {"p": "x"}, "value": 1}"#,
            format!("f:2: invalid type: string \"x\", expected f64 (column 20); a line is {form}"),
        ),
        (
            r#"{"params": {"p": 4}}"#,
            format!("f:2: missing field `value` (column 20); a line is {form}"),
        ),
        (
            r#"{"params": {"q": 4}, "value": 1}"#,
            "f:2: the parameters are `q`, but `p` at f:1: each row of `time` needs the same"
                .to_owned(),
        ),
    ];
    for (line, why) in cases {
        assert_eq!(told(line), why);
    }
}

#[test]
fn choices_that_are_not_there_are_told() {
    let told = |parameter: &[&str], metric: Option<&str>, text: &str| {
        let choice = Choice {
            parameters: parameter.iter().map(|it| (*it).to_owned()).collect(),
            metric: metric.map(str::to_owned),
        };
        parse("f", text.as_bytes(), &choice).expect_err("it is not there")
    };
    let text = "p,time\n1,2\n";
    assert_eq!(
        told(&["q"], None, text),
        "f:1: there is no column `q`, but `p`, `time`"
    );
    assert_eq!(
        told(&[], Some("x"), text),
        "f:1: there is no column `x`, but `p`, `time`"
    );
    let line = r#"{"params": {"p": 4}, "value": 1}"#;
    assert_eq!(
        told(&["q"], None, line),
        "f:1: there is no parameter `q`, but `p`"
    );
    assert_eq!(
        told(&[], Some("x"), line),
        "f: there is no value of a metric `x`"
    );
}

#[test]
fn what_is_no_text_file_is_told() {
    let choice = Choice::default();
    let told = parse("f", b"p,time\n1,\xff\n", &choice).expect_err("it is not text");
    assert_eq!(told, "f:2: it is not text in UTF-8");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let told = read(&[folder.path().to_owned()], &choice).expect_err("it is a folder");
    let shown = folder.path().display();
    assert_eq!(
        told,
        format!("{shown}: it is a folder; name the files in it")
    );
    let told = read(&[PathBuf::from("no-such-file")], &choice).expect_err("it is missing");
    assert!(
        told.starts_with("no-such-file: it cannot be read: "),
        "{told}"
    );
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
    let told = parse("f", text.as_bytes(), &Choice::default()).expect_err("one is too many");
    assert_eq!(
        told,
        "f:1000002: more than 1000000 values are not read; keep fewer repetitions"
    );
}

#[test]
fn regions_and_parameters_are_limited() {
    let mut text = "region,p,time\n".to_owned();
    for index in 0..=10_000 {
        writeln!(text, "r{index},1,1").expect("text can always grow");
    }
    let told = parse("f", text.as_bytes(), &Choice::default()).expect_err("they are too many");
    assert_eq!(
        told,
        "f:10002: more than 10000 regions and metrics are not read"
    );
    let names: Vec<String> = (0..17).map(|it| format!("p{it}")).collect();
    let text = format!("{},time\n{}1\n", names.join(","), "1,".repeat(17));
    let told = parse("f", text.as_bytes(), &Choice::default()).expect_err("they are too many");
    assert_eq!(told, "f:2: 17 parameters are too many; choose at most 16");
}
