//! Compares routes with `SimGrid` 3.32 link by link, on random platforms and on `SimGrid`'s
//! examples.

mod oracle;
mod random;

use std::path::Path;

use oracle::{Oracle, Tally};
use prophet_platform::Read;
use random::Random;

/// Number of random platforms, and number of pairs of hosts on each of them.
const PLATFORMS: u64 = 150;
const PAIRS: usize = 20;

fn pairs(random: &mut Random, hosts: usize) -> Vec<(u32, u32)> {
    let hosts = u32::try_from(hosts).expect("a platform has few hosts");
    (0..PAIRS)
        .map(|_| (random.below(hosts), random.below(hosts)))
        .collect()
}

#[test]
fn random_platforms_have_the_routes_of_simgrid() {
    let Some(oracle) = Oracle::new("random") else {
        return;
    };
    let file =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-{}.xml", std::process::id()));
    let mut all = Tally::default();
    for seed in 0..PLATFORMS {
        let text = random::platform(seed);
        std::fs::write(&file, &text).expect("the file can be written");
        let read = Read::file(&file).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        let pairs = pairs(&mut Random(seed), read.platform.hosts().len());
        let compared = std::panic::catch_unwind(|| oracle.compare(&file, &read.platform, &pairs));
        let Ok(tally) = compared else {
            panic!("seed {seed}:\n{text}");
        };
        let tally = match tally {
            Ok(tally) => tally,
            // SimGrid 3.32 uses the same names for the limiters of nodes and switches.
            Err(says) if says.contains("declared several times") => continue,
            Err(says) => panic!("seed {seed}: {says}\n{text}"),
        };
        assert_eq!(tally.more, 0, "SimGrid breaks off at seed {seed}:\n{text}");
        all.routes += tally.routes;
        all.none += tally.none;
    }
    assert!(all.routes > 2000, "few pairs have routes: {all:?}");
}

/// Compares the routes of each file in the folder `SIMGRID_PLATFORMS`, such as `examples/platforms`
/// in `SimGrid`'s repository.
#[test]
#[ignore = "needs SimGrid's example platforms, in SIMGRID_PLATFORMS"]
fn example_platforms_have_the_routes_of_simgrid() {
    let folder = std::env::var("SIMGRID_PLATFORMS").expect("SIMGRID_PLATFORMS names a folder");
    let Some(oracle) = Oracle::new("examples") else {
        return;
    };
    let entries = std::fs::read_dir(&folder).expect("the folder can be listed");
    let mut files: Vec<_> = entries
        .map(|it| it.expect("it can be listed").path())
        .collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "xml"));
    files.sort();
    for file in files {
        let read = match Read::file(&file) {
            Ok(read) => read,
            Err(problem) => {
                eprintln!("refused: {problem}");
                continue;
            }
        };
        let pairs = pairs(&mut Random(1), read.platform.hosts().len());
        let tally = oracle.compare(&file, &read.platform, &pairs);
        eprintln!(
            "{}: {tally:?}, {} changes",
            file.display(),
            read.changes.len()
        );
        for warning in read.warnings {
            eprintln!("  {warning}");
        }
    }
}
