//! The profile, the sample models, and the first model that `new` makes, as constants.
//!
//! ```
//! let sample = prophet_samples::find("lapw0").expect("it is a sample");
//! assert!(sample.text.contains("<uml:Model") && sample.page.is_some());
//! ```

/// The UML profile that the models apply; UML tools look for it beside a model.
pub const PROFILE: &str = include_str!("prophet.profile.uml");

/// Files of a first model and its machine.
pub mod first_model {
    /// The model in UML.
    pub const MODEL: &str = include_str!("first-model/model.uml");
    /// The model as text.
    pub const TEXT: &str = include_str!("first-model/model.puml");
    /// The machine of both.
    pub const MACHINE: &str = include_str!("first-model/cluster.toml");
    /// A model with an empty program.
    pub const EMPTY: &str = include_str!("first-model/empty.uml");
}

/// A sample model.
#[derive(Debug)]
pub struct Sample {
    /// Name of the file, without `.uml`.
    pub name: &'static str,
    /// Subject of the model, in a few words.
    pub about: &'static str,
    /// Flags of the prediction that `new` proposes.
    pub flags: &'static str,
    /// The model, in UML.
    pub text: &'static str,
    /// The page about it, in Markdown.
    pub page: Option<&'static str>,
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
            Some(include_str!(concat!($name, ".md")))
        )
    };
    ($name:literal, $about:literal, $flags:literal, $page:expr) => {
        Sample {
            name: $name,
            about: $about,
            flags: $flags,
            text: include_str!(concat!($name, ".uml")),
            page: $page,
        }
    };
}

/// All samples, in the order of their list in `README.md`.
pub const SAMPLES: &[Sample] = &[
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
        "the same kernel with its three loops drawn",
        "--m 10 --n 100"
    ),
    sample!(
        "pingpong",
        "messages with times from the network model",
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
        "fsdp",
        "training of a large language model with sharded data parallelism",
        "--machine h100",
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
        "an uneven loop with three schedules",
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
        "a block limited by memory",
        "--machine lumi-c --nodes 1 --processes 16"
    ),
    sample!(
        "gpu_stencil",
        "a stencil on GPUs with staged halo exchange",
        "--machine alps-gh200 --nodes 2 --processes 8"
    ),
];

/// A sample that is a workflow: it has hosts in place of processes, and no generated program.
pub const WORKFLOW: Sample = Sample {
    name: "genome",
    about: "a workflow of tasks that pass files to each other",
    flags: "--hosts 2 --cores 4",
    text: include_str!("workflows/genome.uml"),
    page: None,
};

/// Finds a sample by its name.
pub fn find(name: &str) -> Option<&'static Sample> {
    SAMPLES.iter().find(|it| it.name == name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn all_samples_of_the_list_are_here() {
        let readme = include_str!("README.md");
        let rows = readme
            .lines()
            .filter_map(|it| it.strip_prefix("| `")?.split_once(".uml` |"));
        let rows: Vec<(&str, &str)> = rows.filter(|it| it.0 != "prophet.profile").collect();
        let names: Vec<&str> = SAMPLES.iter().map(|it| it.name).collect();
        let listed: Vec<&str> = rows.iter().map(|it| it.0).collect();
        assert_eq!(names, listed);
        for (sample, (_, row)) in SAMPLES.iter().zip(rows) {
            let has_page = Path::new(&format!("{}.md", sample.name)).exists();
            assert_eq!(sample.page.is_some(), has_page, "{}", sample.name);
            let command = format!("{}.uml -- {}`", sample.name, sample.flags);
            assert!(row.contains(&command), "{row}");
        }
        assert!(find("nothing").is_none());
    }
}
