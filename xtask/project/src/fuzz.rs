//! Implements `cargo xtask fuzz`, which runs the targets in `tests/fuzz` with libFuzzer.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use prophet_text::Context as _;

use crate::{CommandOutcome, Stop, workspace};

/// If a run takes longer, it counts as hanging.
const SECONDS_MAX: u32 = 10;
/// If a run needs more, it counts as running out of memory.
const MEGABYTES_MAX: u32 = 1024;
/// Longer inputs take more time to read, and rarely find more problems.
const BYTES_MAX: u32 = 32 * 1024;
/// Folders with models to start from, for targets that read models.
const MODELS: &str = include_str!("../../../tests/fuzz/models.txt");

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Targets to fuzz: folders of tests/fuzz/corpus [default: all]
    targets: Vec<String>,
    /// Number of inputs for each target
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    runs: u64,
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    let folder = workspace()?.root.join("tests/fuzz");
    let known = entries(&folder.join("corpus"))?;
    let known: Vec<&str> = known
        .iter()
        .filter_map(|path| path.file_name()?.to_str())
        .collect();
    for target in &arguments.targets {
        if !known.contains(&target.as_str()) {
            let known = known.join(", ");
            return Err(Stop::usage(format!("unknown target `{target}` ({known})")));
        }
    }
    for target in known {
        if arguments.targets.is_empty() || arguments.targets.iter().any(|name| name == target) {
            fuzz(&folder, target, arguments.runs)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs one target. Interesting inputs are written to a folder that git ignores.
fn fuzz(folder: &Path, target: &str, runs: u64) -> Result<(), Stop> {
    eprintln!("fuzz: {target}");
    let found = folder.join("target/corpus").join(target);
    std::fs::create_dir_all(&found).cannot("make", found.display())?;
    let corpus = folder.join("corpus").join(target);
    let mut seeds = vec![corpus.clone()];
    let is_model = |path: &PathBuf| path.extension().is_some_and(|name| name == "uml");
    if entries(&corpus)?.iter().any(is_model) {
        seeds.extend(
            MODELS
                .lines()
                .map(|models| folder.join("../..").join(models)),
        );
    }
    // The code is safe Rust. A sanitizer would only make it slower.
    let status = Command::new("cargo")
        .args([
            "+nightly",
            "fuzz",
            "run",
            "--fuzz-dir",
            ".",
            "--sanitizer",
            "none",
            target,
        ])
        .arg(&found)
        .args(&seeds)
        .arg("--")
        .args([
            format!("-runs={runs}"),
            format!("-timeout={SECONDS_MAX}"),
            format!("-rss_limit_mb={MEGABYTES_MAX}"),
            format!("-max_len={BYTES_MAX}"),
            "-print_final_stats=1".to_owned(),
        ])
        .current_dir(folder)
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Stop::input(format!(
            "the target `{target}` failed, or a nightly Rust or cargo-fuzz is missing \
             (`cargo install cargo-fuzz`)"
        ))),
        Err(error) => Err(Stop::input(format!("cannot start cargo: {error}"))),
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let entries = std::fs::read_dir(folder).cannot("read", folder.display())?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    Ok(paths)
}
