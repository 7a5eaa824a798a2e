//! Tests measurements in each tool's format.

use std::fmt::Write as _;

use prophet_fit::measurements::{Choice, Point, Series, parse, read};
use prophet_testing::assert_cases;

fn shown(series: &[Series]) -> String {
    let mut text = String::new();
    for it in series {
        let time = match (it.is_time, it.per_seconds) {
            _ if it.is_memory => ", memory".to_owned(),
            (true, _) => ", a time".to_owned(),
            (false, Some(seconds)) => format!(", a rate per {seconds} s,"),
            (false, None) => String::new(),
        };
        let (region, metric, names) = (&it.region, &it.metric, it.parameters.join(", "));
        let _ = writeln!(text, "  {metric}{time} of `{region}` by {names}");
        for point in &it.points {
            let _ = writeln!(text, "    {:?}: {:?}", point.at, point.values);
        }
        for note in &it.notes {
            let _ = writeln!(text, "    {note}");
        }
    }
    text
}

#[test]
fn measurements_are_read_in_the_form_of_each_tool() {
    assert_cases("tests/cases/forms.txt", |case| {
        let input = format!("\n{}\n", case.input);
        let mut files = input.split("\nfile ");
        let head = files.next().unwrap_or_default();
        let files: Vec<(&str, &str)> = files.filter_map(|it| it.split_once('\n')).collect();
        let all = |key: &'static str| head.lines().filter_map(move |it| it.strip_prefix(key));
        let choice = Choice {
            metric: all("metric ").next().map(str::to_owned),
            parameters: { all("parameters ").flat_map(str::split_whitespace) }
                .map(str::to_owned)
                .collect(),
            by: all("by ").map(str::to_owned).collect(),
            ignored: all("ignored ").map(str::to_owned).collect(),
        };
        let changes = all("instead ").filter_map(|it| it.split_once(" => "));
        let texts = [("", "")].into_iter().chain(changes);
        let told = texts.map(|(from, to)| {
            let folder = tempfile::tempdir().expect("a folder can be made");
            let paths = files.iter().map(|(name, text)| {
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
                let text = match from {
                    "" => format!("{text}\n"),
                    from => format!("{}\n", text.replace(from, to)),
                };
                std::fs::write(&path, text).expect("there is room");
                path
            });
            let paths: Vec<_> = paths.collect();
            let read = read(&paths, &choice).map_or_else(
                |told| format!("  {told}\n").replace(&format!("{}/", folder.path().display()), ""),
                |series| shown(&series),
            );
            format!("{to}\n{read}").trim_start_matches('\n').to_owned()
        });
        told.collect()
    });
}

#[test]
fn csv_has_parameters_and_a_time() {
    let text = "\u{feff}# Measured by hand.\r\np,n,time_ms\r\n4,10,8\r\n2,10,16\r\n4,10,12\r\n";
    let read = parse("file", text.as_bytes(), &Choice::default());
    let point = |at: [f64; 2], values: &[f64]| Point {
        at: at.to_vec(),
        values: values.to_vec(),
    };
    let [series] = &read.expect("the text is in a known form")[..] else {
        panic!("there is one series");
    };
    assert_eq!(series.parameters, ["p", "n"]);
    assert!(series.is_time);
    assert_eq!(series.metric, "time_ms");
    let expected = [
        point([2.0, 10.0], &[0.016]),
        point([4.0, 10.0], &[0.008, 0.012]),
    ];
    assert_eq!(series.points, expected);
}
