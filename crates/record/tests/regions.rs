//! Tests regions that a program marks, and OpenMP parallel regions.

use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_import::Recording;
use prophet_testing::{assert_says, stderr, succeeded};

use crate::errors::survives_changes;
use crate::learning::{learned, recordings_of};
use crate::programs::{folder, record, recorded, source};

pub(crate) fn made(folder: &Path, name: &str, source_name: &str, flags: &[&str]) -> PathBuf {
    let made = folder.join(name);
    let mut compiler = Command::new("mpicc");
    compiler.current_dir(folder).args(["-O1", "-g", "-o", name]);
    succeeded(compiler.arg(source(source_name)).args(flags));
    made
}

#[test]
fn regions_that_a_program_marks_are_recorded_and_learned() {
    let Some(folder) = folder() else { return };
    let library = ["-DLIBRARY", "-shared", "-fPIC"];
    made(folder.path(), "libcaliper.so", "regions.c", &library);
    let linked = ["libcaliper.so", "-Wl,-rpath,$ORIGIN"];
    let program = made(folder.path(), "regions", "regions.c", &linked);
    for ranks in [2, 4] {
        let out = folder.path().join(format!("regions.{ranks}"));
        let words = [program.to_str().expect("a name")];
        let output = recorded(folder.path(), &out, ranks, &words);
        let told = stderr(&output);
        assert!(output.status.success(), "{told}");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_says(&printed, &["25 calls\n"]);
        assert!(told.contains("\nregion    relax: "), "{told}");

        let recording = Recording::open(&out).expect("a recording");
        let rank = &recording.ranks()[1];
        let times: Vec<_> = { rank.regions.iter() }
            .map(|(name, region)| (name.as_str(), region.times))
            .collect();
        let expected = [
            ("relax", 5),
            ("setup", 1),
            ("stale", 1),
            ("start", 1),
            ("steps", 1),
        ];
        assert_eq!(times, [&expected[..], &[("sum", 5)]].concat());
        let (relax, sum) = (&rank.regions["relax"], &rank.regions["sum"]);
        assert!(relax.computing_ns > sum.computing_ns && relax.calls_ns == 0);
        assert!(sum.calls_ns > 0 && rank.regions["steps"].calls_ns > 0);
        let within: u64 = rank.regions.values().map(|it| it.computing_ns).sum();
        assert!(within <= rank.computing_ns, "{rank:?}");
        let mut places: Vec<_> = rank.sites.iter().map(|it| it.region.as_str()).collect();
        places.retain(|it| !it.is_empty());
        assert_eq!(places, ["setup", "sum", "steps"]);
    }

    let mut command = record(folder.path());
    let words = ["learn", "regions.2", "regions.4", "--out", "learned.uml"];
    succeeded(command.args(words));
    let model = folder.path().join("learned.uml");
    let text = std::fs::read_to_string(model).expect("the model");
    for name in ["setup", "steps", "sum"] {
        assert!(
            text.to_lowercase().contains(&format!("name=\"{name}\"")),
            "{name}: {text}"
        );
    }
    survives_changes(&folder.path().join("regions.2"));
}

/// Tests functions without MPI calls, whether or not the compiler inlines them.
#[test]
fn computing_has_the_name_of_the_function_that_does_it() {
    let Some(folder) = folder() else { return };
    for (source, function) in [("wavefront", "compute"), ("particles", "leave")] {
        for (level, ranks) in [("-O0", [2, 4]), ("-O2", [2, 4])] {
            let flags = [level, "-lm"];
            let name = format!("{source}{level}");
            let program = made(folder.path(), &name, &format!("{source}.c"), &flags);
            let recordings = recordings_of(&program, &ranks, &["100", "4"]);
            let (model, _) = learned(folder.path(), &recordings);
            let text = std::fs::read_to_string(model).expect("the model");
            assert_says(&text, &[&format!("<action name=\"{function}1\" ")]);
        }
    }
}

#[test]
fn parallel_regions_of_openmp_are_recorded() {
    let Some(folder) = folder() else { return };
    let program = made(folder.path(), "threads", "threads.c", &["-fopenmp"]);
    let told_with = |runtime: &str, out: &str| {
        let mut command = record(folder.path());
        command
            .env("LD_PRELOAD", runtime)
            .env("OMP_NUM_THREADS", "2");
        command.args(["--out", out, "--", "mpirun", "-n", "1"]);
        let output = command.arg(&program).output().expect("the command starts");
        stderr(&output)
    };

    let told = told_with("", "silent");
    let note = "note: the program uses several OpenMP threads, but its OpenMP runtime does not \
                support OMPT";
    assert!(told.contains(note), "{told}");

    // Debian's package libomp5.
    let told = told_with("libomp.so.5", "reported");
    if told.contains("libomp.so.5' from LD_PRELOAD cannot be preloaded") {
        return prophet_testing::skip("there is no libomp.so.5");
    }
    assert_says(
        &told,
        &["\nOpenMP    20 parallel regions of up to 3 threads: "],
    );
    assert!(!told.contains("OMPT"), "{told}");
    let recording = Recording::open(&folder.path().join("reported")).expect("a recording");
    let rank = &recording.ranks()[0];
    assert!(
        rank.parallel.wall_ns > 0 && rank.parallel.wall_ns <= rank.wall_ns,
        "{rank:?}"
    );
}
