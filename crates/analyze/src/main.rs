//! Runs `cargo xtask analyze` for tests.

use prophet_analyze::command::{Arguments, run};

prophet_text::main_of_command!("cargo xtask analyze", Arguments, run);
