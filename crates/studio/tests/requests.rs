//! Tests, with files of cases, the server's answers to a page and to other programs on this
//! computer.
//!
//! | words | do |
//! |---|---|
//! | `file NAME MODEL [OLD => NEW]`, `link NAME TO` | write a file as shipped; `%20` is a space |
//! | `open NAME` | start a studio of it |
//! | `get PATH`, `post PATH JSON` | ask; tell a status other than 200, and an error |
//! | `send METHOD PATH \| HEADER…` | ask as a stranger; tell the status |
//! | `tell POINTER…` | values: `*` is any of a list, `#` its length, `KEY=VALUE` one of them |
//! | `among POINTER TEXT` | fail unless the text is in the list |
//! | `enter POINTER`, `leave` | ask the model at an answered address; all models again |
//! | `head TEXT`, `body TEXT`, `no-head TEXT`, `no-body TEXT` | fail unless it is there, or not |
//! | `same NAME MODEL [OLD => NEW]`, `absent NAME` | the file is as shipped, or not there |
//!
//! `[root]`, `[host]` and `[folder]` stand for the studio's.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_testing::{Case, assert_cases};
use serde_json::Value;

use crate::client::Studio;
use crate::scripts::{MODELS, named, parts};

/// Makes a change to a text that ships with the program.
fn shipped(text: &str) -> String {
    let (name, change) = text.split_once(' ').unwrap_or((text, ""));
    let text = named(MODELS, name);
    if change.is_empty() {
        return text.to_owned();
    }
    let (old, new) = parts(change);
    assert!(text.contains(old), "{old}");
    text.replace(old, new)
}

fn at(value: &Value, path: &str) -> Value {
    let Some((key, rest)) = path
        .strip_prefix('/')
        .map(|it| it.split_once('/').unwrap_or((it, "")))
    else {
        return value.clone();
    };
    let rest = if rest.is_empty() {
        String::new()
    } else {
        format!("/{rest}")
    };
    let list = || {
        value
            .as_array()
            .unwrap_or_else(|| panic!("{path} of {value}"))
            .iter()
    };
    if key == "*" {
        return list().map(|it| at(it, &rest)).collect();
    }
    if key == "#" {
        return list().count().into();
    }
    if let Some((key, wanted)) = key.split_once('=') {
        let found = list().find(|it| it[key] == wanted);
        return at(found.unwrap_or_else(|| panic!("{path} of {value}")), &rest);
    }
    at(
        value.pointer(&format!("/{key}")).unwrap_or(&Value::Null),
        &rest,
    )
}

#[derive(Default)]
struct Session {
    studio: Option<Studio>,
    /// The folder of the files, until the studio opens it.
    folder: Option<tempfile::TempDir>,
    entered: String,
    head: String,
    body: String,
    told: String,
}

impl Session {
    fn studio(&self) -> &Studio {
        self.studio.as_ref().expect("a studio is open")
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        let folder = self
            .folder
            .as_ref()
            .or(self.studio.as_ref().map(|it| &it.folder));
        folder
            .expect("it begins with one")
            .path()
            .join(name.replace("%20", " "))
    }

    fn answer(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why}: {}", self.body))
    }

    fn tell(&mut self, text: &str) {
        let folder = self.path("").display().to_string();
        let text = text.replace(folder.trim_end_matches('/'), "[folder]");
        let _ = writeln!(
            self.told,
            "{}",
            text.replace(&self.studio().host, "[host]").trim_end()
        );
    }

    /// Sends a request, keeps the answer, and returns its status.
    fn ask(&mut self, method: &str, path: &str, headers: &str, body: &str) -> u16 {
        let (status, head, body) = self.studio().send(method, path, headers, body.as_bytes());
        (self.head, self.body) = (head, body);
        status
    }

    fn ask_as_page(&mut self, method: &str, path: &str, body: &str) {
        let studio = self.studio();
        let path = format!("{}{}{path}", studio.root, self.entered);
        let headers = format!(
            "host: {}\r\ncontent-type: application/json\r\n",
            studio.host
        );
        let status = self.ask(method, &path, &headers, body);
        let error = serde_json::from_str::<Value>(&self.body).unwrap_or_default()["error"].take();
        match (status, error.as_str()) {
            (200, None) => {}
            (200, Some(error)) => self.tell(error),
            (status, error) => self.tell(&format!("{status} {}", error.unwrap_or_default())),
        }
    }

    fn step(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "file" => {
                let path = self.path(first);
                fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
                fs::write(path, shipped(more)).expect("there is room");
            }
            "link" => std::os::unix::fs::symlink(more, self.path(first)).expect("there is room"),
            "open" => {
                let path = self.path(rest);
                self.studio = Some(Studio::at(
                    self.folder.take().expect("one is opened"),
                    &path,
                ));
            }
            "get" => self.ask_as_page("GET", rest, ""),
            "post" => self.ask_as_page("POST", first, more),
            "send" => {
                let (path, headers) = more.split_once(" | ").expect("headers");
                let headers = format!("{}\r\n", headers.replace(" | ", "\r\n"));
                let status = self.ask(first, path, &headers, "{}");
                self.tell(&status.to_string());
            }
            _ => self.look(word, rest),
        }
    }

    /// Prints or checks the last answer or files.
    fn look(&mut self, word: &str, rest: &str) {
        let (first, more) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "tell" => {
                let answer = self.answer();
                let values: Vec<_> = rest
                    .split(' ')
                    .map(|it| at(&answer, it).to_string())
                    .collect();
                self.tell(&values.join(" "));
            }
            "among" => {
                let list = at(&self.answer(), first);
                let is_there = list.as_array().is_some_and(|it| it.contains(&more.into()));
                assert!(is_there, "{more}: {list}");
            }
            "enter" => {
                let address = at(&self.answer(), rest);
                let address = address.as_str().expect("an address");
                let root = &self.studio().root;
                self.entered = address.strip_prefix(root).unwrap_or(address).to_owned();
            }
            "leave" => self.entered.clear(),
            "head" => assert!(self.head.contains(rest), "{rest}: {}", self.head),
            "no-head" => assert!(!self.head.contains(rest), "{rest}: {}", self.head),
            "body" => assert!(self.body.contains(rest), "{rest}: {}", self.body),
            "no-body" => assert!(!self.body.contains(rest), "{rest}: {}", self.body),
            "same" => {
                let text = fs::read_to_string(self.path(first)).expect("it is there");
                assert!(text == shipped(more), "{first} has changed");
            }
            "absent" => assert!(!self.path(rest).exists(), "{rest}"),
            _ => panic!("{word}?"),
        }
    }
}

fn answer(case: &Case<'_>) -> String {
    let folder = tempfile::tempdir().expect("there is room");
    let mut session = Session {
        folder: Some(folder),
        ..Session::default()
    };
    let text = case.input.replace("\n  ", "");
    for line in text.lines().filter(|it| !it.starts_with("# ")) {
        let placed = match &session.studio {
            Some(it) => {
                let folder = it.folder.path().display().to_string().replace('/', "%2F");
                let line = line.replace("[root]", &it.root).replace("[host]", &it.host);
                line.replace("[folder]", &folder)
            }
            None => line.to_owned(),
        };
        session.step(&placed);
    }
    session.told
}

#[test]
fn answers_are_the_expected_ones() {
    assert_cases(Path::new("tests/requests.txt"), answer);
}
