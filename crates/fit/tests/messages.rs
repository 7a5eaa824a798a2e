//! Messages about files that cannot be read.

use std::fmt::Write as _;
use std::path::PathBuf;

use prophet_fit::measurements::{Choice, parse, read};

/// Checks the messages about texts.
#[track_caller]
fn refused(cases: &[(&str, &str)]) {
    for (text, why) in cases {
        let message = parse("f", text.as_bytes(), &Choice::default()).expect_err(text);
        assert_eq!(message, *why, "{text:?}");
    }
}

#[test]
fn csv_says_what_is_wrong_where() {
    refused(&[
        (
            "",
            "f: it has no rows: begin with a line of names such as `p,time_s`, then one row for \
             each measured value",
        ),
        (
            "p,time\n# Nothing.\n",
            "f:1: the names `p,time` have no row of values below",
        ),
        (
            "1,2\n3,4\n",
            "f:1: the first line has no names; write one above it, such as `p,n,time_s`",
        ),
        ("p,p,time\n1,2,3\n", "f:1: two columns are named `p`"),
        ("p,,time\n1,2,3\n", "f:1: column 2 has no name"),
        (
            "p,note\n1,2\n",
            "f:1: no column is known to be a time: `p`, `note`; write the unit of the measured \
             one, such as `time_s` (`fit` also takes `--metric NAME`)",
        ),
        (
            "p,time\n1,2\n\n1\n",
            "f:4: the row has 1 cells, but the header 2",
        ),
        (
            "p,time\n1,nan\n",
            "f:2: `time` is NaN, which is not a finite number; leave the row out",
        ),
        (
            "p,time\ninf,1\n",
            "f:2: `p` is inf, which is not a finite number; leave the row out",
        ),
        (
            "p,time\n1,\n",
            "f:2: `` in column `time` is not a number; leave the row out",
        ),
        (
            "p,time\n1,12 ms\n",
            "f:2: `12 ms` in column `time` is not a number; write the unit once, in the header, \
             such as `time_ms`",
        ),
        (
            "p;time\n1;1,5\n",
            "f:2: `1,5` in column `time` is not a number; write a point in numbers",
        ),
        (
            "p,compiler,time\n1,gcc,2\n",
            "f:2: `gcc` in column `compiler` is not a number; a column of names is called `region`",
        ),
    ]);
}

#[test]
fn units_are_not_mixed() {
    refused(&[
        (
            "p,time_ms,time_s\n1,2,3\n",
            "f:2: `time_s` is `time_ms` at f:2: the units are mixed; write one of them, or choose \
             one by --metric",
        ),
        (
            "p,metric,value\n1,time_ms,2\n2,time_us,2\n",
            "f:3: `time_us` is `time_ms` at f:2: the units are mixed; write one of them, or choose \
             one by --metric",
        ),
    ]);
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
fn text_says_what_is_wrong_where() {
    refused(&[
        (
            "POINTS 1 2\n",
            "f:1: the points need a line PARAMETER above",
        ),
        (
            "PARAMETER p\nPARAMETER n\nPOINTS (1 2) (3)\n",
            "f:3: the point `3` needs 2 numbers, one a parameter",
        ),
        (
            "PARAMETER p\nPOINTS 1\nDATA 1\nDATA 2\n",
            "f:4: there are more lines of DATA than POINTS, which are 1",
        ),
        (
            "PARAMETER p\nPOINTS 1\nDATA\n",
            "f:3: the line of DATA has no value",
        ),
        (
            "PARAMETER p\nPOINTS 1\nDATA x\n",
            "f:3: `x` is not a number",
        ),
        ("PARAMETER p\nPOINTS 1\n", "f: there is no measured value"),
        (
            "PARAMETER p\nVALUES 1\n",
            "f:2: `VALUES` is not one of PARAMETER, POINTS, REGION, METRIC, DATA",
        ),
    ]);
}

#[test]
fn documents_say_what_is_wrong() {
    refused(&[
        (
            "{}",
            "f: it is JSON, but of no known tool: Google Benchmark's has `benchmarks`, \
             hyperfine's `results`, Criterion's (estimates.json) `mean`, Caliper's (json-split) \
             `data`, \
             Extra-P's lines `params`",
        ),
        (
            "{\n\"a\" 1}",
            "f:2: it is no such JSON: expected `:` (column 5)",
        ),
        (
            "[1]",
            "f:1: it is no such JSON: invalid type: sequence, expected an object of Caliper, \
             Criterion, Google Benchmark or hyperfine (column 0)",
        ),
        (
            r#"{"results": [{"command": "ls", "times": [1e999]}]}"#,
            "f:1: it is no such JSON: number out of range (column 46), where a finite number is \
             needed: leave NaN and infinities out",
        ),
        (
            r#"{"results": [{"command": "ls", "times": [1]}]}"#,
            "f: `ls` has no parameter that is a number; measure with --parameter-scan",
        ),
        (
            r#"{"benchmarks": [{"name": "F/1", "real_time": 1, "time_unit": "days"}]}"#,
            "f: `F/1` has the unit `days`, which is not one of ns, us, ms, s",
        ),
        (
            r#"{"data": [], "columns": ["time", "path"], "threads": "4", "user": "me"}"#,
            "f: its metadata has no number `mpi.world.size`; choose parameters by --parameter, of \
             `threads`",
        ),
        (
            r#"{"data": [], "columns": ["time", "path"], "mpi.world.size": "many"}"#,
            "f: its metadata has no number `mpi.world.size`, nor any other",
        ),
        (
            r#"{"data": [[0, null], [0, 1], [0, "fast"]], "columns": ["path", "time"],
                "column_metadata": [{"is_value": false}, {"is_value": true}],
                "nodes": [{"label": "main"}], "mpi.world.size": 4}"#,
            "f: `fast` of `time` in `main` is not a number",
        ),
        (
            r#"{"data": [], "columns": ["time"], "mpi.world.size": 1}"#,
            "f: it has no column of regions, such as `path`",
        ),
        (
            r#"{"data": [], "columns": ["path"], "mpi.world.size": 1,
                "column_metadata": [{"is_value": false}]}"#,
            "f: no column is a time, but `path`; choose one by --metric",
        ),
    ]);
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
