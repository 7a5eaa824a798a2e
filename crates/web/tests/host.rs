//! Opens the page built by `cargo xtask book --studio` in Chromium.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use prophet_testing::Browser;
use serde_json::json;

/// Checks a condition at every frame until it is true. Returns the time since the page started to
/// load.
const UNTIL: &str = "const end = performance.now() + 60000; const look = () => { \
    if (CONDITION) done(performance.now()); else if (performance.now() > end) done(null); \
    else requestAnimationFrame(look) }; look()";

/// Sends requests in hexadecimal to the studio's program in the page.
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

pub(crate) fn folder() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let folder = root.unwrap().join("target/book/html/studio");
    assert!(
        folder.join("studio.bin").is_file(),
        "run `cargo xtask book --studio` before"
    );
    folder
}

/// Serves the files in a folder like a web host, and returns the address.
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

/// A browser, and the address of the page.
pub(crate) struct Page {
    pub(crate) browser: Browser,
    address: String,
    _profile: tempfile::TempDir,
}

impl Page {
    pub(crate) fn start() -> Option<Self> {
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

    pub(crate) fn open(&self, fragment: &str) {
        // The page isn't reloaded if the address differs only in its fragment.
        self.browser.open_address("about:blank");
        self.browser
            .open_address(&format!("{}{fragment}", self.address));
    }

    /// Waits until an expression is true, and returns the time since the page started to load.
    pub(crate) fn until(&self, condition: &str) -> f64 {
        let came = self
            .browser
            .run_async(&UNTIL.replace("CONDITION", condition));
        let text = self.browser.run("return document.body.innerText");
        came.as_f64()
            .unwrap_or_else(|| panic!("{condition}\n{text}\n{:?}", self.browser.console()))
    }

    pub(crate) fn shows(&self, text: &str) -> f64 {
        self.until(&format!("document.body.innerText.includes({text:?})"))
    }

    /// Returns the answers of the studio's program in the page, and the milliseconds that each
    /// took.
    pub(crate) fn answers(&self, requests: &[String]) -> Vec<(String, f64)> {
        let script = ANSWERS.replace("REQUESTS", &json!(requests).to_string());
        let answers = self.browser.run_async(&script);
        let all: Option<Vec<(String, f64)>> = serde_json::from_value(answers.clone()).ok();
        all.unwrap_or_else(|| panic!("{answers}"))
    }
}
