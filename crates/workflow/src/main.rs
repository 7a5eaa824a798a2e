//! Runs `cargo xtask run` for workflows, and `sweep` of them, for tests.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::check_by;
use prophet_sweep::command::{Arguments, Called, run as sweep};
use prophet_text::Problem;
use prophet_workflow::command::{Drawing, Workflows, run};

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    prophet_text::exit_code(call(&words))
}

fn call(words: &[OsString]) -> Result<ExitCode, Problem> {
    let (file, flags) = words.split_first().ok_or("name a file, or `sweep`")?;
    if file == "sweep" {
        let program = "cargo xtask sweep";
        let matches = Arguments::command()
            .bin_name(program)
            .get_matches_from(words);
        let arguments = Arguments::from_arg_matches(&matches);
        let arguments = arguments.unwrap_or_else(|error| error.exit());
        return sweep(
            &arguments,
            Called {
                program,
                words: &[],
            },
            &Workflows,
        );
    }
    let file = Path::new(file);
    let is_drawn = file
        .extension()
        .is_some_and(|it| it == "puml" || it == "uml");
    if !is_drawn {
        return Ok(run("cargo xtask run", file, flags, None));
    }
    let rules = RuleSet::shipped();
    let checked = check_by(&rules, file, None)?;
    let drawing = Drawing {
        checked: &checked,
        rules: &rules,
        rule_files: &[],
    };
    Ok(run("cargo xtask run", file, flags, Some(drawing)))
}
