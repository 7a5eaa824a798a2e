//! Provides a client of the studio's server for tests.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use prophet_studio::server::Server;
use serde_json::{Value, json};

pub(crate) const MODEL: &str = include_str!("../../../sample-models/lapw0.uml");

pub(crate) struct Studio {
    pub(crate) folder: tempfile::TempDir,
    /// `127.0.0.1:PORT`.
    pub(crate) host: String,
    /// `/TOKEN/`.
    pub(crate) root: String,
}

impl Studio {
    pub(crate) fn start() -> Self {
        Self::of(MODEL)
    }

    pub(crate) fn of(model: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.uml");
        fs::write(&path, model).unwrap();
        Self::at(folder, &path)
    }

    pub(crate) fn at(folder: tempfile::TempDir, path: &Path) -> Self {
        let server = Server::open(path, 0, Some(&folder.path().join("unsaved"))).unwrap();
        let address = server.address();
        std::thread::spawn(|| server.run());
        Self::served(folder, &address)
    }

    /// Connects to the studio at a server's address.
    pub(crate) fn served(folder: tempfile::TempDir, address: &str) -> Self {
        let rest = address.trim_end().strip_prefix("http://").unwrap();
        let (host, token) = rest.split_once('/').unwrap();
        Self {
            folder,
            host: host.to_owned(),
            root: format!("/{token}"),
        }
    }

    pub(crate) fn again(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (host, root) = (self.host.clone(), self.root.clone());
        Self { folder, host, root }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("model.uml")
    }

    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &[u8],
    ) -> (u16, String, String) {
        let Ok(mut stream) = TcpStream::connect(&self.host) else {
            return (0, String::new(), String::new());
        };
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{headers}content-length: {length}\r\n\
             connection: close\r\n\r\n"
        );
        // A server that was stopped doesn't read anything.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|it| it.parse().ok())
            .unwrap_or(0);
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String, String) {
        let headers = format!("host: {}\r\n", self.host);
        self.send("GET", &format!("{}{path}", self.root), &headers, b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let host = &self.host;
        let headers = format!("host: {host}\r\ncontent-type: application/json\r\n");
        let path = format!("{}{path}", self.root);
        let (status, _, body) = self.send("POST", &path, &headers, body.to_string().as_bytes());
        (
            status,
            serde_json::from_str(&body).unwrap_or(Value::String(body)),
        )
    }

    pub(crate) fn state(&self) -> Value {
        serde_json::from_str(&self.get("api/state").2).unwrap()
    }

    pub(crate) fn rename(&self, revision: u64, element: &str, name: &str) -> (u16, Value) {
        let edits = json!([{ "do": "rename", "element": element, "name": name }]);
        let edit = json!({ "revision": revision, "label": "Rename", "edits": edits });
        self.post("api/edit", &edit)
    }

    pub(crate) fn save(&self, revision: u64) -> (u16, Value) {
        self.post("api/save", &json!({ "revision": revision }))
    }
}
