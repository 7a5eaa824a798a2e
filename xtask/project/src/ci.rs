//! Implements `cargo xtask ci`, which runs all checks of `.ci/run` that follow the tests.

mod libraries;
mod targets;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use prophet_codegen::generate::{Request, generate};
use prophet_codegen::output::Mode;
use prophet_frontend::check::RuleSet;

use crate::{CommandOutcome, Stop, workspace};
use prophet_cli::show_failure;
use prophet_text::Context as _;

/// Lints that don't apply to generated code. Otherwise, it is checked as strictly as ours. But its
/// names, literals, guards and formulas come from the model, and its functions are as long as the
/// diagrams.
const OF_MODELS: &[&str] = &[
    "approx_constant",
    "assign_op_pattern",
    "bool_comparison",
    "collapsible_else_if",
    "collapsible_if",
    "decimal_bitwise_operands",
    "doc_markdown",
    "eq_op",
    "erasing_op",
    "excessive_precision",
    "float_cmp",
    "identity_op",
    "if_not_else",
    "if_same_then_else",
    "int_plus_one",
    "manual_range_contains",
    "many_single_char_names",
    "misrefactored_assign_op",
    "needless_continue",
    "needless_ifs",
    "neg_cmp_op_on_partial_ord",
    "never_loop",
    "nonminimal_bool",
    "overly_complex_bool_expr",
    "precedence",
    "redundant_closure_for_method_calls", // A communicator is a function of any process.
    "redundant_else",
    "same_functions_in_if_condition",
    "similar_names",
    "too_many_arguments", // Diagrams take the enclosing variables.
    "too_many_lines",
    "unreadable_literal",
    "unused_async", // A diagram without elements is still async.
];

pub(crate) fn run() -> CommandOutcome {
    let workspace = workspace()?;
    cargo(
        "format",
        &workspace.root,
        &["fmt", "--all", "--check"],
        None,
    )?;
    let lints = [
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    cargo("lints", &workspace.root, &lints, None)?;
    lint_generated(&workspace.root)?;
    let docs = [
        "doc",
        "--workspace",
        "--no-deps",
        "--locked",
        "--document-private-items",
    ];
    cargo(
        "docs",
        &workspace.root,
        &docs,
        Some(("RUSTDOCFLAGS", "-D warnings")),
    )?;
    libraries::check(&workspace.root)?;
    targets::check(&workspace.root, &workspace.target)?;
    eprintln!("ci: crates outside the repository");
    crate::dist::crates::packed(&workspace)?;
    eprintln!("ci: generated code");
    let rules = RuleSet::shipped();
    for model in samples(&workspace.root)? {
        let request = Request {
            mode: Mode::Check,
            ..Request::new(&model, &rules)
        };
        generate(&request, &workspace).map_err(|failure| show_failure(&failure))?;
    }
    eprintln!("ci: everything passed");
    Ok(ExitCode::SUCCESS)
}

/// Checks the crates of sample models with lints that aren't in their short manifests.
fn lint_generated(root: &Path) -> Result<(), Stop> {
    let mut arguments: Vec<String> = ["clippy", "--no-deps", "--locked"].map(String::from).into();
    for model in samples(root)? {
        let name = model.file_stem().unwrap_or_default().to_string_lossy();
        arguments.extend(["--package".into(), name.into_owned()]);
    }
    let groups = ["pedantic", "style", "complexity"].map(|group| format!("-Wclippy::{group}"));
    let allowed = OF_MODELS.iter().map(|lint| format!("-Aclippy::{lint}"));
    arguments.extend(["--".into(), "-Dwarnings".into()]);
    arguments.extend(groups.into_iter().chain(allowed));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    cargo("generated code", root, &arguments, None)
}

fn cargo(
    what: &str,
    folder: &Path,
    arguments: &[&str],
    variable: Option<(&str, &str)>,
) -> Result<(), Stop> {
    let mut cargo = prophet_testing::cargo();
    finish(
        what,
        cargo.args(arguments).envs(variable).current_dir(folder),
    )
}

/// Runs a program that checks something. Stops if it fails.
fn finish(what: &str, program: &mut Command) -> Result<(), Stop> {
    let words: Vec<_> = program
        .get_args()
        .map(|word| word.to_string_lossy())
        .collect();
    eprintln!("ci: {what}: {}", words.join(" "));
    let status = program.status().cannot("start", "it")?;
    if status.success() {
        return Ok(());
    }
    Err(Stop::input(format!("the check of {what} failed")))
}

fn cargo_output(arguments: &[&str], folder: &Path) -> Result<String, Stop> {
    let output = prophet_testing::cargo()
        .args(arguments)
        .current_dir(folder)
        .output()
        .cannot("start", "cargo")?;
    if !output.status.success() {
        return Err(Stop::input(
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the sample models whose crates are checked in, sorted by name.
fn samples(root: &Path) -> Result<Vec<PathBuf>, Stop> {
    let folder = root.join("sample-models");
    let entries = std::fs::read_dir(&folder).cannot("read", folder.display())?;
    let mut models: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "uml"))
        .filter(|path| !path.to_string_lossy().ends_with(".profile.uml"))
        .filter(|path| {
            root.join("generated")
                .join(path.file_stem().unwrap_or_default())
                .exists()
        })
        .collect();
    models.sort();
    Ok(models)
}
