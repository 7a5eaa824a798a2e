//! Measures the studio's speed as a user sees it, in Chromium. `cargo xtask bench studio` writes
//! the rows into `prophet-runtime/benches/figures.md`.
//!
//! With words on the command line, only the rows that contain one of them are measured.
#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::fmt::Write as _;
use std::fs;
use std::io::Cursor;

use prophet_studio::server::Server;
use prophet_testing::{Browser, is_asked_for, median, verdict};
use serde_json::{Value, json};
use zip::ZipArchive;

/// Number of measurements per row. The median counts.
const TURNS: usize = 7;
const FRAMES: usize = 150;
const LAPW0: &str = include_str!("../../../sample-models/lapw0.uml");
const WAVEFRONT: &str = include_str!("../../../sample-models/wavefront.uml");

fn main() {
    println!("| work | target | seen | met |");
    println!("|---|---|---|---|");
    let most = |work: &str, limit_s: f64, seen_s: &dyn Fn() -> Option<f64>| {
        let ms = |it: f64| format!("{:.0} ms", it * 1e3);
        let seen = is_asked_for(work).then(seen_s).flatten();
        row(work, seen, &format!("≤ {}", ms(limit_s)), ms, |it| {
            it <= limit_s
        });
    };
    most("first view of LAPW0", 1.0, &first_view);
    most("time shown after an edit of LAPW0", 0.1, &|| {
        edit(LAPW0, "_SFT", "2 * DoSFT()", &[])
    });
    let ranks = [("nodes", "1024"), ("SWEEPS", "800")];
    most(
        "time shown after an edit of the wavefront on 1,024 processes",
        1.0,
        &|| edit(WAVEFRONT, "_Work", "2 * T_WORK", &ranks),
    );
    for (nodes, target) in [(200, 60.0), (1000, 20.0), (3000, 20.0)] {
        let work = format!("frames a second while a node is dragged, among {nodes}");
        let seen = is_asked_for(&work).then(|| drag(nodes)).flatten();
        let told = |it: f64| format!("{it:.0}");
        // A 60 Hz display never shows more than 60 frames per second, and measurements are slightly
        // lower.
        row(&work, seen, &format!("≥ {target}"), told, |it| {
            it >= 0.99 * target
        });
    }
    let work = "the whole page, packed by gzip";
    let seen = is_asked_for(work).then(page_bytes).flatten();
    let megabytes = |it: f64| format!("{:.2} MB", it / 1e6);
    row(work, seen, "≤ 1.50 MB", megabytes, |it| it <= 1.5e6);
}

fn row(
    work: &str,
    seen: Option<f64>,
    target: &str,
    told: impl Fn(f64) -> String,
    is_met: impl Fn(f64) -> bool,
) {
    if let Some(seen) = seen {
        let met = verdict(is_met(seen));
        println!("| {work} | {target} | {} | {met} |", told(seen));
    }
}

struct Page {
    browser: Browser,
    address: String,
    _folder: tempfile::TempDir,
}

impl Page {
    fn open(model: &str) -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let file = folder.path().join("model.uml");
        fs::write(&file, model).ok()?;
        let server = Server::open(&file, 0, None).ok()?;
        let browser = Browser::start(&folder.path().join("browser"))?;
        let address = server.address();
        std::thread::spawn(|| server.run());
        browser.resize(1500, 950);
        browser.open_address(&address);
        Some(Self {
            browser,
            address,
            _folder: folder,
        })
    }

    /// Checks an expression at every frame until it is true. Returns the milliseconds since the
    /// page was opened.
    fn until(&self, condition: &str) -> f64 {
        let script = format!(
            "const look = () => ({condition}) ? done(performance.now()) \
             : requestAnimationFrame(look); look()"
        );
        self.browser.run_async(&script).as_f64().unwrap_or(f64::NAN)
    }
}

/// Returns the seconds from the request for the page until it shows the model with the predicted
/// time.
fn first_view() -> Option<f64> {
    let page = Page::open(LAPW0)?;
    let view = || {
        page.browser.open_address(&page.address);
        page.until(
            "document.querySelectorAll('.djs-shape').length == 14 \
             && document.querySelector('.time').textContent.includes(' s')",
        ) / 1e3
    };
    median((0..TURNS).map(|_| view()).collect())
}

/// Returns the seconds from the key that changes a cost until the frame with the new predicted
/// time.
fn edit(model: &str, element: &str, cost: &str, flags: &[(&str, &str)]) -> Option<f64> {
    let page = Page::open(model)?;
    page.until("document.querySelector('.djs-shape')");
    let flags: Value = flags
        .iter()
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    let remember = format!(
        "sessionStorage.setItem('flags of model.uml', JSON.stringify({flags})); location.reload()"
    );
    page.browser.run(&remember);
    page.until("document.querySelector('.time:not(.running) strong')?.textContent.includes('s')");
    let edits = json!([{ "do": "tag", "element": element, "tag": "cost", "value": cost }]);
    let body = json!({ "revision": 1, "label": "Change", "edits": edits });
    page.browser.run_async(&format!(
        "fetch('api/edit', {{method: 'POST', headers: {{'content-type': 'application/json'}}, \
         body: JSON.stringify({body})}}).then(it => done(it.status))"
    ));
    page.until("document.querySelector('[aria-label=\"Undo: Change\"]:not([disabled])')");
    page.browser.run_async("setTimeout(() => done(1), 2000)");
    // Undo and redo change the cost like an edit, and the predicted time is different each time.
    let turn = |key: &str| {
        page.until("!document.querySelector('.time.running')");
        let script = format!(
            "const time = document.querySelector('.time'); const was = time.innerText; \
             const begun = performance.now(); \
             document.querySelector('.canvas svg').focus(); \
             document.activeElement.dispatchEvent(new KeyboardEvent('keydown', \
             {{key: '{key}', ctrlKey: true, bubbles: true, cancelable: true}})); \
             const look = () => time.innerText != was \
             ? done(performance.now() - begun) : requestAnimationFrame(look); look()"
        );
        let seen_ms = page.browser.run_async(&script).as_f64();
        page.browser.run_async("setTimeout(() => done(1), 300)");
        seen_ms.unwrap_or(f64::NAN) / 1e3
    };
    median((0..TURNS).flat_map(|_| [turn("z"), turn("y")]).collect())
}

