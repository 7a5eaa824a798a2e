//! Implements the `check` command, and shows problems in models for all commands.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use prophet_codegen::diagnostic::{Diagnostic, Severity, render_human, render_json, render_sarif};
#[cfg(feature = "whole")]
use prophet_codegen::generate::GenerateFailure;
use prophet_frontend::check::RuleSet;
use prophet_frontend::checked::{Checked, check_by, unreadable};
use prophet_frontend::rule_flags::RuleFlags;

#[cfg(feature = "whole")]
use crate::fix;
use crate::format::print;
use crate::given::Given;
use crate::{CommandOutcome, Stop, explain, memory, summary};

#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// Model to check: UML (XMI) or text; `-` reads standard input
    #[arg(required_unless_present = "explain")]
    model: Option<PathBuf>,
    /// Explain a problem by its code, such as PM0305; `all` lists the codes
    #[arg(long, value_name = "CODE", conflicts_with_all = ["model", "summary", "fix"])]
    explain: Option<String>,
    /// Start with this activity if the model leaves it open
    #[arg(long, value_name = "NAME")]
    main: Option<String>,
    /// Format of the problems
    #[arg(long, value_enum, default_value_t = DiagnosticFormat::Human)]
    format: DiagnosticFormat,
    /// Only show what was read from the file, and what was skipped and why
    #[arg(long)]
    summary: bool,
    /// Write the assumptions into the file, without changing anything else in it
    #[arg(long, requires = "assume", conflicts_with = "summary")]
    fix: bool,
    #[command(flatten)]
    rules: RuleFlags,
    /// Flags for a run, to also check that all working sets fit in the memory of `--machine`
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DiagnosticFormat {
    /// Text for people
    Human,
    /// One JSON array
    Json,
    /// A SARIF 2.1.0 log, for editors and code review
    Sarif,
}

#[cfg(not(feature = "whole"))]
impl Arguments {
    /// Returns `true` if only the full program can run the command with these arguments.
    pub(crate) fn need_whole(&self) -> bool {
        self.fix
    }
}

pub(crate) fn run(arguments: &Arguments) -> CommandOutcome {
    if let Some(code) = &arguments.explain {
        return explain::run(&arguments.rules.read()?, code);
    }
    let named = arguments.model.as_deref();
    let named = named.ok_or_else(|| Stop::usage("missing MODEL"))?;
    let given = Given::of(named)?;
    if arguments.fix && given.path() != named {
        return Err(Stop::usage(
            "--fix needs a file to write to, not standard input",
        ));
    }
    let model = given.path();
    let outcome = check(arguments, model);
    match (outcome, arguments.format) {
        // Programs that read JSON or SARIF find the reason in the output too.
        (Err(stop), DiagnosticFormat::Json | DiagnosticFormat::Sarif)
            if stop.code == 1 && !arguments.summary =>
        {
            let checked = unreadable(model, stop.message);
            show_as(arguments.format, &checked, &RuleSet::shipped())?;
            Ok(ExitCode::from(1))
        }
        (outcome, _) => outcome,
    }
}

fn check(arguments: &Arguments, model: &Path) -> CommandOutcome {
    let rules = arguments.rules.read()?;
    let main = arguments.main.as_deref();
    if arguments.summary {
        if arguments.format == DiagnosticFormat::Sarif {
            return Err(Stop::usage(
                "--summary does not support the sarif format; use human or json",
            ));
        }
        let as_json = arguments.format == DiagnosticFormat::Json;
        return summary::run(rules.vocabulary(), model, main, as_json);
    }
    let mut checked = check_by(&rules, model, main)?;
    if !arguments.flags.is_empty() {
        let found = memory::problems(&checked, &arguments.flags)?;
        refuse(&mut checked, found);
    }
    show_as(arguments.format, &checked, &rules)?;
    #[cfg(feature = "whole")]
    if arguments.fix && !checked.assumptions.is_empty() {
        fix::write(model, (&rules, main), &checked)?;
        let count = prophet_text::counted(
            checked.assumptions.len() as u64,
            "assumption",
            "assumptions",
        );
        prophet_text::tell!("{}: {count} written into the file", model.display());
    }
    Ok(ExitCode::from(u8::from(checked.program.is_none())))
}

/// Adds errors. There is no program after that.
pub(crate) fn refuse(checked: &mut Checked, errors: Vec<Diagnostic>) {
    if !errors.is_empty() {
        checked.program = None;
        checked.diagnostics.extend(errors);
    }
}

fn show_as(format: DiagnosticFormat, checked: &Checked, rules: &RuleSet) -> Result<(), Stop> {
    let (source, problems) = (&checked.source, &checked.diagnostics);
    match format {
        DiagnosticFormat::Human => {
            show(checked);
            Ok(())
        }
        DiagnosticFormat::Json => print(&render_json(source, problems)),
        DiagnosticFormat::Sarif => {
            print(&render_sarif(source, problems, &|code| rules.summary(code)))
        }
    }
}

pub(crate) fn show(checked: &Checked) {
    let problems = &checked.diagnostics;
    if problems.is_empty() {
        return;
    }
    let color = std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    prophet_text::say_styled(&render_human(&checked.source, problems, color));
    let count = |severity| problems.iter().filter(|d| d.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    prophet_text::tell!(
        "{}: {}, {}",
        checked.source.name,
        plural(errors, "error"),
        plural(warnings, "warning")
    );
}

fn plural(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(feature = "whole")]
/// Prints why nothing was generated, and returns the exit code as a [`Stop`].
pub fn show_failure(failure: &GenerateFailure) -> Stop {
    match failure {
        GenerateFailure::Model(checked) => {
            show(checked);
            Stop::input("")
        }
        GenerateFailure::File(problem) | GenerateFailure::Tool(problem) => {
            Stop::input(problem.to_string())
        }
        GenerateFailure::Output(error) => Stop::input(error.to_string()),
        GenerateFailure::Stale {
            folder,
            report,
            command,
        } => {
            let folder = folder.display();
            Stop::input(format!(
                "{folder} is not up to date; run `{command}`\n{report}"
            ))
        }
    }
}
