//! Runs `cargo xtask sweep` for tests.

use prophet_sweep::Models;
use prophet_sweep::command::{Arguments, Called, run};

prophet_text::main_of_command!("cargo xtask sweep", Arguments, |it| {
    let program = "cargo xtask sweep";
    run(
        it,
        Called {
            program,
            words: &[],
        },
        &Models,
    )
});