/// A model of `nodes` actions in a grid. Each action has a flow to the next one.
fn grid(nodes: usize) -> String {
    let mut inside = String::new();
    let mut shapes = String::new();
    for number in 0..nodes {
        let next = number + 1;
        let _ = write!(
            inside,
            "<node xmi:type='uml:OpaqueAction' xmi:id='_n{number}' name='Action {number}'/>"
        );
        if next < nodes {
            let _ = write!(
                inside,
                "<edge xmi:type='uml:ControlFlow' xmi:id='_f{number}' source='_n{number}' \
                 target='_n{next}'/>"
            );
        }
        let (x, y) = (200 * (number % 32), 110 * (number / 32));
        let _ = write!(
            shapes,
            "<ownedElement xmi:type='umldi:UMLShape' xmi:id='_s{number}' \
             modelElement='_n{number}'><bounds x='{x}' y='{y}' width='160' height='64'/>\
             </ownedElement>"
        );
    }
    format!(
        "<uml:Model xmi:version='20131001' xmlns:xmi='http://www.omg.org/spec/XMI/20131001' \
         xmlns:uml='http://www.eclipse.org/uml2/5.0.0/UML' xmi:id='_m' name='Grid'>\
         <packagedElement xmi:type='uml:Activity' xmi:id='_a' name='Main'>{inside}\
         </packagedElement><xmi:Extension extender='Performance Prophet'>\
         <umldi:UMLActivityDiagram \
         xmlns:umldi='http://www.omg.org/spec/UML/20131001/UMLDI' xmi:id='_d' \
         modelElement='_a'>{shapes}</umldi:UMLActivityDiagram></xmi:Extension></uml:Model>"
    )
}

/// Returns the frames per second while a node is dragged around.
fn drag(nodes: usize) -> Option<f64> {
    let page = Page::open(&grid(nodes))?;
    page.until(&format!(
        "document.querySelectorAll('.djs-shape').length == {nodes}"
    ));
    page.browser.run_async("setTimeout(() => done(1), 1500)");
    let script = format!(
        "const hit = document.querySelector(\"[data-element-id='_n35'] .djs-hit\");
         const box = hit.getBoundingClientRect();
         const at = {{x: box.left + box.width / 2, y: box.top + box.height / 2}};
         const send = (target, type, clientX, clientY) => target.dispatchEvent(new MouseEvent(
             type, {{clientX, clientY, bubbles: true, cancelable: true, buttons: 1}}));
         send(hit, 'mousedown', at.x, at.y);
         let frame = 0; let begun = 0;
         const step = () => {{
             const turn = frame / 12;
             const x = at.x + 20 + frame + 40 * Math.sin(turn);
             const y = at.y + 30 + 40 * Math.cos(turn);
             const below = document.elementFromPoint(x, y) ?? document;
             send(below, 'mousemove', x, y);
             if (frame === 10) begun = performance.now();
             if (frame++ < {FRAMES} + 10) requestAnimationFrame(step);
             else {{
                 const ms = performance.now() - begun;
                 const moved = document.querySelector('.djs-drag-group, .djs-dragging') !== null;
                 send(document, 'mouseup', x, y);
                 done(moved ? {FRAMES} / ms * 1000 : null);
             }}
         }};
         requestAnimationFrame(step)"
    );
    median(
        (0..3)
            .filter_map(|_| page.browser.run_async(&script).as_f64())
            .collect(),
    )
}

/// Returns the compressed size of all the page's files in bytes.
fn page_bytes() -> Option<f64> {
    let page = Page::open(LAPW0)?;
    let packed = Cursor::new(include_bytes!("../page.zip"));
    let archive = ZipArchive::new(packed).ok()?;
    let names = archive.file_names().map_while(Result::ok);
    let mut names: Vec<String> = names.map(Into::into).collect();
    // The notices are for people who read the sources.
    names.retain(|it| it != "licenses.md");
    let sum = format!(
        "const sizes = {}.map(name => fetch(name, {{cache: 'no-store'}}) \
         .then(it => it.arrayBuffer().then(() => performance.getEntriesByName(it.url).at(-1) \
         .encodedBodySize))); \
         Promise.all(sizes).then(it => done(it.reduce((a, b) => a + b, 0)))",
        json!(names)
    );
    page.browser.run_async(&sum).as_f64()
}
