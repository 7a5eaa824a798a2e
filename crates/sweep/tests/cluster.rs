//! Tests sweeps in chunks: merged chunks equal what one machine writes, whatever happens in
//! between.

#![cfg(unix)]

mod chunks;
mod refusals;
mod slurm;
mod submissions;

use std::fs;
use std::ops::Deref;

use prophet_testing::Home;

/// A model with a table. The time to predict it is proportional to its steps.
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

const MACHINE: &str = "name = \"mine\"\nsource = \"a test\"\nnetwork = \
    \"hockney:latency=3us,bandwidth=1GB/s\"\n";

/// Points that are quick to evaluate. Those with four steps fail.
const QUICK: &str = "--vary steps=1..10 '--vary=x=0.5,2,7 nodes=1,2,3'";
const FLAGS: &str = "-- --machine=machines/mine.toml --noise=costs=lognormal:0.1";

/// The command, in a folder with a model and its files.
struct Study(Home);

impl Deref for Study {
    type Target = Home;

    fn deref(&self) -> &Home {
        &self.0
    }
}

impl Study {
    fn new() -> Self {
        let home = Home::of(env!("CARGO_BIN_EXE_prophet-sweep"));
        home.write("models/steps.prophet.xml", MODEL);
        home.write("models/times.csv", "0,1\n10,3\n");
        home.write("machines/mine.toml", MACHINE);
        Self(home)
    }

    fn plan(&self, plan: &str, chunks: u32, points: &str) {
        let words = format!("plan models/steps.prophet.xml --chunks {chunks} --out {plan}");
        self.printed(&format!("{words} {points} {FLAGS}"));
    }

    /// Returns the rows that a single machine writes.
    fn local(&self, points: &str, format: &str) -> String {
        let words = format!("models/steps.prophet.xml --format {format}");
        self.printed(&format!("{words} {points} {FLAGS}"))
    }

    fn work(&self, plan: &str, chunk: &str) {
        self.printed(&format!("work {plan} --chunk {chunk} --jobs 1"));
    }

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
