//! Lists commands to copy if several activities could be the program.

use std::fmt::Write as _;

use prophet_codegen::text::shell_word;

use super::Arguments;
use crate::Door;

const COMMANDS_MAX: usize = 20;

/// Shows a command for each activity that could be the program, with its value for `--main`.
pub(super) fn show(door: &dyn Door, arguments: &Arguments, mains: &[String]) {
    if !mains.is_empty() {
        prophet_text::say_styled(&commands(door.program(), arguments, mains));
    }
}

fn commands(program: &str, arguments: &Arguments, mains: &[String]) -> String {
    let mut words = vec![program.to_owned(), "run".to_owned()];
    let rules = arguments.rules.again();
    let shown =
        |it: &std::ffi::OsStr| shell_word(&prophet_text::plain::line(&it.to_string_lossy()));
    words.extend(rules.iter().map(|it| shown(it)));
    words.push(shown(arguments.model.as_os_str()));
    let flags = arguments.flags.iter().map(|it| format!(" {}", shown(it)));
    let flags: String = flags.collect();
    let flags = if flags.is_empty() {
        flags
    } else {
        format!(" --{flags}")
    };
    let mut text = "to run one of them:\n".to_owned();
    for main in mains.iter().take(COMMANDS_MAX) {
        let main = shell_word(&prophet_text::plain::line(main));
        let _ = writeln!(text, "  {} --main {main}{flags}", words.join(" "));
    }
    if mains.len() > COMMANDS_MAX {
        let _ = writeln!(text, "  (and {} more)", mains.len() - COMMANDS_MAX);
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn each_candidate_has_a_command_to_copy() {
        let words = [
            "x",
            "--assume",
            "--assume-cost",
            "0.5",
            "my model.uml",
            "--",
            "--seed",
            "7",
        ];
        let command = Command::parse_from(words);
        let mains: Vec<String> = ["M::A".to_owned(), "_b".to_owned()].into();
        let shown = commands("prophet", &command.arguments, &mains);
        let expected = "to run one of them:\n  \
                        prophet run --assume-cost 0.5 --assume 'my model.uml' \
                        --main 'M::A' -- --seed 7\n  prophet run --assume-cost 0.5 --assume \
                        'my model.uml' --main _b -- --seed 7\n";
        assert_eq!(shown, expected);
    }
}
