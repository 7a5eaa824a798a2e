//! Finds flags of the model's program on the command line, so that users don't have to type `--`
//! before them.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, Command};
use prophet_text::FileKind;

/// Commands that run programs with a flag `--format`.
const WITH_FORMATS: [&str; 2] = ["run", "runs"];
/// What other tools call `run`.
const SIMULATE: [&str; 5] = ["evaluate", "exec", "predict", "sim", "simulate"];
/// Minimum length of a flag for which similar words count as misspellings. Shorter flags resemble
/// names of parameters by chance.
const LIKELY_CHARS: usize = 6;

/// Moves flags of the model's program after a `--`. Also turns `help COMMAND` into `COMMAND
/// --help`, and `--json` into the flag that it abbreviates.
///
/// The first word is the name of this program. Words after a `--` don't change, nor do commands
/// that can't have such flags. A flag that the command knows belongs to the command. All other
/// flags belong to the model's program. A flag that takes a value, such as the flag of a
/// model parameter, includes the next word.
pub(crate) fn apart(command: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let mut command = command.clone();
    command.build();
    let words = with_json(&command, with_help(words));
    let Some((at, own)) = called(&command, &words) else {
        if let Some(why) = no_command(&command, &words) {
            command.error(ErrorKind::InvalidSubcommand, why).exit();
        }
        return words;
    };
    if !has_flags(own) {
        return words;
    }
    let mut program = prophet_runtime::command_line();
    program.build();
    let mut kept = words[..=at].to_vec();
    let mut flags = Vec::new();
    let mut rest = words[at + 1..].iter().cloned().peekable();
    while let Some(word) = rest.next() {
        if word == "--" {
            flags.extend(rest);
            break;
        }
        let is_own = belongs(own, &program, &word);
        let taker = if is_own { own } else { &program };
        let place = if is_own { &mut kept } else { &mut flags };
        // If the value is optional, it is the next word, if that can be a value.
        let takes = takes_next(taker, &word, !is_own) || (!is_own && may_take(&program, &word));
        place.push(word);
        if takes && let Some(value) = rest.next_if(|next| !is_flag(next)) {
            place.push(value);
        }
    }
    if !flags.is_empty() {
        kept.push("--".into());
        kept.extend(flags);
    }
    kept
}

/// Finds the command that is called: its position among the words, and its description.
fn called<'c>(command: &'c Command, words: &[OsString]) -> Option<(usize, &'c Command)> {
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|word| is_flag(word)) {
        at += 1 + usize::from(takes_next(command, word, false));
    }
    Some((at, command.find_subcommand(words.get(at)?)?))
}

/// Explains what to type, if the command is missing before a file or behind flags of a run, or has
/// a name from another tool.
fn no_command(command: &Command, words: &[OsString]) -> Option<String> {
    let program = command.get_bin_name().unwrap_or(command.get_name());
    let shown = |words: &[OsString]| prophet_text::plain::line(&join(words));
    let first = words.get(1)?;
    if is_flag(first) && find(command, first).is_none() {
        let is_command = |it: &OsString| command.find_subcommand(it).is_some();
        let at = words.iter().skip(1).position(is_command)? + 1;
        let (flags, call) = (shown(&words[1..at]), shown(&words[at..]));
        return Some(format!(
            "write flags after the command: `{program} {call} {flags}`"
        ));
    }
    let path = Path::new(first);
    let name = first.to_string_lossy();
    if SIMULATE.contains(&&*name) {
        return Some(format!("unknown command `{name}`; did you mean `run`?"));
    }
    path.exists().then(|| {
        let command = match prophet_files::format_of(path).map(|it| it.kind) {
            Some(FileKind::Measurements) => "fit",
            Some(FileKind::Machine | FileKind::Platform) => "machine",
            Some(FileKind::Recorded | FileKind::Outcome) => "report",
            Some(FileKind::Plan) => "sweep",
            _ => "run",
        };
        let call = shown(&words[1..]);
        format!("name a command first, such as `{program} {command} {call}`")
    })
}

fn join(words: &[OsString]) -> String {
    words.join(OsStr::new(" ")).to_string_lossy().into_owned()
}

/// Returns `true` if the programs that the command runs have their own flags.
fn has_flags(command: &Command) -> bool {
    !command.has_subcommands() && command.get_arguments().any(Arg::is_last_set)
}

/// Turns `help COMMAND` into `COMMAND --help`.
fn with_help(mut words: Vec<OsString>) -> Vec<OsString> {
    if words.get(1).is_some_and(|it| it == "help") {
        words.remove(1);
        words.push("--help".into());
    }
    words
}

/// Turns `--json` into `--format=json` for commands that have a flag `--format`.
fn with_json(command: &Command, mut words: Vec<OsString>) -> Vec<OsString> {
    let Some((at, own)) = called(command, &words) else {
        return words;
    };
    let has = |name| own.get_arguments().any(|it| it.get_long() == Some(name));
    if has("format") && !has("json") || WITH_FORMATS.contains(&own.get_name()) {
        let words = words.iter_mut().skip(at).take_while(|it| **it != "--");
        for word in words.filter(|it| **it == "--json") {
            *word = "--format=json".into();
        }
    }
    words
}

/// Returns `true` if the word belongs to the command itself: one of its flags, a misspelling of
/// one, or not a flag at all.
fn belongs(own: &Command, program: &Command, word: &OsStr) -> bool {
    if !is_flag(word) || word == "-" || find(own, word).is_some() {
        return true;
    }
    let Some(name) = long(word) else {
        return false;
    };
    let names = own.get_arguments().filter_map(Arg::get_long);
    let likely = names.filter(|it| it.len() >= LIKELY_CHARS);
    find(program, word).is_none() && prophet_text::similar(&name, likely).is_some()
}

