//! Runs `cargo xtask import` for tests.

use prophet_import::command::{Arguments, run};

prophet_text::main_of_command!("cargo xtask import", Arguments, run);
