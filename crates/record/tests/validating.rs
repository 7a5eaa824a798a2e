//! Compares predictions with recordings, by function of the program.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_import::Recording;
use prophet_testing::stderr;

use crate::learning::recordings_of;
use crate::programs::{compiled, folder, record};

/// A model of `wavefront`. Its processes compute for 2 s in `sweep`, and for 1 s outside it with
/// the recording's parameter.
const MODEL: &str = r#"<model xmlns="http:///schemas/prophet/model/1" name="m" main="Main">
  <parameter name="n" type="long" value="7"/>
  <activity name="Main">
    <call name="A" stereotype="activity+" activity="sweep_2"/>
    <action name="B" stereotype="action+" cost="n / 40.0"/>
    <final/>
  </activity>
  <activity name="sweep_2">
    <action name="C" stereotype="action+" cost="2"/>
    <action name="D" stereotype="barrier"/>
    <final/>
  </activity>
</model>
"#;

fn recording(folder: &Path) -> PathBuf {
    let program = compiled(folder, "wavefront");
    recordings_of(&program, &[2], &["40", "2"]).remove(0)
}

/// Compares a model with the recording. Returns the exit code, output and notes.
fn validated(folder: &Path, model: &str, flags: &[&str]) -> (Option<i32>, String, String) {
    fs::write(folder.join("m.prophet.xml"), model).expect("there is room");
    let mut command = record(folder);
    let words = ["validate", "m.prophet.xml", "--recording", "wavefront.2"];
    let output = command.args(words).args(flags).output();
    let output = output.expect("the command starts");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), printed, stderr(&output))
}

#[test]
fn predicted_times_are_beside_recorded_ones() {
    let Some(folder) = folder() else { return };
    let out = recording(folder.path());
    let validate = |model: &str, flags: &[&str]| validated(folder.path(), model, flags);
    let (code, printed, told) = validate(MODEL, &["--json"]);
    assert_eq!(code, Some(0));
    let note = "note: predicted for the recording: --processes=2 --nodes=2 --set=n=40\n";
    assert_eq!(told, note);
    let result: serde_json::Value = serde_json::from_str(&printed).expect("a result");
    let regions = result["regions"].as_array().expect("a list");
    let names: Vec<_> = regions.iter().map(|it| it["name"].as_str()).collect();
    assert_eq!(names, [Some("sweep"), Some("Main")], "the largest first");
    let of = |side: &str, part: &str| -> Vec<f64> {
        let times = regions.iter().map(|it| it[side][part].as_f64());
        times.map(|it| it.expect("a time")).collect()
    };
    assert_eq!(of("predicted", "computing_s"), [2.0, 1.0]);
    let calls_s = of("predicted", "calls_s");
    assert!(
        (calls_s[0] - 1e-6).abs() < 1e-12 && calls_s[1] == 0.0,
        "{printed}"
    );
    let recording = Recording::open(&out).expect("a recording");
    let all_ns: u64 = recording.ranks().iter().map(|it| it.computing_ns).sum();
    #[expect(clippy::cast_precision_loss, reason = "it is a duration")]
    let mean_s = all_ns as f64 * 1e-9 / 2.0;
    let recorded_s: f64 = of("recorded", "computing_s").iter().sum();
    assert!((recorded_s - mean_s).abs() < 1e-12, "{printed}");
    let calls_s = of("recorded", "calls_s");
    assert!(calls_s[0] > 0.0 && calls_s[1] > 0.0, "{printed}");

    let (_, printed, _) = validate(MODEL, &["--", "--nodes", "2"]);
    for part in [
        "Predicted 3.000 s, recorded ",
        "\nRegion  Computing",
        "\nsweep     2.000 s",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

#[test]
fn a_recording_has_the_flags_that_are_not_given() {
    let Some(folder) = folder() else { return };
    recording(folder.path());
    let validate = |model: &str, flags: &[&str]| validated(folder.path(), model, flags);
    for (flags, told) in [
        ("--nodes 1", "--processes=2 --cpus-per-node=2 --set=n=40"),
        ("--cpus-per-node=2 --n 80", "--processes=2 --nodes=1"),
        ("--processes 2 --set n=80", ""),
        ("--set=n=80 --machine pti-cluster", "--processes=2"),
    ] {
        let given: Vec<_> = ["--"].into_iter().chain(flags.split(' ')).collect();
        let (code, _, notes) = validate(MODEL, &given);
        let note = notes
            .lines()
            .find(|it| it.starts_with("note: predicted for"));
        let note = note.and_then(|it| it.split_once("recording: "));
        assert_eq!(
            (code, note.map_or("", |it| it.1)),
            (Some(0), told),
            "{notes}"
        );
    }
    let other = MODEL.replace("sweep", "relax");
    for (model, processes, told) in [
        (
            MODEL,
            "3",
            "wavefront.2 has 2 ranks, but the prediction has 3 processes: predict for",
        ),
        (
            &other,
            "2",
            "no region in common: name activities after the program's functions (sweep)",
        ),
    ] {
        let (code, printed, error) = validate(model, &["--", "--processes", processes]);
        assert_eq!((code, printed.as_str()), (Some(1), ""), "{error}");
        assert!(error.contains(told), "{error}");
    }
}
