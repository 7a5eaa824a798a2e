//! Sweeps in chunks: what is merged is what one machine writes, whatever happens meanwhile.

#![cfg(unix)]

mod chunks;
mod refusals;
mod slurm;
mod submissions;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A model with a table, whose predictions take as long as they have steps.
const MODEL: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<model xmlns="http:///schemas/prophet/model/1" name="Steps" main="Main">
  <parameter name="STEPS" type="long" value="1"/>
  <parameter name="X" type="double" value="1"/>
  <function name="Cost" result="double">
    <body>
      double sum = 0;
      for (long i = 0; i &lt; STEPS; i++) { sum = sum + 1e-9; }
      return interpolate("times.csv", X) + sum / (STEPS - 4);
    </body>
  </function>
  <activity name="Main">
    <initial/>
    <action name="Work" stereotype="action+" cost="Cost()"/>
    <action name="Sum" stereotype="allreduce" size="8"/>
    <final/>
  </activity>
</model>
"#;

/// A machine.
const MACHINE: &str = "name = \"mine\"\nsource = \"a test\"\nnetwork = \
    \"hockney:latency=3us,bandwidth=1GB/s\"\n";

/// Points that are quick to evaluate; those with four steps fail.
const QUICK: [&str; 3] = ["--vary", "steps=1..10", "--vary=x=0.5,2,7 nodes=1,2,3"];
/// Flags of all points.
const FLAGS: [&str; 3] = [
    "--",
    "--machine=machines/mine.toml",
    "--noise=costs=lognormal:0.1",
];

/// A folder with a model and its files.
struct Study {
    folder: tempfile::TempDir,
}

impl Study {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let study = Self { folder };
        fs::create_dir_all(study.path("models")).unwrap();
        fs::create_dir_all(study.path("machines")).unwrap();
        fs::write(study.path("models/steps.prophet.xml"), MODEL).unwrap();
        fs::write(study.path("models/times.csv"), "0,1\n10,3\n").unwrap();
        fs::write(study.path("machines/mine.toml"), MACHINE).unwrap();
        study
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command `sweep` with these words.
    fn sweep(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-sweep"));
        command.current_dir(self.folder.path()).args(words);
        command
    }

    /// Runs a command that succeeds.
    fn run(&self, words: &[&str]) -> Output {
        let output = self.sweep(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        output
    }

    /// Runs a command that fails; gives its message.
    fn refused(&self, words: &[&str]) -> String {
        let output = self.sweep(words).output().unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}");
        said
    }

    /// Writes a plan with this number of chunks.
    fn plan(&self, plan: &str, chunks: &str, points: &[&str]) {
        let words = [
            "plan",
            "models/steps.prophet.xml",
            "--chunks",
            chunks,
            "--out",
            plan,
        ];
        self.run(&[&words, points, &FLAGS].concat());
    }

    /// Rows as one machine writes them.
    fn local(&self, points: &[&str], format: &str) -> Vec<u8> {
        let words = ["models/steps.prophet.xml", "--format", format];
        self.run(&[&words, points, &FLAGS].concat()).stdout
    }

    fn work(&self, plan: &str, chunk: &str) {
        self.run(&["work", plan, "--chunk", chunk, "--jobs", "1"]);
    }

    /// Names of the files of a plan's chunks.
    fn chunks(&self, plan: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(&format!("{plan}.chunks"))) else {
            return Vec::new();
        };
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

/// Text of the standard error.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
