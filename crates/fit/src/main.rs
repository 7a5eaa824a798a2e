//! Runs `cargo xtask fit` for tests.

use prophet_fit::command::{Arguments, run};

prophet_text::main_of_command!("cargo xtask fit", Arguments, run);
