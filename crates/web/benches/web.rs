//! Measures the speed of the studio page that runs without a server, in Chromium.
//! `cargo xtask bench web` builds the page and writes the rows into
//! `prophet-runtime/benches/figures.md`.
//!
//! With a word on the command line, only the rows that contain it are measured.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

#[path = "../tests/host.rs"]
mod host;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;
use host::{Page, folder};
use prophet_testing::{Stopwatch, is_asked_for, median, verdict};
use prophet_web::Studio;

const TURNS: usize = 5;
const NODES: usize = 3000;

/// Models to predict, with the flags of the run and the number of predictions per turn.
const PREDICTED: [(&str, &str, usize); 4] = [
    ("lapw0", r#"{"nodes": "8", "cpus-per-node": "4"}"#, 200),
    ("wavefront", r#"{"nodes": "256", "SWEEPS": "100"}"#, 4),
    ("jacobi2d", r#"{"nodes": "256"}"#, 4),
    ("kernel6_detailed", "{}", 20),
];

/// Moves the slider of a parameter of LAPW0 over 100 values, each after the previous one has
/// appeared. Returns the milliseconds from each move to the frame with its time, sorted.
const SLIDE: &str = "const slider = document.querySelector('[aria-label=\"NAT, slider\"]'); \
    const time = document.querySelector('.time'); \
    const took = []; \
    const next = (value) => { \
        const was = time.innerText; \
        const began = performance.now(); \
        slider.value = value; \
        slider.dispatchEvent(new Event('input', { bubbles: true })); \
        const look = () => { \
            const said = document.querySelector('.time-curve figcaption')?.innerText ?? ''; \
            const isShown = time.innerText !== was && said.includes(`with ${value}`); \
            if (!isShown) return requestAnimationFrame(look); \
            took.push(performance.now() - began); \
            if (value < 100) requestAnimationFrame(() => next(value + 1)); \
            else done(took.sort((a, b) => a - b)); \
        }; \
        requestAnimationFrame(look); \
    }; \
    next(1)";

/// Lays out the diagram by pressing its key, and returns how many milliseconds that takes.
const LAY_OUT: &str = "const began = performance.now(); \
    document.querySelector('.canvas svg').focus(); \
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', \
        { key: 'l', bubbles: true, cancelable: true })); \
    const look = () => document.querySelector('[aria-label^=\"Undo: Lay out\"]') \
        ? done(performance.now() - began) : requestAnimationFrame(look); \
    look()";

fn main() {
    println!("| work | target | seen | met |");
    println!("|---|---|---|---|");
    for (model, flags, predictions) in PREDICTED {
        let work = format!("a prediction of {model} as WebAssembly");
        let seen = is_asked_for(&work).then(|| against_native(model, flags, predictions));
        if let Some([page_ms, native_ms]) = seen.flatten() {
            let ratio = page_ms / native_ms;
            let seen = format!("{ratio:.2} × ({page_ms:.2} ms against {native_ms:.2} ms)");
            row(&work, "≤ 3 × native", &seen, ratio <= 3.0);
        }
    }
    let work = "the whole page, packed by gzip";
    if is_asked_for(work) {
        let megabytes = packed_bytes(&folder()).expect("the page can be read") / 1e6;
        let seen = format!("{megabytes:.2} MB");
        row(work, "≤ 4 MB", &seen, megabytes <= 4.0);
    }
    let least = |work: &str, target: &str, most_ms: f64, seen_ms: &dyn Fn() -> Option<f64>| {
        if let Some(seen_ms) = is_asked_for(work).then(seen_ms).flatten() {
            row(
                work,
                target,
                &format!("{seen_ms:.0} ms"),
                seen_ms <= most_ms,
            );
        }
    };
    let cold = "the first prediction of LAPW0, from a cold load";
    least(cold, "≤ 1,500 ms", 1500.0, &first_prediction_ms);
    let work = "a slider over 100 values of LAPW0: time and curve";
    if let Some(took_ms) = is_asked_for(work).then(slider_ms).flatten() {
        let [median_ms, most_ms] = [took_ms[50], took_ms[94]];
        let seen = format!("{median_ms:.0} ms; 95 of 100 in {most_ms:.0} ms");
        row(work, "≤ 50 ms a frame", &seen, most_ms <= 50.0);
    }
    let layout = format!("the layout of {NODES} nodes");
    least(&layout, "≤ 3,000 ms", 3000.0, &layout_ms);
}

fn row(work: &str, target: &str, seen: &str, is_met: bool) {
    let met = verdict(is_met);
    println!("| {work} | {target} | {seen} | {met} |");
}

/// Returns the milliseconds of a prediction in the page and in this program. The fastest turn of
/// each counts.
fn against_native(model: &str, flags: &str, predictions: usize) -> Option<[f64; 2]> {
    let page = Page::start()?;
    page.open("");
    page.shows("Open a file");
    let text = prophet_samples::find(model)?.text;
    let open = format!("POST open/1/{model}.uml\n{text}");
    let predict = format!("POST api/predict\n{{\"flags\": {flags}}}");
    let mut studio = Studio::new();
    studio.answer(open.as_bytes());
    let mut least = [f64::INFINITY; 2];
    for _ in 0..TURNS {
        let watch = Stopwatch::start();
        for _ in 0..predictions {
            studio.answer(predict.as_bytes());
        }
        let native_ms = watch.wall_seconds() * 1e3;
        let mut requests = vec![open.clone()];
        requests.resize(predictions + 1, predict.clone());
        let answers = page.answers(&requests);
        let page_ms: f64 = answers[1..].iter().map(|(_, ms)| ms).sum();
        least = [least[0].min(page_ms), least[1].min(native_ms)];
    }
    let times = f64::from(u32::try_from(predictions).unwrap_or(u32::MAX));
    Some(least.map(|ms| ms / times))
}

/// Returns the size of a folder's files in bytes, compressed as web hosts send them.
fn packed_bytes(folder: &Path) -> io::Result<f64> {
    let mut sum = 0.0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sum += packed_bytes(&path)?;
            continue;
        }
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&fs::read(path)?)?;
        let length = u32::try_from(packed.finish()?.len()).unwrap_or(u32::MAX);
        sum += f64::from(length);
    }
    Ok(sum)
}

