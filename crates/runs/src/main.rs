//! Runs `cargo xtask runs` for tests.

use prophet_runs::command::{Arguments, run};

prophet_text::main_of_command!("cargo xtask runs", Arguments, |it| run(
    it,
    "cargo xtask runs"
));
