//! The page in Chromium, as `cargo xtask book --studio` has made it.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use prophet_samples::SAMPLES;
use prophet_testing::Browser;
use prophet_web::Studio;
use serde_json::{Value, json};

const CONTROL: &str = "\u{e009}";
const ENTER: &str = "\u{e007}";
const SHIFT: &str = "\u{e008}";
const ESCAPE: &str = "\u{e00c}";

/// Waits for a condition at each frame; gives the time since the page began to load.
const UNTIL: &str = "const end = performance.now() + 60000; const look = () => { \
    if (CONDITION) done(performance.now()); else if (performance.now() > end) done(null); \
    else requestAnimationFrame(look) }; look()";

/// Asks the studio's program, in the page, for the answers to requests in hexadecimal digits.
const ANSWERS: &str = "const load = async () => { \
    const packed = await fetch('studio.bin'); \
    const stream = packed.body.pipeThrough(new DecompressionStream('gzip')); \
    const bytes = await new Response(stream).arrayBuffer(); \
    const module = await WebAssembly.compile(bytes); \
    const imports = {}; \
    for (const { module: from } of WebAssembly.Module.imports(module)) \
        imports[from] = new Proxy({}, { get: () => () => null }); \
    const { exports: it } = await WebAssembly.instantiate(module, imports); \
    const answers = []; \
    for (const text of REQUESTS) { \
        const request = new TextEncoder().encode(text); \
        const at = it.room(request.length); \
        new Uint8Array(it.memory.buffer, at, request.length).set(request); \
        const began = performance.now(); \
        const length = it.answer(); \
        const took = performance.now() - began; \
        const answer = new Uint8Array(it.memory.buffer, it.place(), length); \
        answers.push([new TextDecoder().decode(answer), took]); \
    } \
    return answers; }; \
    load().then(done, (why) => done(String(why)))";

/// The head and the body of an answer, apart from what the run itself took.
fn result(answer: &[u8]) -> [Value; 2] {
    let mut lines = answer.splitn(2, |it| *it == b'\n');
    [(); 2].map(|()| {
        let mut value: Value = serde_json::from_slice(lines.next().unwrap()).unwrap();
        if let Some(result) = value.get_mut("result").and_then(Value::as_object_mut) {
            result.remove("evaluation");
        }
        value
    })
}

/// The folder of the page.
fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let folder = root.unwrap().join("target/book/html/studio");
    assert!(
        folder.join("studio.bin").is_file(),
        "run `cargo xtask book --studio` before"
    );
    folder
}

/// Serves files of a folder as a host of pages does; gives the address.
fn serve(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            std::thread::spawn(move || send(&stream, &folder));
        }
    });
    address
}

fn send(mut stream: &TcpStream, folder: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let line = lines.next()?.ok()?;
    let path = line.split(' ').nth(1)?.trim_start_matches('/').to_owned();
    while !lines.next()?.ok()?.is_empty() {}
    let (status, bytes) = match fs::read(folder.join(&path)) {
        Ok(bytes) => ("200 OK", bytes),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let kind = match path.rsplit('.').next()? {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        _ => "application/octet-stream",
    };
    let length = bytes.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&bytes).ok()
}

/// A browser, with the address of the page.
struct Page {
    browser: Browser,
    address: String,
    _profile: tempfile::TempDir,
}

impl Page {
    fn start() -> Option<Self> {
        let profile = tempfile::tempdir().unwrap();
        let browser = Browser::start(profile.path())?;
        browser.resize(1500, 950);
        let address = serve(folder()) + "index.html";
        Some(Self {
            browser,
            address,
            _profile: profile,
        })
    }

    fn open(&self, fragment: &str) {
        // The same page with another fragment is loaded again.
        self.browser.open_address("about:blank");
        self.browser
            .open_address(&format!("{}{fragment}", self.address));
    }

    /// Waits until an expression is true; gives the time since the page began to load.
    fn until(&self, condition: &str) -> f64 {
        let came = self
            .browser
            .run_async(&UNTIL.replace("CONDITION", condition));
        let text = self.browser.run("return document.body.innerText");
        came.as_f64()
            .unwrap_or_else(|| panic!("{condition}\n{text}\n{:?}", self.browser.console()))
    }

