//! Tests the reports of real models in headless Chromium. Without Chromium (Debian: `chromium`,
//! `chromium-driver`), these tests are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use prophet_testing::{Browser, succeeded};
use prophet_tests::built::built;
use prophet_tests::root;
use serde_json::Value;
use tempfile::TempDir;

/// A report in a browser, with the JSON result of the same run.
struct Opened {
    browser: Browser,
    file: PathBuf,
    result: Value,
    /// Folder of all files. It is dropped after the browser.
    _folder: TempDir,
}

/// Runs a sample model's program and opens its report. Returns `None`, and says so, if the test
/// can't run.
fn report(sample: &str, flags: &[&str]) -> Option<Opened> {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let browser = Browser::start(&folder.path().join("profile"))?;
    let file = folder.path().join(format!("{sample}.html"));
    let result = run(sample, flags, &file);
    browser.resize(1280, 900);
    browser.open(&file);
    Some(Opened {
        browser,
        file,
        result,
        _folder: folder,
    })
}

fn run(sample: &str, flags: &[&str], file: &Path) -> Value {
    let output = succeeded(
        Command::new(built(sample))
            .args(["--format", "json"])
            .args(flags)
            .arg("--report")
            .arg(file)
            .current_dir(root()),
    );
    serde_json::from_slice(&output.stdout).expect("the result is JSON")
}

impl Opened {
    fn run(&self, script: &str) -> Value {
        self.browser.run(script)
    }

    /// Checks that the bars show exactly the numbers of the processes in the result.
    fn shows_all_processes(&self) {
        let bars = self.run(
            "return report.read('process-bars').map((bar) => \
             [bar.compute_s, bar.communication_s, bar.wait_s].map(String))",
        );
        let bars = bars.as_array().expect("a bar for each process");
        let processes = self.result["processes"].as_array().expect("a list");
        assert_eq!(bars.len(), processes.len());
        for (bar, process) in bars.iter().zip(processes) {
            for (part, name) in ["compute_s", "communication_s", "wait_s"]
                .iter()
                .enumerate()
            {
                let text = bar[part].as_str().expect("it was made text");
                // The JSON parser may differ in the last bit.
                let (shown, printed) = (text.parse::<f64>(), process[name].as_f64());
                let (shown, printed) = (shown.expect("a number"), printed.expect("a number"));
                assert!(
                    (shown - printed).abs() <= printed * 1e-15,
                    "{shown} {printed}"
                );
            }
        }
    }

    /// Checks that a click on the head of the first column sorts by name.
    fn sorts_elements(&self) {
        let names = self.run(
            "document.querySelector('#element-table th button').click(); \
             return [...document.querySelectorAll('#element-table tbody th')]\
             .map((cell) => cell.textContent)",
        );
        let names: Vec<&str> = names
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert!(names.len() > 3, "{names:?}");
        assert!(
            names.is_sorted_by_key(|name| name.to_lowercase()),
            "{names:?}"
        );
    }

    /// Checks that in the middle of the run, each running process is shown at an element of a
    /// drawing.
    fn animates(&self) {
        let counts = self.run(
            "const slider = document.getElementById('animator-time'); slider.value = '5000'; \
             slider.dispatchEvent(new Event('input')); \
             return [...document.querySelectorAll('.diagram .badge')]\
             .filter((badge) => badge.style.display !== 'none')\
             .map((badge) => Number(badge.querySelector('text').textContent.replace(',', '')))",
        );
        let counts = counts.as_array().expect("a list").iter();
        let total: f64 = counts.filter_map(Value::as_f64).sum();
        let processes = self.result["processes"].as_array().map_or(0, Vec::len);
        assert!(
            (total - f64::from(u32::try_from(processes).expect("they are few"))).abs() < 0.5,
            "{total} of {processes}"
        );
    }

    fn is_quiet(&self) {
        assert_eq!(self.browser.console(), Vec::<String>::new());
        let file = format!("file://{}", self.file.display());
        let requests = self.browser.requests();
        assert!(requests.iter().all(|url| *url == file), "{requests:?}");
    }
}

fn check(sample: &str, flags: &[&str]) -> Option<Opened> {
    let page = report(sample, flags)?;
    page.shows_all_processes();
    page.sorts_elements();
    page.animates();
    page.is_quiet();
    Some(page)
}

#[test]
fn lapw0_with_32_processes() {
    let flags = ["--nodes", "8", "--cpus-per-node", "4", "--nat", "32"];
    let Some(page) = check("lapw0", &flags) else {
        return;
    };
    let seen = page.run("return document.getElementById('predicted-time').textContent");
    assert_eq!(seen, "112.46\u{202f}s");
    let path = page.run("return report.read('critical-path').map((part) => part.total_s)");
    let parts = path.as_array().expect("a list").iter();
    let sum: f64 = parts.filter_map(Value::as_f64).sum();
    let predicted = page.result["predicted_time_s"].as_f64().expect("a number");
    assert!((sum - predicted).abs() < predicted * 1e-12, "{sum}");
    let tried = page.run(
        "return report.data.what_if.elements.filter((row) => row.exact).length === \
         report.data.elements.length",
    );
    assert_eq!(tried, true, "each element was tried");
}

#[test]
fn jacobi2d_with_1024_processes() {
    let flags = [
        "--nodes",
        "64",
        "--cpus-per-node",
        "16",
        "--iterations",
        "10",
    ];
    let Some(page) = check("jacobi2d", &flags) else {
        return;
    };
    let sent = page.run("return report.read('matrix').messages");
    assert_eq!(
        sent.as_u64(),
        page.result["evaluation"]["messages"].as_u64()
    );
    // The nodes of inner processes send more than a link with this bandwidth can transfer. Nodes at
    // two borders send half as much.
    let most = "return [...document.querySelectorAll('#utilization-table tbody tr')]\
                .map((row) => Number.parseFloat(row.children[4].textContent))";
    let most = page.run(most);
    let most: Vec<f64> = { most.as_array().expect("a row for each node").iter() }
        .filter_map(Value::as_f64)
        .collect();
    assert_eq!(most.len(), 64);
    assert!(most[0] > 100.0 && most[32] > 1.8 * most[0], "{most:?}");
    let titles = page.run("return report.data.utilization.map((series) => series.title)");
    let expected = ["CPUs", "Links out", "Links in", "Messages on their way"];
    assert_eq!(titles, serde_json::json!(expected));
}
