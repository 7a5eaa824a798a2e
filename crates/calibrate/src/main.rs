//! Runs `cargo xtask calibrate` for tests.

use prophet_calibrate::command::{Arguments, run};

prophet_text::main_of_command!("cargo xtask calibrate", Arguments, run);
