use std::process::Command as Process;

use clap::ValueEnum as _;
use clap_complete::Shell;

use super::completions::script;
use super::*;
use crate::Stop;

#[test]
fn every_shell_learns_every_command() {
    let commands = command_line(PROGRAM);
    for shell in Shell::value_variants() {
        let script = script(*shell);
        for command in commands.get_subcommands() {
            assert!(
                script.contains(command.get_name()),
                "{shell} {}",
                command.get_name()
            );
        }
        assert!(script.contains("vocabulary"), "{shell} has flags");
    }
}

/// Completions that Bash proposes for the last of some words.
fn proposed(words: &str) -> String {
    let script = format!(
        "{}\nCOMP_WORDS=({words})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
         _performance_prophet {PROGRAM} \"${{COMP_WORDS[COMP_CWORD]}}\" \
         \"${{COMP_WORDS[COMP_CWORD - 1]}}\"\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script(Shell::Bash)
    );
    let output = Process::new("bash").args(["-c", &script]).output();
    let output = output.expect("bash can be started");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.is_empty(), "{message}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn bash_completes_commands_and_flags() {
    if !prophet_testing::has("bash", "--version") {
        return;
    }
    assert_eq!(proposed("performance-prophet val"), "validate\n");
    assert_eq!(proposed("performance-prophet check --summ"), "--summary\n");
    let formats = proposed("performance-prophet check --format ''");
    assert_eq!(formats, "human\njson\nsarif\n");
}

#[test]
#[cfg(feature = "runs")]
fn commands_that_parse_their_arguments_are_known_as_well() {
    let commands = command_line(PROGRAM);
    let runs = commands.find_subcommand("runs").expect("it is a feature");
    assert!(runs.find_subcommand("compare").is_some());
    assert!(script(Shell::Fish).contains("PostgreSQL"));
}

fn page(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let commands = command_line(PROGRAM);
    let text = pages::page(pages::find(&commands, &words).expect("there is such a command"));
    String::from_utf8_lossy(&text.expect("it can be made")).into_owned()
}

#[test]
fn pages_tell_of_commands_and_flags() {
    let program = page(&[]);
    assert!(
        program.contains("performance\\-prophet\\-validate(1)"),
        "{program}"
    );
    let check = page(&["check"]);
    for text in [
        ".TH performance-prophet-check 1",
        "SYNOPSIS",
        "\\-\\-vocabulary",
    ] {
        assert!(check.contains(text), "no {text} in\n{check}");
    }
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("there is room");
    let commands = command_line(PROGRAM);
    pages::write(&commands, folder.path()).expect("there is room");
    for command in commands.get_subcommands() {
        let file = folder
            .path()
            .join(format!("{PROGRAM}-{}.1", command.get_name()));
        assert!(file.is_file(), "{}", file.display());
    }
}

#[test]
fn what_is_no_command_has_no_page() {
    let Stop { code, message } = pages::find(&command_line(PROGRAM), &["chekc".to_owned()])
        .expect_err("there is no such command");
    assert_eq!(code, 2);
    assert!(message.contains("there is no command `chekc`"), "{message}");
}
