//! A user's folder, with models in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use prophet_testing::words;
use serde_json::Value;

/// A model whose processes each have a cost that takes long to compute.
const LONG: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<model xmlns="http:///schemas/prophet/model/1" name="Long" main="Main">
  <parameter name="N" type="long" value="100000"/>
  <function name="Sum" result="double">
    <body>double s = 0;
      for (long i = 0; i &lt; N; i++) { s = s + sqrt(i) * 0.5; }
      return s * 1e-9;</body>
  </function>
  <activity name="Main">
    <initial/>
    <action name="A1" stereotype="action+" cost="Sum()"/>
    <final/>
  </activity>
</model>
"#;

/// Folder of a user who works on `sample.uml`.
pub(crate) struct Home(tempfile::TempDir);

impl Home {
    pub(crate) fn new() -> Self {
        let home = Self(tempfile::tempdir().expect("there is room"));
        home.model("sample.uml", "return 212;");
        fs::create_dir(home.path("cluster")).expect("there is room");
        home
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("it is there")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        fs::write(path, text).expect("there is room");
    }

    /// Writes the sample with another cost.
    pub(crate) fn model(&self, path: &str, cost: &str) {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models/sample.uml");
        let text = fs::read_to_string(sample).expect("it is there");
        self.write(path, &text.replace("return 212;", cost));
    }

    /// Writes a model that takes about that many seconds to interpret, and gives the flag for it.
    pub(crate) fn long(&self, seconds: f64) -> String {
        self.write("long.prophet.xml", LONG);
        let run = |nodes: f64| {
            let flag = format!("--nodes={nodes:.0}");
            let line = "run -q --evaluate=interpreted long.prophet.xml --";
            let output = self.output(&format!("{line} {flag} --format=json"));
            let result: Value = serde_json::from_str(&stdout(&output)).expect("it is JSON");
            result["evaluation"]["cpu_s"].as_f64().expect("a number")
        };
        let nodes = 5.0;
        format!("--nodes={:.0}", nodes * seconds / run(nodes))
    }

    pub(crate) fn script(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        prophet_testing::write_script(&path, &format!("#!/bin/sh\n{text}\n"));
    }

    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("it is there");
        let names = entries.map(|entry| entry.expect("it can be listed").file_name());
        let mut names: Vec<String> = names.map(|it| it.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The program, in this folder and with a cache in it, without what cargo tells tests.
    pub(crate) fn command(&self, line: &str) -> Command {
        self.call(env!("CARGO_BIN_EXE_performance-prophet"), line)
    }

    pub(crate) fn output(&self, line: &str) -> Output {
        self.command(line).output().expect("it is here")
    }

    /// The program where no other one is found, neither cargo nor a compiler.
    pub(crate) fn without_programs(&self, line: &str) -> Output {
        let mut command = self.command(line);
        command.env("PATH", "/nowhere");
        command.output().expect("it is here")
    }

    pub(crate) fn cargo_prophet(&self, line: &str) -> Output {
        let mut command = self.call(env!("CARGO_BIN_EXE_cargo-prophet"), line);
        command.output().expect("it is here")
    }

    fn call(&self, program: &str, line: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(words(line))
            .current_dir(self.0.path())
            .env("XDG_CACHE_HOME", self.path("cache"))
            // The runtime is compiled several times: to optimize it fully is most of the time.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_RELEASE_LTO", "off");
        for name in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR", "RUSTFMT"] {
            command.env_remove(name);
        }
        command
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// True if the result in JSON comes from an interpretation.
pub(crate) fn is_interpreted(output: &Output) -> bool {
    let result: Value = serde_json::from_str(&stdout(output)).unwrap_or_default();
    result["evaluation"]["evaluated"] == "interpreted"
}
