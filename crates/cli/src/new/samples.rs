//! The sample models, which the program carries.

/// A sample model.
#[derive(Debug)]
pub(super) struct Sample {
    /// Name of its file without the ending.
    pub(super) name: &'static str,
    /// Describes what it shows.
    pub(super) about: &'static str,
    /// Flags of the prediction that is proposed.
    pub(super) flags: &'static str,
    pub(super) text: &'static str,
    /// The page about it.
    pub(super) page: Option<&'static str>,
}

macro_rules! sample {
    ($name:literal, $about:literal, $flags:literal) => {
        sample!($name, $about, $flags, None)
    };
    ($name:literal, $about:literal, $flags:literal, page) => {
        sample!(
            $name,
            $about,
            $flags,
            Some(include_str!(concat!(
                "../../../../sample-models/",
                $name,
                ".md"
            )))
        )
    };
    ($name:literal, $about:literal, $flags:literal, $page:expr) => {
        Sample {
            name: $name,
            about: $about,
            flags: $flags,
            text: include_str!(concat!("../../../../sample-models/", $name, ".uml")),
            page: $page,
        }
    };
}

/// All samples, in the order of their list in `sample-models/README.md`.
pub(super) const SAMPLES: &[Sample] = &[
    sample!(
        "sample",
        "the papers' sample: code, a branch, a nested activity",
        "--cpus-per-node 4"
    ),
    sample!(
        "kernel6",
        "Livermore kernel 6 as one block with a cost function",
        "--m 10 --n 100"
    ),
    sample!(
        "kernel6_detailed",
        "the same with its three loops drawn",
        "--m 10 --n 100"
    ),
    sample!(
        "pingpong",
        "messages priced by the network model",
        "--nodes 2 --size 8"
    ),
    sample!(
        "jacobi2d",
        "halo exchange with four neighbors",
        "--nodes 4 --cpus-per-node 4"
    ),
    sample!(
        "halo",
        "a halo exchange with and without overlap",
        "--nodes 4",
        page
    ),
    sample!(
        "wavefront",
        "sweeps over a grid of processes",
        "--nodes 16",
        page
    ),
    sample!(
        "sweep3d",
        "the ASCI benchmark Sweep3D",
        "--machine pti-cluster",
        page
    ),
    sample!(
        "megatron",
        "training of a large language model",
        "--machine a100",
        page
    ),
    sample!(
        "summa",
        "the product of two matrices on a grid of processes",
        "--nodes 16"
    ),
    sample!(
        "master_worker",
        "a master that hands out tasks",
        "--nodes 8"
    ),
    sample!(
        "lapw0",
        "a real program, fitted to measured times",
        "--nodes 8 --cpus-per-node 4 --nat 32",
        page
    ),
    sample!(
        "schedules",
        "an uneven loop with three schedules of its iterations",
        "--threads 4 --cpus-per-node 4 --processes 1"
    ),
    sample!(
        "contention",
        "a critical section that many threads need",
        "--threads 16 --cpus-per-node 16 --processes 1"
    ),
    sample!(
        "hybrid",
        "MPI between nodes, OpenMP within",
        "--nodes 4 --cpus-per-node 4 --processes 4 --threads 4"
    ),
    sample!(
        "oversubscribed",
        "more processes than CPUs",
        "--cpus-per-node 4 --processes 16"
    ),
    sample!(
        "stream",
        "a block that memory limits",
        "--machine lumi-c --nodes 1 --processes 16"
    ),
];

/// The sample of that name.
pub(super) fn find(name: &str) -> Result<&'static Sample, String> {
    let found = SAMPLES.iter().find(|it| it.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = SAMPLES.iter().map(|it| it.name).collect();
        format!("there is no such sample; samples are {}", names.join(", "))
    })
}

/// The samples in a line each.
pub(super) fn list() -> String {
    let lines = SAMPLES.iter();
    let lines = lines.map(|it| format!("{:<17} {}\n", it.name, it.about));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_program_carries_all_samples() {
        let folder = Path::new("../../sample-models");
        let readme = fs::read_to_string(folder.join("README.md")).expect("it is there");
        let rows = readme
            .lines()
            .filter_map(|it| it.strip_prefix("| `")?.split_once(".uml` |"));
        let rows: Vec<(&str, &str)> = rows.filter(|it| it.0 != "prophet.profile").collect();
        let names: Vec<&str> = SAMPLES.iter().map(|it| it.name).collect();
        let listed: Vec<&str> = rows.iter().map(|it| it.0).collect();
        assert_eq!(names, listed);
        for (sample, (_, row)) in SAMPLES.iter().zip(rows) {
            let has_page = folder.join(format!("{}.md", sample.name)).exists();
            assert_eq!(sample.page.is_some(), has_page, "{}", sample.name);
            let command = format!("{}.uml -- {}`", sample.name, sample.flags);
            assert!(row.contains(&command), "{row}");
        }
        assert!(find("nothing").is_err_and(|it| it.contains("lapw0")));
    }
}
