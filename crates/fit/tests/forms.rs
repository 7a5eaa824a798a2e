//! Measurements in the form of each tool.

use prophet_fit::measurements::{Choice, Point, Series, parse};

fn read(text: &str) -> Vec<Series> {
    parse("file", text.as_bytes(), &Choice::default()).expect("the text is in a known form")
}

fn point(at: &[f64], values: &[f64]) -> Point {
    Point {
        at: at.to_vec(),
        values: values.to_vec(),
    }
}

/// The only series of a text.
#[track_caller]
fn only(text: &str) -> Series {
    let mut series = read(text);
    assert_eq!(series.len(), 1, "{series:?}");
    series.remove(0)
}

#[test]
fn csv_has_parameters_and_a_time() {
    let text = "\u{feff}# Measured by hand.\r\np,n,time_ms\r\n4,10,8\r\n2,10,16\r\n4,10,12\r\n";
    let series = only(text);
    assert_eq!(series.parameters, ["p", "n"]);
    assert!(series.is_time);
    assert_eq!(series.metric, "time_ms");
    let expected = [
        point(&[2.0, 10.0], &[0.016]),
        point(&[4.0, 10.0], &[0.008, 0.012]),
    ];
    assert_eq!(series.points, expected);
}

#[test]
fn csv_may_name_regions_and_count_repetitions() {
    let text = "region;rep;p;time\n\"a; b\";1;2;0.5\nc;1;2;0.25\n\"a; b\";2;2;0.75\n";
    let series = read(text);
    let regions: Vec<&str> = series.iter().map(|it| it.region.as_str()).collect();
    assert_eq!(regions, ["a; b", "c"]);
    assert_eq!(series[0].points, [point(&[2.0], &[0.5, 0.75])]);
}

#[test]
fn csv_may_measure_several_things() {
    let series = read("p\ttime_us\tvalue\n1\t3\t7\n");
    let found: Vec<_> = series.iter().map(|it| (&*it.metric, it.is_time)).collect();
    assert_eq!(found, [("time_us", true), ("value", false)]);
    let long = read("p,metric,value\n1,time,3\n1,energy,7\n");
    assert_eq!(long[1].metric, "energy");
}

#[test]
fn usual_names_of_times_are_known() {
    for name in ["mean", "median", "time", "wall", "elapsed", "seconds", "t"] {
        let series = only(&format!("p,{name},n,stddev\n1,3,2,9\n"));
        assert_eq!((series.metric.as_str(), series.is_time), (name, true));
        assert_eq!(series.parameters, ["p", "n"]);
        assert_eq!(series.points, [point(&[1.0, 2.0], &[3.0])]);
    }
    assert_eq!(only("t,time\n1,3\n").parameters, ["t"]);
}

#[test]
fn a_column_that_no_name_tells_is_chosen() {
    let choice = Choice {
        metric: Some("cost".to_owned()),
        ..Choice::default()
    };
    let series = parse("file", b"p n cost\n1 2 3\n", &choice).expect("the columns are there");
    assert!(!series[0].is_time);
    assert_eq!(series[0].points, [point(&[1.0, 2.0], &[3.0])]);
}

#[test]
fn hyperfine_stores_commands_with_numbers_put_in() {
    let names = "command,mean,stddev,median,user,system,min,max";
    let csv =
        format!("{names},parameter_n\nsum 10*20,2,0,1,1,1,1,1,10\nsum 30*20,4,0,1,1,1,1,1,30\n");
    let json = r#"{"results": [
        {"command": "sum 10*20", "mean": 2, "parameters": {"n": "10"}},
        {"command": "sum 30*20", "mean": 4, "parameters": {"n": "30"}}]}"#;
    let plain = r#"{"results": [{"command": "sum 10*20", "mean": 2},
        {"command": "sum 30*20", "mean": 4}]}"#;
    let plain_csv = format!("{names}\nsum 10*20,2,0,1,1,1,1,1\nsum 30*20,4,0,1,1,1,1,1\n");
    for text in [&csv, json, plain, &plain_csv] {
        let series = only(text);
        assert_eq!(series.region, "sum {n}*20", "{text}");
        assert_eq!(series.parameters, ["n"]);
        assert!(series.is_time);
        let expected = [point(&[10.0], &[2.0]), point(&[30.0], &[4.0])];
        assert_eq!(series.points, expected);
    }
}

