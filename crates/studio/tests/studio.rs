//! Runs the studio in a browser for tests.

use std::fs;
use std::path::{Path, PathBuf};

use prophet_studio::server::Server;
use prophet_testing::Browser;
use serde_json::Value;

use crate::robust::program::Program;

pub(crate) const EMPTY: &str = include_str!("../../../sample-models/first-model/empty.uml");
pub(crate) const LAPW0: &str = include_str!("../../../sample-models/lapw0.uml");
pub(crate) const SAMPLE: &str = include_str!("../../../sample-models/sample.uml");

/// Keys, as code points of `WebDriver`.
pub(crate) const TAB: &str = "\u{e004}";
pub(crate) const ENTER: &str = "\u{e007}";
pub(crate) const SHIFT: &str = "\u{e008}";
pub(crate) const CONTROL: &str = "\u{e009}";
pub(crate) const ESCAPE: &str = "\u{e00c}";
pub(crate) const UP: &str = "\u{e013}";
pub(crate) const DOWN: &str = "\u{e015}";
pub(crate) const DELETE: &str = "\u{e017}";

/// The predicted time of the papers' sample model: 121/3.14, SA, and 3.14 + 2.71*3.14.
const SAMPLE_S: f64 = 194.184_431_847_133_74;

pub(crate) struct Page {
    folder: tempfile::TempDir,
    pub(crate) browser: Browser,
    pub(crate) address: String,
}

impl Page {
    /// Opens a model; returns `None` if the test is skipped.
    pub(crate) fn open(model: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.uml");
        fs::write(&file, model).unwrap();
        let page = Self::at(folder, &file)?;
        page.until("document.querySelector('.canvas svg')");
        Some(page)
    }

    /// Opens LAPW0, and waits for its prediction; returns `None` if the test is skipped.
    pub(crate) fn lapw0() -> Option<Self> {
        let page = Self::open(LAPW0)?;
        page.shows("1,068.7 s");
        Some(page)
    }

    /// Opens a model that doesn't exist yet; returns `None` if the test is skipped.
    pub(crate) fn begin() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.uml");
        Self::at(folder, &file)
    }

    /// Opens a path in a folder; returns `None` if there is no browser.
    pub(crate) fn at(folder: tempfile::TempDir, path: &Path) -> Option<Self> {
        let browser = Browser::start(&folder.path().join("browser"))?;
        let server = Server::open(path, 0, None).unwrap();
        let address = server.address();
        std::thread::spawn(|| server.run());
        Some(Self::new(folder, browser, address))
    }

    /// Opens the page at an address, in a window of normal size.
    fn new(folder: tempfile::TempDir, browser: Browser, address: String) -> Self {
        let page = Self {
            folder,
            browser,
            address,
        };
        fs::create_dir(page.downloads()).unwrap();
        page.browser.save_to(&page.downloads());
        page.browser.resize(1500, 950);
        page.browser.open_address(&page.address);
        page
    }

    /// Opens a model in a separate studio process; returns `None` if the test is skipped.
    pub(crate) fn of_program(model: &str) -> Option<(Self, Program)> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.uml");
        fs::write(&file, model).unwrap();
        let browser = Browser::start(&folder.path().join("browser"))?;
        let unsaved = folder.path().join("unsaved");
        let program = Program::start(tempfile::tempdir().unwrap(), &file, &unsaved, None);
        let address = format!("http://{}{}", program.studio.host, program.studio.root);
        Some((Self::new(folder, browser, address), program))
    }

    /// Opens a folder with these models; returns `None` if the test is skipped.
    pub(crate) fn open_folder(models: &[(&str, &str)]) -> Option<Self> {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("models");
        fs::create_dir(&folder).unwrap();
        for (name, text) in models {
            fs::write(folder.join(name), text).unwrap();
        }
        Self::at(outer, &folder)
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.folder.path().join("model.uml")
    }

    fn downloads(&self) -> PathBuf {
        self.folder.path().join("downloads")
    }

    pub(crate) fn until(&self, condition: &str) {
        let script = format!(
            "let looks = 0; const look = () => {{ if ({condition}) done(true); \
             else if (++looks > 1200) done(false); else setTimeout(look, 50); }}; look()"
        );
        let came = self.browser.run_async(&script) == true;
        let text = self.browser.run("return document.body.innerText");
        assert!(came, "{condition}\n{text}\n{:?}", self.browser.console());
    }

    pub(crate) fn shows(&self, text: &str) {
        self.until(&format!("document.body.innerText.includes({text:?})"));
    }

    pub(crate) fn state(&self) -> Value {
        let script = "fetch('api/state').then(it => it.json()).then(it => done(it))";
        self.browser.run_async(script)
    }

    /// Returns the text of the first element matching a selector, or an empty string.
    pub(crate) fn text_of(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.innerText ?? ''");
        self.browser
            .run(&script)
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Moves the focus back to the drawing.
    pub(crate) fn leave_code(&self) {
        self.browser.press(ESCAPE);
        // The first key may have closed a list of completions.
        let is_open = "return document.activeElement.matches('.code-host')";
        if self.browser.run(is_open) == true {
            self.browser.press(ESCAPE);
        }
    }

    /// Waits for the prediction of the papers' sample model, which must have no problems.
    pub(crate) fn predicts_sample(&self) {
        self.shows("194.18 s");
        self.shows("No problems");
        let predicted = "fetch('api/predict', {method: 'POST', body: '{\"flags\": {}}', \
            headers: {'content-type': 'application/json'}}) \
            .then(it => it.json()).then(it => done(it.result.predicted_time_s))";
        assert_eq!(self.browser.run_async(predicted), SAMPLE_S);
        assert_eq!(self.browser.console(), [""; 0]);
    }
}

/// Returns the downloaded file with this extension, once the browser has written it.
pub(crate) fn downloaded(page: &Page, end: &str) -> Vec<u8> {
    let file = (0..200).find_map(|_| {
        page.browser.run_async("setTimeout(done, 50)");
        let mut files = fs::read_dir(page.downloads()).unwrap().flatten();
        files.find(|it| it.file_name().to_string_lossy().ends_with(end))
    });
    fs::read(file.expect("it is downloaded").path()).unwrap()
}