/// Returns the milliseconds from requesting the page until it shows the predicted time, each in a
/// new browser.
fn first_prediction_ms() -> Option<f64> {
    let turns = (0..TURNS).map(|_| {
        let page = Page::start()?;
        page.open("#sample=lapw0");
        Some(page.shows("1,068.7 s"))
    });
    median(turns.collect::<Option<_>>()?)
}

fn slider_ms() -> Option<Vec<f64>> {
    let page = Page::start()?;
    page.open("#sample=lapw0");
    page.shows("1,068.7 s");
    page.browser.press("t");
    page.until("document.querySelector('[aria-label=\"NAT, slider\"]')");
    let took = page.browser.run_async(SLIDE);
    Some(serde_json::from_value(took).expect("a time for each value"))
}

fn layout_ms() -> Option<f64> {
    let page = Page::start()?;
    let text = branching(NODES);
    let turns = (0..3).map(|_| {
        page.open("");
        page.shows("Open a file");
        page.browser.drop_files(".drop", &[["large.uml", &text]]);
        page.until(&format!(
            "document.querySelectorAll('.djs-shape').length >= {NODES}"
        ));
        page.browser.run_async(LAY_OUT).as_f64()
    });
    median(turns.collect::<Option<_>>()?)
}

/// Writes a model with this number of nodes, without positions: a chain of decisions with two
/// actions each.
fn branching(nodes: usize) -> String {
    let (mut content, mut flows) = (String::new(), 0);
    let mut flow = |content: &mut String, from: usize, to: usize| {
        let _ = write!(
            content,
            "<edge xmi:type='uml:ControlFlow' xmi:id='_f{flows}' source='_n{from}' \
             target='_n{to}'/>"
        );
        flows += 1;
    };
    for number in 0..nodes {
        let kind = ["DecisionNode", "OpaqueAction", "OpaqueAction", "MergeNode"][number % 4];
        let _ = write!(
            content,
            "<node xmi:type='uml:{kind}' xmi:id='_n{number}' name='N{number}'/>"
        );
        if number % 4 == 3 {
            for action in [number - 2, number - 1] {
                flow(&mut content, number - 3, action);
                flow(&mut content, action, number);
            }
            if number + 1 < nodes {
                flow(&mut content, number, number + 1);
            }
        }
    }
    format!(
        "<uml:Model xmi:version='20131001' xmlns:xmi='http://www.omg.org/spec/XMI/20131001' \
         xmlns:uml='http://www.eclipse.org/uml2/5.0.0/UML' xmi:id='_m' name='Large'>\
         <packagedElement xmi:type='uml:Activity' xmi:id='_a' name='Main'>{content}\
         </packagedElement></uml:Model>"
    )
}
