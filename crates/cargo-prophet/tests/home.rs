//! Creates a user's folder with models.

use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

/// A model whose costs take long to compute.
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

/// The folder of a user who works on `sample.uml`. It contains the program's cache, but nothing
/// that cargo sets for tests.
pub(crate) struct Home(prophet_testing::Home);

impl Deref for Home {
    type Target = prophet_testing::Home;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Home {
    pub(crate) fn new() -> Self {
        let mut home = prophet_testing::Home::of(env!("CARGO_BIN_EXE_performance-prophet"));
        home.set_variable("XDG_CACHE_HOME", Some(home.path("cache")));
        // The runtime is compiled several times, and fully optimizing it would take most of the
        // time.
        home.set_variable("CARGO_PROFILE_RELEASE_OPT_LEVEL", Some("1"));
        home.set_variable("CARGO_PROFILE_RELEASE_LTO", Some("off"));
        for name in ["CARGO", "CARGO_MANIFEST_DIR", "CARGO_TARGET_DIR", "RUSTFMT"] {
            home.set_variable(name, None::<&str>);
        }
        let home = Self(home);
        home.model("sample.uml", "return 212;");
        fs::create_dir(home.path("cluster")).expect("there is room");
        home
    }

    pub(crate) fn model(&self, path: &str, cost: &str) {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-models/sample.uml");
        let text = fs::read_to_string(sample).expect("it is there");
        self.write(path, text.replace("return 212;", cost));
    }

    /// Writes a model that takes about `seconds` to interpret, and returns the flag for that.
    pub(crate) fn long(&self, seconds: f64) -> String {
        self.write("long.prophet.xml", LONG);
        let nodes = 5.0;
        let line = "run -q --evaluate=interpreted long.prophet.xml --";
        let result = self.json(&format!("{line} --nodes={nodes:.0} --format=json"));
        let cpu_s = result["evaluation"]["cpu_s"].as_f64().expect("a number");
        format!("--nodes={:.0}", nodes * seconds / cpu_s)
    }

    pub(crate) fn script(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        prophet_testing::write_script(&path, &format!("#!/bin/sh\n{text}\n"));
    }

    /// Runs the program in an environment without other programs, such as cargo or a compiler.
    pub(crate) fn without_programs(&self, line: &str) -> Output {
        let mut command = self.command(line);
        command.env("PATH", "/nowhere");
        command.output().expect("it is here")
    }

    pub(crate) fn cargo_prophet(&self, line: &str) -> Output {
        let mut command = self.command_of(env!("CARGO_BIN_EXE_cargo-prophet"), line);
        command.output().expect("it is here")
    }
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns `true` if the JSON result comes from interpretation.
pub(crate) fn is_interpreted(output: &Output) -> bool {
    let result: Value = serde_json::from_str(&stdout(output)).unwrap_or_default();
    result["evaluation"]["evaluated"] == "interpreted"
}
