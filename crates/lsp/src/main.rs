//! Runs `cargo xtask lsp` for tests.

use prophet_lsp::command::{Arguments, run};

prophet_text::main_of_command!("cargo xtask lsp", Arguments, run);
