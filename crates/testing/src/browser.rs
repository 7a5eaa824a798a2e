//! Drives Debian's headless Chromium through a small client for the W3C's `WebDriver`.

mod driver;
mod page;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::skip;
use driver::{Driver, Turn};
pub use page::{BrowserPage, PAINTED, keep_file, kept_pages};

/// A running browser. It is closed when this value is dropped.
#[derive(Debug)]
pub struct Browser {
    session: String,
    driver: Driver,
    /// Dropped after the driver has ended, so that the next browser can start.
    _turn: Turn,
}

/// Flags for running without a display, as root, and without a network.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
];

const CONTROL: char = '\u{e009}';
/// Number of attempts to start a browser, because ports can collide, and Chromium gives up on a
/// busy machine.
const TRIES: u32 = 5;
/// Pause before the second attempt. Each further pause is longer by the same amount.
const PAUSE: Duration = Duration::from_millis(500);
/// Maximum time that a test's script can wait for something.
const SCRIPT_MS: u32 = 300_000;

impl Browser {
    /// Starts a browser with the empty folder `profile` as its profile. If no browser is installed,
    /// skips the test and returns `None`.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`skip`].
    #[expect(clippy::disallowed_methods, reason = "a busy machine needs a pause")]
    pub fn start(profile: &Path) -> Option<Self> {
        let turn = Turn::wait();
        let mut problem = String::new();
        for attempt in 1..=TRIES {
            // Files left by a failed attempt would interfere with the next one.
            match Self::try_start(&profile.join(attempt.to_string())) {
                Ok((driver, session)) => {
                    return Some(Self {
                        session,
                        driver,
                        _turn: turn,
                    });
                }
                Err(why) => problem = why,
            }
            if !is_installed() {
                break;
            }
            std::thread::sleep(PAUSE * attempt);
        }
        skip(format_args!("Chromium cannot be started ({problem})"));
        None
    }

