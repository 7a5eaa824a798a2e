//! Tests, with files of cases, what users do on the page, and what the page then shows.
//!
//! The first line of a case opens a model, optionally with values for fields; `folder` opens a
//! folder of models. Lines `with OLD => NEW` change the model's text first. Each further line is a
//! step:
//!
//! | words | do |
//! |---|---|
//! | `click SELECTOR`, `element SELECTOR` | click there; the second also in a frame |
//! | `press KEYS` | press keys, of which some have names: `<Enter>`, `<Ctrl z>` |
//! | `press-until KEYS => EXPRESSION` | press them again and again, until it is true |
//! | `drag EXPRESSION` | drag the mouse from the first place that it gives to the second |
//! | `until EXPRESSION`, `shows TEXT` | wait until it is true, and until the page has a text |
//! | `do STATEMENTS`, `tell EXPRESSION` | run JavaScript; tell a value |
//! | `wait MS`, `leave-code`, `open-again` | as said |
//! | `frame SELECTOR => STEP` | do a step in a frame |
//! | `write [OLD => NEW]`, `save FILE TEXT` | another program writes the model, or another file |
//! | `same FILE`, `count TEXT`, `read FILE` | the file is as shipped; tell what is in the model's |
//! | `saved END HEAD` | a file with that ending is downloaded, and begins so |
//! | `devtools COMMAND JSON`, `predicts-sample` | as methods of the browser and the page |
//!
//! All other words are in `scripts/words.txt`. The console's messages come last.

use std::cell::RefCell;
use std::fs;

use prophet_testing::{Case, assert_cases, words};

use crate::studio::{
    CONTROL, DELETE, DOWN, EMPTY, ENTER, ESCAPE, LAPW0, Page, SAMPLE, SHIFT, TAB, UP, downloaded,
};

/// Words composed of others: a line `:name PARAMETERS`, followed by the steps.
const WORDS: &str = include_str!("scripts/words.txt");

pub(crate) const MODELS: &[(&str, &str)] = &[
    (
        "genome",
        include_str!("../../../sample-models/workflows/genome.uml"),
    ),
    (
        "profile",
        include_str!("../../../sample-models/prophet.profile.uml"),
    ),
    ("empty", EMPTY),
    ("lapw0", LAPW0),
    ("sample", SAMPLE),
    ("hybrid", include_str!("../../../sample-models/hybrid.uml")),
    (
        "pingpong",
        include_str!("../../../sample-models/pingpong.uml"),
    ),
    (
        "sweep3d",
        include_str!("../../../sample-models/sweep3d.uml"),
    ),
    (
        "loops",
        include_str!("../../../sample-models/kernel6_detailed.uml"),
    ),
    (
        "machine",
        include_str!("../../../sample-models/first-model/cluster.toml"),
    ),
];

const KEYS: &[(&str, &str)] = &[
    ("Ctrl", CONTROL),
    ("Shift", SHIFT),
    ("Ctrl+Shift", "\u{e009}\u{e008}"),
    ("Enter", ENTER),
    ("Escape", ESCAPE),
    ("Tab", TAB),
    ("Up", UP),
    ("Down", DOWN),
    ("Delete", DELETE),
    ("Space", " "),
    ("Line", "\n"),
];

