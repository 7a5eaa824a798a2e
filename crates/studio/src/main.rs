//! Runs `cargo xtask studio` for tests, which name the folder for unsaved text.

use prophet_studio::command::{Arguments, run};

prophet_text::main_of_command!("cargo xtask studio", Arguments, |it| {
    run(
        it,
        std::env::var_os("UNSAVED").as_deref().map(AsRef::as_ref),
        None,
    )
});
