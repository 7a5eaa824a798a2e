//! Tests reports of runs with shared links in headless Chromium, against closed forms. Without
//! Chromium (Debian: `chromium`, `chromium-driver`), these tests are skipped.

use std::collections::BTreeMap;
use std::path::PathBuf;

use prophet_testing::{Browser, assert_near};
use prophet_tests::{interpreted, root};
use serde_json::Value;
use tempfile::TempDir;

const GB_PER_S: f64 = 1e9;

struct Opened {
    browser: Browser,
    file: PathBuf,
    /// Folder of all files. It is dropped after the browser.
    folder: TempDir,
}

/// Interprets one of the documentation's models on 16 nodes, and opens its report.
fn report(model: &str, algorithm: &str, network: &str) -> Option<Opened> {
    let folder = tempfile::tempdir().expect("there is room");
    let browser = Browser::start(&folder.path().join("profile"))?;
    let file = folder.path().join("report.html");
    let path = root().join(format!("docs/models/{model}.prophet.xml"));
    let page = file.to_str().expect("it is text");
    let flags = ["--nodes", "16", "--collective", algorithm];
    let flags = [&flags[..], &["--network", network, "--report", page]].concat();
    let ran = interpreted::run(&path, model, &flags);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    browser.resize(1280, 900);
    browser.open(&file);
    Some(Opened {
        browser,
        file,
        folder,
    })
}

impl Opened {
    /// Returns the texts in the table of links, by the name of the link.
    fn links(&self) -> BTreeMap<String, Vec<String>> {
        let rows = self.browser.run(
            "document.querySelector('#network .more')?.click(); \
             return [...document.querySelectorAll('#network-links tbody tr')]\
             .map((row) => [...row.children].map((cell) => cell.textContent))",
        );
        let rows: Vec<Vec<String>> = serde_json::from_value(rows).expect("cells are texts");
        let rows = rows.into_iter().map(|row| (row[0].clone(), row));
        rows.collect()
    }

    /// Returns the knee capacity over time in packets per second, with and without background load.
    fn knee(&self) -> Vec<(f64, f64)> {
        let steps = self.browser.run("return report.read('knee')");
        let steps = steps.as_array().expect("a list");
        let number = |step: &Value, key: &str| step[key].as_f64().unwrap_or(f64::NAN);
        let both = |step| (number(step, "mean"), number(step, "clear"));
        steps.iter().map(both).collect()
    }

    /// Returns a chart's file as soon as the browser has saved it completely.
    fn saved(&self, chart: &str, ending: &str) -> Vec<u8> {
        let ending = format!("-{chart}.{ending}");
        for _ in 0..600 {
            let files = std::fs::read_dir(self.folder.path()).expect("it is there");
            let mut files = files.flatten().map(|file| file.path());
            let is_it = |path: &PathBuf| path.to_string_lossy().ends_with(&ending);
            let bytes = files.find(is_it).map(std::fs::read);
            if let Some(Ok(bytes)) = bytes.filter(|it| it.as_ref().is_ok_and(|it| !it.is_empty())) {
                return bytes;
            }
            self.browser.run_async("setTimeout(() => done(null), 50)");
        }
        panic!("{ending} was not saved");
    }

    fn is_quiet(&self) {
        assert_eq!(self.browser.console(), Vec::<String>::new());
        let file = format!("file://{}", self.file.display());
        let requests = self.browser.requests();
        assert!(requests.iter().all(|url| *url == file), "{requests:?}");
    }
}

/// Parses a text such as `500 MB/s`, and returns bytes per second.
fn bandwidth(text: &str) -> f64 {
    let (number, unit) = text.split_once('\u{202f}').expect("it has a unit");
    let factor = match unit {
        "GB/s" => 1e9,
        "MB/s" => 1e6,
        other => panic!("{other} is no unit here"),
    };
    number.parse::<f64>().expect("it is a number") * factor
}

/// Each of 15 messages gets a fifteenth of the last link's capacity. Other traffic uses a quarter
/// of it.
#[test]
fn an_incast_leaves_each_message_its_part_of_the_last_link() {
    let network = "shared:topology=star,latency=1us,bandwidth=10GB/s,background=0.25";
    let Some(page) = report("incast", "gather=linear", network) else {
        return;
    };
    let links = page.links();
    assert_eq!(links.len(), 16, "the others are not used");
    let last = &links["node0.down"];
    assert_eq!(last[2..4], ["75.0\u{202f}%", "15"]);
    assert_near(bandwidth(&last[4]), 7.5 * GB_PER_S / 15.0, 1e-3);
    assert_near(bandwidth(&last[6]), 10.0 * GB_PER_S / 15.0, 1e-3);
    assert_eq!(links["node7.up"][1..4], ["5\u{202f}%", "5\u{202f}%", "0"]);
    // The first step includes the latencies. After it, there are 15 messages until the end.
    let knee = page.knee();
    assert_eq!(knee.len(), 256);
    for (with, without) in knee {
        assert_near(with, 7.5 * GB_PER_S / 15.0 / 1500.0, 1e-6);
        assert_near(without, 10.0 * GB_PER_S / 15.0 / 1500.0, 1e-6);
    }
    let line = "return [...document.querySelectorAll('#topology .link title')]\
                .map((title) => title.textContent).find((text) => text.includes('node0.down'))";
    let line = page.browser.run(line);
    let line = line.as_str().expect("the link is drawn");
    assert!(line.contains("node0.down 74.9\u{202f}%"), "{line}");
    page.is_quiet();
}