/// Looks up a name in a table.
pub(crate) fn named(table: &[(&str, &'static str)], name: &str) -> &'static str {
    let found = table.iter().find(|it| it.0 == name);
    found.unwrap_or_else(|| panic!("`{name}` is unknown")).1
}

/// Splits `OLD => NEW`.
pub(crate) fn parts(text: &str) -> (&str, &str) {
    text.split_once(" => ").expect("two parts")
}

/// A page, its model's text, and the output so far.
struct Script {
    page: Page,
    model: String,
    told: RefCell<String>,
}

impl Script {
    /// Opens what the first line names. Returns `None` if the test is skipped.
    fn open(line: &str, changes: &[&str]) -> Option<Self> {
        let mut opened = words(line).into_iter();
        let name = opened.next().expect("a model");
        let pairs: Vec<(String, String)> = opened
            .map(|it| {
                it.split_once('=')
                    .map(|(key, value)| (key.to_owned(), value.to_owned()))
            })
            .collect::<Option<_>>()
            .expect("pairs");
        let pair = |(key, value): &'_ (String, String)| (key.clone(), named(MODELS, value));
        if name == "folder" {
            let models: Vec<_> = pairs.iter().map(pair).collect();
            let models: Vec<(&str, &str)> = models.iter().map(|it| (&*it.0, it.1)).collect();
            let page = Page::open_folder(&models)?;
            let model = models.first().map_or(LAPW0, |it| it.1).to_owned();
            return Some(Self {
                page,
                model,
                told: RefCell::default(),
            });
        }
        let mut model = named(MODELS, &name).to_owned();
        for change in changes {
            let (old, new) = parts(change);
            assert!(model.contains(old), "{old}");
            model = model.replace(old, new);
        }
        let page = Page::open(&model)?;
        let script = Self {
            page,
            model,
            told: RefCell::default(),
        };
        for (field, value) in &pairs {
            script.perform(&format!("set \"{field}\" \"{value}\""));
        }
        Some(script)
    }

    fn tell(&self, line: &str) {
        self.told.borrow_mut().extend([line, "\n"]);
    }

    fn perform(&self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let page = &self.page;
        let evaluate = |text: &str| {
            page.browser
                .run_async(&format!("(async () => {{ {text} }})().then(done)"))
        };
        match word {
            "click" => page.browser.click(rest),
            "element" => page.browser.click_element(rest),
            "press" => press(page, rest),
            "press-until" => {
                let (keys, condition) = parts(rest);
                for _ in 0..64 {
                    if evaluate(&format!("return {condition}")) == true {
                        return;
                    }
                    press(page, keys);
                    evaluate("await new Promise(go => setTimeout(go, 500))");
                }
                panic!("never: {condition}");
            }
            "drag" => {
                let places = evaluate(&format!("return {rest}"));
                let [from, to] = serde_json::from_value(places).expect("two places");
                page.browser.drag(from, to, "");
            }
            "until" => page.until(rest),
            "shows" => page.shows(rest),
            "do" => drop(evaluate(rest)),
            "tell" => {
                let value = evaluate(&format!("return {rest}"));
                self.tell(&value.to_string());
            }
            "wait" => drop(page.browser.run_async(&format!("setTimeout(done, {rest})"))),
            "leave-code" => page.leave_code(),
            "open-again" => page.browser.open_address(&page.address),
            "frame" => {
                let (frame, step) = parts(rest);
                page.browser.in_frame(frame, || self.perform(step));
            }
            "devtools" => {
                let (command, parameters) = rest.split_once(' ').expect("a command and its JSON");
                let parameters = serde_json::from_str(parameters).expect("JSON");
                page.browser.devtools(command, &parameters);
            }
            "predicts-sample" => page.predicts_sample(),
            _ => self.perform_on_files(word, rest),
        }
    }

    fn perform_on_files(&self, word: &str, rest: &str) {
        let page = &self.page;
        let beside = |name: &str| page.file().with_file_name(name);
        let read = |name: &str| fs::read_to_string(beside(name)).expect("it is there");
        match word {
            "write" if rest.is_empty() => fs::write(page.file(), "").expect("there is room"),
            "write" => {
                let (old, new) = parts(rest);
                let text = self.model.replace(old, new);
                fs::write(page.file(), text).expect("there is room");
            }
            "save" => {
                let (name, text) = rest.split_once(' ').expect("a name and a text");
                fs::write(beside(name), text.replace("\\n", "\n")).expect("there is room");
            }
            "same" => assert!(read(rest) == self.model, "{rest} has changed"),
            "count" => {
                self.tell(&read("model.uml").matches(rest).count().to_string());
            }
            "read" => self.tell(read(rest).trim_end()),
            "saved" => {
                let (end, head) = rest.split_once(' ').expect("an ending and a beginning");
                let bytes = downloaded(page, end);
                assert!(String::from_utf8_lossy(&bytes[..8]).contains(head), "{end}");
            }
            _ => self.perform_all(word, rest),
        }
    }

    /// Performs the steps of a composed word. If it has a single parameter, that is the rest of the
    /// line.
    fn perform_all(&self, word: &str, rest: &str) {
        let is_it = |it: &&str| it.lines().next().and_then(|it| it.split(' ').next()) == Some(word);
        let found = WORDS.split("\n:").skip(1).find(is_it);
        let (head, steps) = found
            .and_then(|it| it.split_once('\n'))
            .unwrap_or_else(|| panic!("{word}?"));
        let names: Vec<&str> = head.split(' ').skip(1).collect();
        let values = if names.len() == 1 {
            vec![rest.to_owned()]
        } else {
            words(rest)
        };
        assert_eq!(names.len(), values.len(), "{word} {rest}");
        let text = names
            .iter()
            .zip(&values)
            .fold(steps.to_owned(), |text, (name, value)| {
                text.replace(&format!("[{name}]"), value)
            });
        self.perform_lines(&text);
    }

    /// Performs steps, one per line. Lines that start with spaces continue the previous one.
    fn perform_lines(&self, text: &str) {
        for line in text.replace("\n  ", "").lines().filter(|it| !it.is_empty()) {
            if !line.starts_with("# ") {
                self.perform(line);
            }
        }
    }
}

/// Presses keys. Some are named in angle brackets. Ctrl and Shift are followed by the key that they
/// are held for.
fn press(page: &Page, keys: &str) {
    let mut plain = String::new();
    let mut rest = keys;
    while let Some((before, after)) = rest.split_once('<') {
        let (key, after) = after.split_once('>').expect("a key in brackets");
        plain.push_str(before);
        if let Some((held, key)) = key.split_once(' ') {
            page.browser.press(&std::mem::take(&mut plain));
            page.browser.press_while(named(KEYS, held), key);
        } else {
            plain.push_str(named(KEYS, key));
        }
        rest = after;
    }
    plain.push_str(rest);
    page.browser.press(&plain);
}

/// Returns the output of a script and the console, or the expected text if the test is skipped.
fn answer(case: &Case<'_>) -> String {
    let (changes, steps): (Vec<&str>, Vec<&str>) =
        case.input.lines().partition(|it| it.starts_with("with "));
    let changes: Vec<&str> = changes.iter().map(|it| &it["with ".len()..]).collect();
    let Some(script) = Script::open(steps[0], &changes) else {
        return case.expected.to_owned();
    };
    script.perform_lines(&steps[1..].join("\n"));
    let console = script.page.browser.console().join("\n");
    script.told.into_inner() + &console.replace(&script.page.address, "")
}

macro_rules! files {
    ($($file:ident)*) => {$(
        #[test]
        fn $file() {
            let file = concat!(stringify!($file), ".txt");
            assert_cases(std::path::Path::new("tests/scripts").join(file), answer);
        }
    )*};
}

files! { animation canvas dialogs files keyboard page report troubles }