#[test]
fn a_choice_tells_parameters_and_metric() {
    let choice = Choice {
        parameters: vec!["n".to_owned()],
        metric: Some("joules".to_owned()),
    };
    let text = "p,n,joules,time\n1,2,3,4\n";
    let series = parse("file", text.as_bytes(), &choice).expect("the columns are there");
    assert_eq!(series[0].parameters, ["n"]);
    assert_eq!(series[0].points, [point(&[2.0], &[3.0])]);
    assert_eq!(series.len(), 1);
}

#[test]
fn json_lines_keep_the_order_of_parameters() {
    let text = r#"{"params": {"p": 4, "n": 100}, "callpath": "main", "metric": "time", "value": 1.5}
{"params": {"n": 100, "p": 2}, "callpath": "main", "metric": "time", "value": 2}
{"params": {"p": 2, "n": 100}, "value": 3}
"#;
    let series = read(text);
    assert_eq!(series[0].parameters, ["p", "n"]);
    let expected = [point(&[2.0, 100.0], &[2.0]), point(&[4.0, 100.0], &[1.5])];
    assert_eq!(series[0].points, expected);
    assert_eq!(
        (series[1].region.as_str(), series[1].metric.as_str()),
        ("", "time")
    );
}

#[test]
fn extra_p_text_lists_points_and_data() {
    let text = "PARAMETER p\nPARAMETER n\nPOINTS (2 10) (4 10)\nPOINTS ( 4 20 )\n\nREGION main\n\
                METRIC time\nDATA 1 2\nDATA 3 4\nDATA 5 6\nMETRIC visits\nDATA 7\n";
    let series = read(text);
    assert_eq!(series[0].region, "main");
    let expected = [
        point(&[2.0, 10.0], &[1.0, 2.0]),
        point(&[4.0, 10.0], &[3.0, 4.0]),
        point(&[4.0, 20.0], &[5.0, 6.0]),
    ];
    assert_eq!(series[0].points, expected);
    assert_eq!(
        (series[1].metric.as_str(), series[1].points.len()),
        ("visits", 1)
    );
    let one = only("PARAMETER p\nPOINTS 1 2\nDATA 3\nDATA 4\n");
    assert_eq!(one.points, [point(&[1.0], &[3.0]), point(&[2.0], &[4.0])]);
}

#[test]
fn google_benchmark_has_arguments_in_names() {
    let text = r#"{"context": {"host_name": "here", "caches": []}, "benchmarks": [
        {"name": "BM_Sort/64", "run_name": "BM_Sort/64", "run_type": "iteration",
         "iterations": 10, "real_time": 2, "cpu_time": 1, "time_unit": "us"},
        {"name": "BM_Sort/64", "run_name": "BM_Sort/64", "run_type": "iteration",
         "iterations": 10, "real_time": 3, "cpu_time": 1, "time_unit": "us"},
        {"name": "BM_Sort/64_mean", "run_name": "BM_Sort/64", "run_type": "aggregate",
         "aggregate_name": "mean", "real_time": 2.5, "cpu_time": 1, "time_unit": "us"},
        {"name": "BM_Sort/128", "run_type": "iteration", "error_occurred": true}]}"#;
    let series = read(text);
    assert_eq!(
        (series[0].region.as_str(), series[0].metric.as_str()),
        ("BM_Sort", "real_time")
    );
    assert_eq!(series[0].parameters, ["n"]);
    assert_eq!(series[0].points.len(), 1);
    let values = &series[0].points[0].values;
    assert!((values[0] - 2e-6).abs() < 1e-18 && (values[1] - 3e-6).abs() < 1e-18);
    assert_eq!(series[1].metric, "cpu_time");
}

#[test]
fn google_benchmark_may_have_medians_alone() {
    let text = r#"{"benchmarks": [
        {"name": "F/8_mean", "run_name": "F/8", "run_type": "aggregate",
         "aggregate_name": "mean", "real_time": 5, "time_unit": "s"},
        {"name": "F/8_median", "run_name": "F/8", "run_type": "aggregate",
         "aggregate_name": "median", "real_time": 4, "time_unit": "s"}]}"#;
    assert_eq!(only(text).points, [point(&[8.0], &[4.0])]);
}