    fn shows(&self, text: &str) -> f64 {
        self.until(&format!("document.body.innerText.includes({text:?})"))
    }
}

#[test]
#[ignore = "needs `cargo xtask book --studio`"]
fn the_page_answers_as_the_program_does_to_the_last_bit() {
    let Some(page) = Page::start() else { return };
    page.open("");
    page.shows("Open a file");
    let mut requests = Vec::new();
    for sample in SAMPLES {
        requests.push(format!("POST open/1/{}.uml\n{}", sample.name, sample.text));
        requests.push("POST api/predict\n{}".to_owned());
    }
    let wavefront = json!({ "flags": { "nodes": "256", "SWEEPS": "100" } });
    let text = prophet_samples::find("wavefront").unwrap().text;
    requests.push(format!("POST open/1/wavefront.uml\n{text}"));
    requests.push(format!("POST api/predict\n{wavefront}"));
    let script = ANSWERS.replace("REQUESTS", &json!(requests).to_string());
    let answers = page.browser.run_async(&script);
    let answers = answers.as_array().unwrap_or_else(|| panic!("{answers}"));
    assert_eq!(answers.len(), requests.len());
    let (mut studio, mut table) = (Studio::new(), String::new());
    for (request, answer) in requests.iter().zip(answers) {
        let watch = prophet_testing::Stopwatch::start();
        let native = studio.answer(request.as_bytes());
        let native_ms = watch.wall_seconds() * 1e3;
        let line = request.lines().next().unwrap();
        let here = answer[0].as_str().unwrap_or_default();
        assert_eq!(result(here.as_bytes()), result(&native), "{line}");
        let _ = writeln!(
            table,
            "{line}: {} ms here, {native_ms:.1} ms native",
            answer[1]
        );
    }
    eprintln!("{table}");
}

#[test]
#[ignore = "needs `cargo xtask book --studio`"]
fn a_model_is_predicted_edited_and_shared_in_the_page() {
    let Some(page) = Page::start() else { return };
    page.open("#sample=lapw0");
    let first_ms = page.shows("1,109.5 s");
    eprintln!("the first prediction is shown {first_ms:.0} ms after the page began to load");
    page.browser.press("/");
    page.browser.press("SFT");
    page.browser.press(ENTER);
    page.browser.press("e");
    page.until("document.activeElement.matches('.code-host')");
    page.browser.press_while(CONTROL, "a");
    page.browser.press("0");
    let time = "return document.querySelector('.time strong').innerText";
    page.until("document.querySelector('.time strong').innerText !== '1,109.5 s'");
    let changed = page.browser.run(time);
    page.browser.press(&ESCAPE.repeat(2));
    page.browser.press_while(SHIFT, "L");
    page.until("location.hash.includes('model=')");
    let fragment = page.browser.run("return location.hash");
    page.open(fragment.as_str().unwrap());
    page.until(&format!(
        "document.querySelector('.time strong')?.innerText === {changed}"
    ));
    page.browser.click("#tab-report");
    page.until("document.querySelector('iframe')");
    page.browser.in_frame("iframe", || {
        page.until("document.getElementById('predicted-time')?.textContent.length > 1");
    });
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
#[ignore = "needs `cargo xtask book --studio`"]
fn strangers_addresses_are_refused_with_reasons() {
    let Some(page) = Page::start() else { return };
    for (fragment, why) in [
        ("#sample=none", "there is no sample `none`"),
        (
            "#model=%%%",
            "the address has no whole model: it was cut off or changed",
        ),
        (
            "#model=q1YqSS0u",
            "the address has no whole model: it was cut off or changed",
        ),
    ] {
        page.open(fragment);
        page.shows(why);
    }
    page.open("#sample=sample&--nodes=<b>&--report=/etc/passwd");
    page.shows("cannot be set to");
    let bold = page
        .browser
        .run("return document.querySelector('b') === null");
    assert_eq!(bold, Value::from(true));
}