/// There are two cables for four nodes. From each switch, 48 messages go up, 24 on each cable, and
/// 48 come down. Messages between neighbors share the links of their nodes with 14 other messages.
#[test]
fn an_all_to_all_is_held_up_where_the_tree_is_narrow() {
    let network = "shared:topology=fat-tree,children=4x4,parents=1x2,links=1x1,latency=1us,\
                   bandwidth=10GB/s";
    let Some(page) = report("transpose", "alltoall=linear", network) else {
        return;
    };
    let links = page.links();
    let trunks: Vec<_> = { links.iter() }
        .filter(|(name, _)| name.starts_with("switch"))
        .collect();
    assert_eq!(trunks.len(), 16);
    let mut limited = 0;
    for (name, row) in trunks {
        assert_eq!(row[2], "100.0\u{202f}%", "{name}");
        let messages: u32 = row[3].parse().expect("a number");
        limited += messages;
        // If two links are equally loaded, the first one counts.
        if messages > 0 {
            assert_near(bandwidth(&row[4]), 10.0 * GB_PER_S / 24.0, 2e-3);
        }
    }
    assert_eq!(limited, 16 * 12, "all messages between switches");
    let neighbors: u32 = { links.iter() }
        .filter(|(name, _)| name.starts_with("node"))
        .map(|(_, row)| row[3].parse::<u32>().expect("a number"))
        .sum();
    assert_eq!(neighbors, 16 * 3);
    page.is_quiet();
}

/// With o = 1 us, each of 16 processes needs 15 us to send and 15 us to receive. The remaining time
/// is waiting, although it is all part of one collective.
#[test]
fn a_collective_is_in_the_states_of_its_messages() {
    let network = "shared:topology=star,latency=1us,bandwidth=10GB/s,o=1us";
    let Some(page) = report("transpose", "alltoall=linear", network) else {
        return;
    };
    let ends = page.browser.run("return [...report.data.processes.end_s]");
    let ends: Vec<f64> = serde_json::from_value(ends).expect("numbers");
    let all_s: f64 = ends.iter().sum();
    let busy = 16.0 * 15.0 * 1e-6 / all_s;
    let legend = page.browser.run(
        "const list = document.getElementById('timeline-color'); list.value = 'activity'; \
         list.dispatchEvent(new Event('change')); \
         return [...document.querySelectorAll('#timeline-section .legend li')]\
         .map((item) => [item.childNodes[1].textContent, item.childNodes[2].textContent])",
    );
    let legend: Vec<(String, String)> = serde_json::from_value(legend).expect("texts");
    let names: Vec<&str> = legend.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["processing", "send", "receive", "wait"]);
    for ((name, share), expected) in legend.iter().zip([0.0, busy, busy, 1.0 - 2.0 * busy]) {
        let percent: f64 = { share.trim_end_matches("\u{202f}%").parse() }.expect(share);
        assert!(
            (percent / 100.0 - expected).abs() <= 5e-4,
            "{name}: {share} is not {expected}"
        );
    }
    page.is_quiet();
}

/// Networks in which messages don't share links don't have these views.
#[test]
fn messages_that_share_nothing_have_no_view_of_it() {
    let network = "hockney:latency=1us,bandwidth=10GB/s";
    let Some(page) = report("incast", "gather=linear", network) else {
        return;
    };
    let sections = page
        .browser
        .run("return document.querySelectorAll('#network').length");
    assert_eq!(sections, 0);
    page.is_quiet();
}

/// Saves pictures for docs/contention.md if `PROPHET_PICTURES=FOLDER` is set.
#[test]
fn pictures() {
    let Some(folder) = std::env::var_os("PROPHET_PICTURES").map(PathBuf::from) else {
        return;
    };
    let network = "shared:topology=fat-tree,children=4x4,parents=1x2,links=1x1,latency=1us,\
                   bandwidth=10GB/s";
    for (model, algorithm) in [
        ("incast", "gather=linear"),
        ("transpose", "alltoall=linear"),
    ] {
        let Some(page) = report(model, algorithm, network) else {
            return;
        };
        page.browser.save_to(page.folder.path());
        let charts: &[(&str, &str)] = match model {
            "incast" => &[("topology", "svg")],
            _ => &[("topology", "svg"), ("availability", "png")],
        };
        for (chart, ending) in charts {
            page.browser.click(&format!("#{chart}-{ending}"));
            let name = format!("contention-{model}-{chart}.{ending}");
            std::fs::write(folder.join(name), page.saved(chart, ending)).expect("there is room");
        }
    }
}
