//! Compares routes with the output of a `SimGrid` program.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use prophet_platform::{Platform, Route};
use prophet_testing::compile_with_simgrid;

/// The program, which is compiled only once.
pub(crate) struct Oracle(PathBuf);

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) routes: usize,
    pub(crate) none: usize,
    /// Number of pairs with a route here for which `SimGrid` aborts.
    pub(crate) more: usize,
}

impl Oracle {
    /// Compiles the program; `None` if `SimGrid` isn't installed, so that the test is skipped.
    pub(crate) fn new(name: &str) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let program = folder.join(format!("{name}-{}", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/simgrid/routes.cpp");
        compile_with_simgrid(&source, &program, &["-O0"]).then_some(Oracle(program))
    }

    /// Returns `SimGrid`'s routes, or its error if it can't load the file.
    fn routes(&self, file: &Path, pairs: &str) -> Result<Vec<String>, String> {
        let mut child = Command::new(&self.0)
            .arg(file)
            // Some files ask for traces of a run.
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
            .arg("--log=root.thres:error")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("it has an input");
        // If the file can't be loaded, the input is closed.
        let _ = input.write_all(pairs.as_bytes());
        drop(input);
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes| String::from_utf8(bytes).expect("names are text");
        if output.status.success() {
            return Ok(text(output.stdout).lines().map(str::to_owned).collect());
        }
        Err(text(output.stderr))
    }

    /// Compares the routes between these pairs of hosts. Returns `SimGrid`'s error if it can't load
    /// the file.
    pub(crate) fn compare(
        &self,
        file: &Path,
        platform: &Platform,
        pairs: &[(u32, u32)],
    ) -> Result<Tally, String> {
        let name = |host: u32| platform.hosts()[host as usize].name.as_str();
        let lines = pairs
            .iter()
            .map(|(from, to)| format!("{}\t{}\n", name(*from), name(*to)));
        let found = self.routes(file, &lines.collect::<String>())?;
        assert_eq!(found.len(), pairs.len(), "{}", file.display());
        let mut tally = Tally::default();
        let mut links = Names::default();
        for (line, (from, to)) in found.iter().zip(pairs) {
            let what = format!("{}: {} to {}", file.display(), name(*from), name(*to));
            let mut route = Route::default();
            let ours = platform.route(*from, *to, &mut route).map(|()| &route);
            let mut words = line.split('\t');
            let first = words.next().expect("a line has a word");
            let words: Vec<&str> = words.collect();
            match (first, ours) {
                ("none", Err(_)) => tally.none += 1,
                ("none", Ok(_)) => tally.more += 1,
                // `SimGrid` prints a missing route in a table as an empty one.
                ("0", Err(_)) if words.is_empty() => tally.none += 1,
                (_, Err(problem)) => panic!("{what}: {problem}, but SimGrid finds {line}"),
                (latency, Ok(route)) => {
                    tally.routes += 1;
                    let latency: f64 = latency.parse().expect("a latency is a number");
                    assert_close(latency, route.latency_s, &what);
                    links.compare(platform, route, &words, &what);
                }
            }
        }
        Ok(tally)
    }
}

fn assert_close(simgrid: f64, ours: f64, what: &str) {
    let apart = (simgrid - ours).abs();
    assert!(
        apart <= 1e-12 * simgrid.abs(),
        "{what}: SimGrid has {simgrid}, this {ours}"
    );
}

/// Names of links here, and the names of the same links in `SimGrid`.
#[derive(Debug, Default)]
struct Names {
    ours: BTreeMap<String, u32>,
    theirs: BTreeMap<u32, String>,
}

impl Names {
    /// Compares the links of a route. Links with equal names are compared first, and the others in
    /// order.
    ///
    /// If Dijkstra has found a part of the route, `SimGrid` lists it out of order.
    fn compare(&mut self, platform: &Platform, route: &Route, words: &[&str], what: &str) {
        let link = |at: &u32| &platform.links()[*at as usize];
        let names: Vec<&str> = route
            .links
            .iter()
            .map(|it| link(it).name.as_str())
            .collect();
        let what = format!("{what}: {words:?}, here {names:?}");
        assert_eq!(words.len() / 2, names.len(), "{what}");
        let theirs: Vec<&str> = words.iter().step_by(2).copied().collect();
        let mut rest = route
            .links
            .iter()
            .filter(|it| !theirs.contains(&link(it).name.as_str()));
        for pair in words.chunks(2) {
            let named = route.links.iter().find(|it| link(it).name == pair[0]);
            let ours = named.or_else(|| rest.next());
            let ours = *ours.unwrap_or_else(|| panic!("{what}"));
            let bandwidth: f64 = pair[1].parse().expect("a bandwidth is a number");
            assert_close(bandwidth, link(&ours).bytes_per_s, &what);
            let name = pair[0].to_owned();
            let our = self.ours.entry(name.clone()).or_insert(ours);
            let their = self.theirs.entry(ours).or_insert_with(|| name.clone());
            assert!(*our == ours && *their == name, "{what}");
        }
    }
}