#[test]
fn hyperfine_has_parameters_beside_commands() {
    let text = r#"{"results": [
        {"command": "sort -n 10 file2", "mean": 9, "times": [0.5, 0.25], "parameters": {"n": "10"}},
        {"command": "sort -n 20 file2", "mean": 0.125, "parameters": {"n": "20"}}]}"#;
    let series = only(text);
    assert_eq!(series.region, "sort -n {n} file2");
    assert_eq!(
        series.points,
        [point(&[10.0], &[0.5, 0.25]), point(&[20.0], &[0.125])]
    );
}

#[test]
fn caliper_has_regions_in_regions() {
    let text = |processes: u32, seconds: f64| {
        format!(
            r#"{{"data": [[{seconds}, 1, 0], [0.5, 0, 0], [9, null, 0]],
            "columns": ["time", "path", "mpi.rank"],
            "column_metadata": [{{"is_value": true, "attribute.unit": "sec"}},
                {{"is_value": false}}, {{"is_value": true}}],
            "nodes": [{{"label": "main", "column": "path"}},
                {{"label": "solve", "column": "path", "parent": 0}}],
            "mpi.world.size": "{processes}", "problem_size": 30}}"#
        )
    };
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files = [(2, 4.0), (1, 8.0)].map(|(processes, seconds)| {
        let path = folder.path().join(format!("{processes}.json"));
        std::fs::write(&path, text(processes, seconds)).expect("a file can be written");
        path
    });
    let series =
        prophet_fit::measurements::read(&files, &Choice::default()).expect("both are read");
    assert_eq!(series[0].region, "main/solve");
    assert_eq!(series[0].parameters, ["mpi.world.size"]);
    assert_eq!(
        series[0].points,
        [point(&[1.0], &[8.0]), point(&[2.0], &[4.0])]
    );
    assert_eq!(
        series[1].points,
        [point(&[1.0], &[0.5]), point(&[2.0], &[0.5])]
    );
    assert_eq!(series.len(), 2);
    let choice = Choice {
        parameters: vec!["problem_size".to_owned()],
        metric: None,
    };
    let series = parse("file", text(2, 4.0).as_bytes(), &choice).expect("it is there");
    assert_eq!(series[0].points, [point(&[30.0], &[4.0])]);
}

/// A profile of Caliper: `main/solve/MPI_Send` within a region, with a count and a hidden value.
fn cali(processes: u32, seconds: f64) -> String {
    format!(
        "__rec=node,id=14,attr=8,data=attribute.unit,parent=3
__rec=node,id=20,attr=14,data=sec,parent=5
__rec=node,id=21,attr=10,data=65,parent=20
__rec=node,id=22,attr=8,data=avg#inclusive#sum#time.duration.ns,parent=21
__rec=node,id=23,attr=10,data=193,parent=5
__rec=node,id=24,attr=8,data=avg.count#inclusive#sum#time.duration,parent=23
__rec=node,id=25,attr=10,data=65,parent=2
__rec=node,id=26,attr=8,data=calls,parent=25
__rec=node,id=31,attr=10,data=268,parent=3
__rec=node,id=32,attr=8,data=function,parent=31
__rec=node,id=38,attr=8,data=mpi.function,parent=31
__rec=node,id=33,attr=32,data=main
__rec=node,id=40,attr=32,data=solve\\=a\\,b,parent=33
__rec=node,id=41,attr=38,data=MPI_Send,parent=40
__rec=node,id=15,attr=8,data=channel,parent=3
__rec=node,id=80,attr=15,data=regionprofile
__rec=ctx,ref=80,attr=22,data=7
__rec=ctx,ref=80=33,attr=22=24=26,data={seconds}=9=3
__rec=ctx,ref=41,attr=22=26,data=0.5=4
__rec=node,id=16,attr=10,data=1612,parent=1
__rec=node,id=17,attr=8,data=mpi.world.size,parent=16
__rec=node,id=18,attr=8,data=problem_size,parent=16
__rec=node,id=50,attr=17,data={processes}
__rec=node,id=51,attr=18,data=30,parent=50
__rec=globals,ref=51
"
    )
}