/// Returns `true` if the word is a flag whose value is the next word.
fn takes_next(command: &Command, word: &OsStr, otherwise: bool) -> bool {
    if !is_flag(word) || word.to_string_lossy().contains('=') {
        return false;
    }
    find(command, word).map_or(otherwise, |flag| {
        let least = flag.get_num_args().map_or(0, |it| it.min_values());
        flag.get_action().takes_values() && least > 0
    })
}

/// Returns `true` if the word is a flag whose value can be the next word.
fn may_take(command: &Command, word: &OsStr) -> bool {
    let has_value = word.to_string_lossy().contains('=');
    let flag = find(command, word).filter(|_| !has_value);
    flag.and_then(Arg::get_num_args)
        .is_some_and(|it| it.max_values() > 0)
}

/// Returns `true` if the word looks like a flag. A negative number doesn't.
fn is_flag(word: &OsStr) -> bool {
    let word = word.to_string_lossy();
    word.starts_with('-') && word.parse::<f64>().is_err()
}

fn find<'c>(command: &'c Command, word: &OsStr) -> Option<&'c Arg> {
    let named = |flag: &&Arg| match long(word) {
        Some(name) => {
            let mut others = flag.get_all_aliases().into_iter().flatten();
            flag.get_long() == Some(&*name) || others.any(|it| it == name)
        }
        None => flag.get_short().is_some() && flag.get_short() == short(word),
    };
    command.get_arguments().find(named)
}

/// Returns the name of a long flag, without its value.
fn long(word: &OsStr) -> Option<String> {
    let word = word.to_string_lossy();
    let name = word.strip_prefix("--")?;
    Some(name.split('=').next().unwrap_or(name).to_owned())
}

fn short(word: &OsStr) -> Option<char> {
    word.to_string_lossy().chars().nth(1)
}

#[cfg(test)]
mod tests {
    use clap::Subcommand as _;

    use super::*;

    fn check(words: &str, expected: &str) {
        let command = crate::Command::augment_subcommands(Command::new("prophet"));
        let command = <crate::Common as clap::Args>::augment_args(command);
        let words = words.split(' ').map(OsString::from).collect();
        let found = apart(&command, words).join(OsStr::new(" "));
        assert_eq!(found, expected);
    }

    #[test]
    fn flags_of_the_program_need_no_dashes() {
        check("p run m.uml --nodes 8", "p run m.uml -- --nodes 8");
        check("p run --nodes 8 m.uml", "p run m.uml -- --nodes 8");
        check("p run m.uml --nodes=8 -q", "p run m.uml -q -- --nodes=8");
        check("p run m.uml --size 700", "p run m.uml -- --size 700");
        check("p run m.uml --shift -5", "p run m.uml -- --shift -5");
        // A flag of the command begins like this, but a parameter can have this name.
        check("p run m.uml --vocab 9", "p run m.uml -- --vocab 9");
        check("p watch m.uml --nodes 2", "p watch m.uml -- --nodes 2");
        // The program knows what other tools mean by it.
        check("p run m.uml -n 4", "p run m.uml -- -n 4");
        // The value is optional. Without one, the flag lists machines.
        check(
            "p run m.uml --machine a.toml --nodes 2",
            "p run m.uml -- --machine a.toml --nodes 2",
        );
        check("p run m.uml --machine", "p run m.uml -- --machine");
        check(
            "p run m.uml --no-repetition --seed 3",
            "p run m.uml -- --no-repetition --seed 3",
        );
    }

    #[test]
    fn flags_of_the_command_stay() {
        check(
            "p --cache d run --main A m.uml --nodes 8",
            "p --cache d run --main A m.uml -- --nodes 8",
        );
        check("p run m.uml --save", "p run m.uml --save");
        check("p run --help", "p run --help");
        // The command itself reports its misspelled flags.
        check(
            "p run m.uml --evalute native",
            "p run m.uml --evalute native",
        );
    }

    #[test]
    fn short_forms_become_what_they_are_short_for() {
        check("p help", "p --help");
        check("p help runs list", "p runs list --help");
        check("p check --json m.uml", "p check --format=json m.uml");
        check("p run m.uml --json", "p run m.uml -- --format=json");
        check("p fit a.csv --json", "p fit a.csv --format=json");
        check("p runs list --json", "p runs list --format=json");
        check("p run m.uml -- --json 1", "p run m.uml -- --json 1");
        // This command has a flag with this name.
        check("p sweep m.uml --json", "p sweep m.uml --json");
    }

    #[test]
    fn what_follows_two_dashes_stays() {
        check("p run m.uml -- --save 1", "p run m.uml -- --save 1");
        check(
            "p run m.uml --nodes 8 -- --save 1",
            "p run m.uml -- --nodes 8 --save 1",
        );
        check("p check m.uml --nodes 8", "p check m.uml -- --nodes 8");
        check("p gen m.uml --nodes 8", "p gen m.uml --nodes 8");
        check("p", "p");
    }

    #[test]
    fn a_missing_command_is_told() {
        let command = crate::Command::augment_subcommands(Command::new("p"));
        for (words, expected) in [
            (
                "--nodes 4 run m.uml",
                "write flags after the command: `p run m.uml --nodes 4`",
            ),
            (
                "predict m.uml",
                "unknown command `predict`; did you mean `run`?",
            ),
            (
                "Cargo.toml -q",
                "name a command first, such as `p run Cargo.toml -q`",
            ),
            ("--version", ""),
            ("nothing", ""),
        ] {
            let mut command = command.clone().version("1");
            command.build();
            let words: Vec<_> = format!("p {words}")
                .split(' ')
                .map(OsString::from)
                .collect();
            assert_eq!(no_command(&command, &words).unwrap_or_default(), expected);
        }
    }
}