    /// Starts a driver and a browser, and returns the driver and the session's address.
    fn try_start(profile: &Path) -> Result<(Driver, String), String> {
        let driver = Driver::start()?;
        let mut flags: Vec<String> = FLAGS.iter().map(ToString::to_string).collect();
        flags.push(format!("--user-data-dir={}", profile.display()));
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "timeouts": { "script": SCRIPT_MS },
            "goog:chromeOptions": { "args": flags },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        } } });
        let created = call(driver.port, "POST", "/session", &capabilities)?;
        let session = created["sessionId"].as_str().ok_or("no session")?;
        Ok((driver, format!("/session/{session}")))
    }

    pub fn open(&self, file: &Path) {
        self.open_address(&format!("file://{}", file.display()));
    }

    pub fn open_address(&self, url: &str) {
        self.command("POST", "/url", &json!({ "url": url }));
    }

    /// Runs the body of a JavaScript function, and returns its result.
    pub fn run(&self, script: &str) -> Value {
        self.command(
            "POST",
            "/execute/sync",
            &json!({ "script": script, "args": [] }),
        )
    }

    /// Drops files, given by name and text, on the element that matches a CSS selector.
    pub fn drop_files(&self, selector: &str, files: &[[&str; 2]]) {
        let (selector, files) = (json!(selector), json!(files));
        self.run(&format!(
            "const data = new DataTransfer(); \
             for (const [name, text] of {files}) data.items.add(new File([text], name)); \
             const event = {{ dataTransfer: data, bubbles: true, cancelable: true }}; \
             document.querySelector({selector}).dispatchEvent(new DragEvent('drop', event))"
        ));
    }

    /// Runs the body of a JavaScript function that ends by calling `done(value)`, and returns that
    /// value.
    pub fn run_async(&self, script: &str) -> Value {
        let script = format!("const done = arguments[arguments.length - 1]; {script}");
        self.command(
            "POST",
            "/execute/async",
            &json!({ "script": script, "args": [] }),
        )
    }

    /// Calls `act` while commands apply to the frame that matches a CSS selector. Inside a frame,
    /// positions in the page differ from positions in the window, so click with
    /// [`Self::click_element`].
    pub fn in_frame<T>(&self, selector: &str, act: impl FnOnce() -> T) -> T {
        let frame = self.element(selector);
        self.command("POST", "/frame", &json!({ "id": frame }));
        let done = act();
        self.command("POST", "/frame", &json!({ "id": null }));
        done
    }

    /// Clicks the center of the element that matches a CSS selector, even inside a frame.
    pub fn click_element(&self, selector: &str) {
        self.show(selector);
        let element = self.element(selector);
        let ids = element.as_object().into_iter().flat_map(|it| it.values());
        for id in ids.filter_map(Value::as_str) {
            self.command("POST", &format!("/element/{id}/click"), &json!({}));
        }
    }

    fn element(&self, selector: &str) -> Value {
        let by = json!({ "using": "css selector", "value": selector });
        self.command("POST", "/element", &by)
    }

    /// Sends a command in the browser's own protocol, `DevTools`, and returns the result.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.command("POST", "/goog/cdp/execute", &body)
    }

    /// Presses keys one after another. Special keys are code points of `WebDriver`.
    pub fn press(&self, keys: &str) {
        self.press_while("", keys);
    }

    /// Presses keys while other keys, such as Shift, are held down.
    pub fn press_while(&self, held: &str, keys: &str) {
        let key = |kind: &str, key: char| json!({ "type": kind, "value": key.to_string() });
        let down = held.chars().map(|held| key("keyDown", held));
        let pressed = keys.chars();
        let pressed = pressed.flat_map(|pressed| [key("keyDown", pressed), key("keyUp", pressed)]);
        let up = held.chars().map(|held| key("keyUp", held));
        let actions: Vec<Value> = down.chain(pressed).chain(up).collect();
        self.act(&json!([{ "type": "key", "id": "keyboard", "actions": actions }]));
    }

    /// Types keys as a person does, pausing after each one. Control stays down for the key that
    /// follows it.
    pub fn type_keys(&self, keys: &str, pause: Duration) {
        let pause = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        let down = |key: char| json!({ "type": "keyDown", "value": key.to_string() });
        let up = |key: char| json!({ "type": "keyUp", "value": key.to_string() });
        let mut actions = Vec::new();
        let mut is_held = false;
        for key in keys.chars() {
            actions.push(down(key));
            if key == CONTROL {
                is_held = true;
                continue;
            }
            actions.push(up(key));
            if std::mem::take(&mut is_held) {
                actions.push(up(CONTROL));
            }
            actions.push(json!({ "type": "pause", "duration": pause }));
        }
        self.act(&json!([{ "type": "key", "id": "keyboard", "actions": actions }]));
    }

    /// Drags the mouse from one position in the window to another, while the keys in `held` are
    /// held down.
    pub fn drag(&self, from: (i64, i64), to: (i64, i64), held: &str) {
        let step = |(x, y): (i64, i64)| json!({ "type": "pointerMove", "x": x, "y": y });
        let middle = (i64::midpoint(from.0, to.0), i64::midpoint(from.1, to.1));
        let press = json!({ "type": "pointerDown", "button": 0 });
        let release = json!({ "type": "pointerUp", "button": 0 });
        let key = |kind: &str, key: char| json!({ "type": kind, "value": key.to_string() });
        let down: Vec<Value> = held.chars().map(|held| key("keyDown", held)).collect();
        let up: Vec<Value> = held.chars().map(|held| key("keyUp", held)).collect();
        let steps = [step(from), press, step(middle), step(to), release];
        for (kind, id, actions) in [
            ("key", "keyboard", down),
            ("pointer", "mouse", steps.to_vec()),
            ("key", "keyboard", up),
        ] {
            self.act(&json!([{ "type": kind, "id": id, "actions": actions }]));
        }
    }

    /// Clicks the element that matches a CSS selector, at a point where it is visible.
    pub fn click(&self, selector: &str) {
        let place = self.show(selector);
        let place = (
            place[0].as_i64().unwrap_or_default(),
            place[1].as_i64().unwrap_or_default(),
        );
        self.drag(place, place, "");
    }

    /// Scrolls to the element that matches a CSS selector, and returns its center.
    fn show(&self, selector: &str) -> Value {
        let script = format!(
            "const found = document.querySelector({}); const show = (then) => {{ \
             found.scrollIntoView({{block: 'center'}}); \
             requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(then, 50))); }}; \
             const tell = () => {{ const box = found.getBoundingClientRect(); \
             done([box.left + box.width / 2, box.top + box.height / 2].map(Math.round)); }}; \
             show(() => show(tell))",
            Value::from(selector)
        );
        // The height of elements can change when they are drawn on the way, so scroll twice.
        self.run_async(&script)
    }

    fn act(&self, actions: &Value) {
        self.command("POST", "/actions", &json!({ "actions": actions }));
    }

    /// Makes the browser save downloads in a folder.
    pub fn save_to(&self, folder: &Path) {
        let behavior = json!({ "behavior": "allow", "downloadPath": folder });
        self.devtools("Browser.setDownloadBehavior", &behavior);
    }

    /// Takes a screenshot of the whole page in a window of this width, with the color scheme
    /// `scheme`. Returns a PNG in base64.
    pub fn picture(&self, width: u32, scheme: &str) -> String {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools(
            "Emulation.setEmulatedMedia",
            &json!({ "features": features }),
        );
        self.resize(width, 900);
        let painted = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => \
                       done(document.documentElement.scrollHeight), 300)))";
        let height = self.run_async(painted);
        self.resize(
            width,
            u32::try_from(height.as_u64().unwrap_or(900)).unwrap_or(900),
        );
        self.run_async(painted);
        let shot = self.devtools("Page.captureScreenshot", &json!({ "format": "png" }));
        shot["data"].as_str().unwrap_or_default().to_owned()
    }

    /// Sets the window's size, in CSS pixels.
    pub fn resize(&self, width: u32, height: u32) {
        self.devtools(
            "Emulation.setDeviceMetricsOverride",
            &json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false }),
        );
    }

    /// Returns the console's messages since the last call.
    pub fn console(&self) -> Vec<String> {
        self.log("browser")
            .iter()
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Returns the addresses that pages opened from files have requested since the last call.
    /// Requests of the browser's own first page are left out.
    pub fn requests(&self) -> Vec<String> {
        let message = |entry: &Value| -> Option<Value> {
            serde_json::from_str(entry["message"].as_str()?).ok()
        };
        self.log("performance")
            .iter()
            .filter_map(message)
            .filter(|event| event["message"]["method"] == "Network.requestWillBeSent")
            .filter_map(|mut event| {
                let request = event["message"]["params"].take();
                let from = request["documentURL"].as_str()?;
                let url = request["request"]["url"].as_str()?;
                from.starts_with("file:").then(|| url.to_owned())
            })
            .collect()
    }

    fn log(&self, kind: &str) -> Vec<Value> {
        let entries = self.command("POST", "/se/log", &json!({ "type": kind }));
        entries.as_array().cloned().unwrap_or_default()
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Value {
        let whole = format!("{}{path}", self.session);
        call(self.driver.port, method, &whole, body)
            .unwrap_or_else(|problem| panic!("{path}: {problem}"))
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver is stopped next, whatever it answers.
        let _ = call(self.driver.port, "DELETE", &self.session, &json!({}));
    }
}

/// Returns `true` if a driver is installed. If not, there is no point in further attempts.
fn is_installed() -> bool {
    let mut driver = Command::new("chromedriver");
    driver.arg("--version").stdout(Stdio::null());
    driver.status().is_ok()
}

fn call(port: u16, method: &str, path: &str, body: &Value) -> Result<Value, String> {
    let answer =
        exchange(port, method, path, &body.to_string()).map_err(|error| error.to_string())?;
    let answer: Value = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
    let value = &answer["value"];
    match value["error"].as_str() {
        Some(error) => Err(format!("{error}: {}", value["message"])),
        None => Ok(value.clone()),
    }
}

fn exchange(port: u16, method: &str, path: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )?;
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut answer = vec![0; length];
    reader.read_exact(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
