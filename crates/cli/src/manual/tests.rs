use std::process::Command as Process;

use clap::ValueEnum as _;
use clap_complete::Shell;
use prophet_testing::assert_says;

use super::completions::script;
use super::*;
use crate::Stop;

#[test]
fn every_shell_learns_every_command() {
    let commands = command_line(crate::commands, PROGRAM);
    for shell in Shell::value_variants() {
        let script = script(*shell, crate::commands);
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

fn printed(shell: &mut Process) -> Vec<String> {
    let output = shell.output().expect("the shell can be started");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.is_empty(), "{message}");
    let text = String::from_utf8_lossy(&output.stdout);
    let words = text.lines().filter(|line| !line.is_empty());
    words.map(str::to_owned).collect()
}

/// Returns Bash's completions at the end of a line.
fn by_bash(line: &str) -> Vec<String> {
    let last = if line.ends_with(' ') { "''" } else { "" };
    let script = format!(
        "{}\nCOMP_WORDS=({line}{last})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
         _performance_prophet_choose {PROGRAM} \"${{COMP_WORDS[COMP_CWORD]}}\" \
         \"${{COMP_WORDS[COMP_CWORD - 1]}}\"\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script(Shell::Bash, crate::commands)
    );
    printed(Process::new("bash").args(["-c", &script]))
}

/// Returns fish's completions at the end of a line.
fn by_fish(line: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("there is room");
    let script = format!(
        "{}\ncomplete -C \"{line}\"",
        script(Shell::Fish, crate::commands)
    );
    let fish = ["--no-config", "-c", &script];
    let lines = printed(Process::new("fish").args(fish).env("HOME", folder.path()));
    let word = |line: &String| line.split('\t').next().unwrap_or_default().to_owned();
    lines.iter().map(word).collect()
}

/// Returns zsh's completions at the end of a line.
fn by_zsh(line: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("there is room");
    std::fs::write(
        folder.path().join("_performance-prophet"),
        script(Shell::Zsh, crate::commands),
    )
    .expect("there is room");
    let ask = include_str!("tests/ask.zsh");
    let folder = folder.path().display().to_string();
    printed(Process::new("zsh").args(["-f", "-c", ask, "ask", &folder, line]))
}

/// Asserts what a shell suggests for commands, flags, values, and after `--`.
fn assert_proposals(proposed: impl Fn(&str) -> Vec<String>) {
    let assert = |line: &str, expected: &[&str]| {
        let mut words = proposed(&format!("{PROGRAM} {line}"));
        words.sort();
        assert_eq!(words, expected, "{line}");
    };
    assert("val", &["validate"]);
    assert("check --summ", &["--summary"]);
    assert("check --format ", &["human", "json", "sarif"]);
    assert("completions z", &["zsh"]);
    assert("run some.uml --eval", &["--evaluate"]);
    assert("run some.uml -- --eval", &[]);
    assert("run some.uml -- --cpus", &["--cpus-per-node"]);
    assert("run some.uml -- --nodes 2 --engine l", &["local"]);
}

#[test]
fn bash_completes_commands_and_flags() {
    if prophet_testing::has("bash", "--version") {
        assert_proposals(by_bash);
    }
}

#[test]
fn fish_completes_commands_and_flags() {
    if prophet_testing::has("fish", "--version") {
        assert_proposals(by_fish);
    }
}

#[test]
fn zsh_completes_commands_and_flags() {
    if prophet_testing::has("zsh", "--version") {
        assert_proposals(by_zsh);
    }
}

#[test]
fn commands_of_commands_are_known_as_well() {
    let commands = command_line(crate::commands, PROGRAM);
    let runs = commands.find_subcommand("runs").expect("it is a command");
    assert!(runs.find_subcommand("compare").is_some());
    assert!(script(Shell::Fish, crate::commands).contains("PostgreSQL"));
}

fn page(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let commands = command_line(crate::commands, PROGRAM);
    let text = pages::page(pages::find(&commands, &words).expect("there is such a command"));
    String::from_utf8_lossy(&text.expect("it can be made")).into_owned()
}

#[test]
fn pages_tell_of_commands_and_flags() {
    let program = page(&[]);
    assert_says(&program, &["performance\\-prophet\\-validate(1)"]);
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
    let commands = command_line(crate::commands, PROGRAM);
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
    let Stop { code, message } = pages::find(
        &command_line(crate::commands, PROGRAM),
        &["chekc".to_owned()],
    )
    .expect_err("there is no such command");
    assert_eq!(code, 2);
    assert!(message.contains("unknown command `chekc`"), "{message}");
}
