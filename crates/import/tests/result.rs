//! Predicts with the command and with the interpreter, and reads the times in the results.

use std::path::Path;
use std::process::{Command, Output};

use prophet_frontend::checked::Checked;
use prophet_interpreter::Interpreted;

pub(crate) const FLAGS: [&str; 6] = [
    "--collective",
    "rule=mpich",
    "--format",
    "json",
    "--network",
    "hockney:latency=1ms,bandwidth=1MB/s",
];

/// Speed for traces that contain numbers of operations.
pub(crate) const SPEED: [&str; 2] = ["--flops-per-s", "1e6"];

/// Returns the predicted time in a result; `None` if the run didn't finish.
pub(crate) fn time_of(text: &str) -> Option<f64> {
    let rest = text.split("\"predicted_time_s\":").nth(1)?;
    let number = rest.trim_start().split([',', '\n', '}']).next()?;
    number.trim().parse().ok()
}

pub(crate) fn program(words: &[&str], path: &Path, flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prophet-import"));
    command.args(words).arg(path).args(flags);
    command.output().expect("it runs")
}

pub(crate) fn replay(path: &Path, flags: &[&str]) -> Output {
    program(&["replay"], path, &[&["--"], &FLAGS[..], flags].concat())
}

pub(crate) fn replayed_s(path: &Path, flags: &[&str]) -> f64 {
    let output = replay(path, flags);
    time_of(&String::from_utf8_lossy(&output.stdout)).unwrap_or_else(|| panic!("{output:?}"))
}

/// Returns a model's result with the usual flags and these, or what is wrong.
pub(crate) fn predict(checked: &Checked, ranks: usize, flags: &[&str]) -> Result<String, String> {
    let program = Interpreted::new(checked, "model", false)
        .map_err(|it| format!("{it:?} {:?}", checked.diagnostics))?;
    let nodes = ranks.to_string();
    let words = ["model", "--nodes", &nodes].into_iter();
    let words = words.chain(FLAGS).chain(flags.iter().copied());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = program.run_to(words.map(Into::into), &mut out, &mut err);
    let [out, err] = [out, err].map(|it| String::from_utf8(it).expect("it is text"));
    if code == 0 { Ok(out) } else { Err(err) }
}