#[test]
fn calipers_own_files_are_a_set() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files = [(2, 4.0), (1, 8.0)].map(|(processes, seconds)| {
        let path = folder.path().join(format!("{processes}.cali"));
        std::fs::write(&path, cali(processes, seconds)).expect("a file can be written");
        path
    });
    let series =
        prophet_fit::measurements::read(&files, &Choice::default()).expect("both are read");
    let found: Vec<(&str, &str)> = series
        .iter()
        .map(|it| (it.region.as_str(), it.metric.as_str()))
        .collect();
    let metric = "avg#inclusive#sum#time.duration.ns";
    assert_eq!(
        found,
        [("main", metric), ("main/solve=a,b/MPI_Send", metric)]
    );
    assert_eq!(series[0].parameters, ["mpi.world.size"]);
    assert_eq!(
        series[0].points,
        [point(&[1.0], &[8.0]), point(&[2.0], &[4.0])]
    );
    assert!(series[0].is_time);
    let choice = Choice {
        parameters: vec!["problem_size".to_owned()],
        metric: Some("calls".to_owned()),
    };
    let series = parse("file", cali(2, 4.0).as_bytes(), &choice).expect("it is there");
    assert_eq!(series[0].points, [point(&[30.0], &[3.0])]);
    assert_eq!(series[1].points, [point(&[30.0], &[4.0])]);
}

#[test]
fn broken_files_of_caliper_are_refused_with_their_line() {
    let whole = cali(2, 4.0);
    let cases = [
        (
            "ref=41",
            "ref=99",
            "file:19: no record before has the node 99",
        ),
        (
            "parent=40",
            "parent=99",
            "file:14: no record before has the node 99",
        ),
        (
            "data=0.5=4",
            "data=x=4",
            "file:19: `x` of `avg#inclusive#sum#time.duration.ns` in",
        ),
        (
            "__rec=globals",
            "__rec=other",
            "file:25: `other` is no record of Caliper",
        ),
        ("id=51", "id=x", "file:24: `x` is no number of a node"),
        (
            "mpi.world.size",
            "other",
            "file: its metadata has no number `mpi.world.size`",
        ),
    ];
    for (old, new, why) in cases {
        let text = whole.replace(old, new);
        let told = parse("file", text.as_bytes(), &Choice::default()).expect_err(why);
        assert!(told.starts_with(why), "{told}");
    }
}

#[test]
fn criterion_names_benchmarks_by_folders_and_columns() {
    let estimates = r#"{"mean": {"confidence_interval": {"confidence_level": 0.95,
        "lower_bound": 1.0, "upper_bound": 3.0}, "point_estimate": 2500.0, "standard_error": 1.0},
        "median": {"point_estimate": 2000.0, "standard_error": 1.0}, "slope": null}"#;
    let of = |name: &str, metric: Option<&str>| {
        let choice = Choice {
            metric: metric.map(str::to_owned),
            ..Choice::default()
        };
        parse(name, estimates.as_bytes(), &choice)
    };
    let name = "target/criterion/sort/quick/1024/new/estimates.json";
    let series = of(name, None).expect("it is known");
    assert_eq!(series[0].region, "sort/quick");
    assert_eq!(series[0].parameters, ["n"]);
    assert!((series[0].points[0].values[0] - 2.5e-6).abs() < 1e-18);
    let series = of(name, Some("median")).expect("it is known");
    assert!((series[0].points[0].values[0] - 2e-6).abs() < 1e-18);
    let told = of("target/criterion/sort/1024/change/estimates.json", None).unwrap_err();
    assert!(
        told.contains("it has changes from one run to another"),
        "{told}"
    );
    let told = of("estimates.json", None).unwrap_err();
    assert!(told.contains("is named after its folder"), "{told}");

    let raw = "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,\
               iteration_count\nsort,quick,8,,,6000.0,ns,3\nsort,quick,8,,,8000.0,ns,2\n";
    let series = only(raw);
    assert_eq!((&*series.region, series.is_time), ("sort/quick", true));
    assert_eq!(series.points.len(), 1);
    assert!(
        (series.points[0].values[1] - 4e-6).abs() < 1e-18,
        "{series:?}"
    );
}
