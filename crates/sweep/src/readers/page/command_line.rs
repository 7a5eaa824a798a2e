//! Builds the command line that predicts a given point.

use crate::plan::Plan;
use prophet_text::plain::shell as word;

/// The command line for all points: the text before the value of each axis.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CommandLine {
    pub(super) begin: String,
    pub(super) before: Vec<String>,
    pub(super) end: String,
}

impl CommandLine {
    /// Creates a command line of `run` if `run` can predict all points, or otherwise of a sweep
    /// with a single point. A sweep is needed for several seeds, or if an axis isn't a flag of
    /// `run`, such as `network.latency`. In that case, `flag` returns `None`.
    ///
    /// `program` is how the user called the program, and ends with `sweep`. `file` is the model's
    /// file.
    pub(super) fn new(
        (program, file): (&str, &str),
        plan: &Plan,
        flag: impl Fn(&str) -> Option<String>,
        axes: &[&str],
    ) -> Self {
        let flags: Option<Vec<String>> = axes.iter().map(|axis| flag(axis)).collect();
        let door = program.strip_suffix(" sweep");
        match (door, flags) {
            (Some(door), Some(flags)) if plan.seeds.is_none() && plan.precision.is_none() => {
                Self::of_run(door, file, plan, flags)
            }
            _ => Self::of_sweep(program, file, plan, axes),
        }
    }

    fn of_run(door: &str, file: &str, plan: &Plan, before: Vec<String>) -> Self {
        let mut begin = format!("{door} run {}", word(file));
        option(&mut begin, "--main", plan.main.as_deref());
        begin += " --";
        for flag in &plan.flags {
            begin += " ";
            begin += &word(flag);
        }
        Self {
            begin,
            before,
            end: String::new(),
        }
    }

    fn of_sweep(program: &str, file: &str, plan: &Plan, axes: &[&str]) -> Self {
        let mut begin = format!("{program} {}", word(file));
        option(&mut begin, "--main", plan.main.as_deref());
        option(&mut begin, "--seeds", plan.seeds.as_deref());
        option(&mut begin, "--precision", plan.precision.as_deref());
        let before = axes.iter().map(|axis| format!("--vary {}=", word(axis)));
        let flags: Vec<String> = plan.flags.iter().map(|flag| word(flag)).collect();
        let end = if flags.is_empty() {
            String::new()
        } else {
            format!(" -- {}", flags.join(" "))
        };
        Self {
            before: before.collect(),
            begin,
            end,
        }
    }
}

fn option(command: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        command.push_str(&[" ", name, " ", &word(value)].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(axis: &str) -> Option<String> {
        (!axis.contains('.')).then(|| format!("--{axis} "))
    }

    fn plan(seeds: Option<&str>) -> Plan {
        Plan {
            main: Some("a b".to_owned()),
            seeds: seeds.map(str::to_owned),
            flags: vec!["--machine".to_owned(), "it's.toml".to_owned()],
            ..Plan::default()
        }
    }

    /// Returns a complete command line, with `V` in place of each value.
    fn line(plan: &Plan, axes: &[&str]) -> String {
        let program = ("performance-prophet sweep", "dir/lapw0.uml");
        let CommandLine { begin, before, end } = CommandLine::new(program, plan, flag, axes);
        let values: Vec<String> = before.iter().map(|before| format!(" {before}V")).collect();
        format!("{begin}{}{end}", values.concat())
    }

    #[test]
    fn axes_are_flags_of_a_run() {
        let axes = ["nodes", "scheduler"];
        assert_eq!(
            line(&plan(None), &axes),
            "performance-prophet run dir/lapw0.uml --main 'a b' -- --machine 'it'\\''s.toml' \
             --nodes V --scheduler V"
        );
    }

    #[test]
    fn points_that_no_run_predicts_are_sweeps() {
        let sweep = "performance-prophet sweep dir/lapw0.uml --main 'a b'";
        let flags = "-- --machine 'it'\\''s.toml'";
        assert_eq!(
            line(&plan(None), &["NAT", "network.latency"]),
            format!("{sweep} --vary NAT=V --vary network.latency=V {flags}")
        );
        assert_eq!(
            line(&plan(Some("30")), &["NAT"]),
            format!("{sweep} --seeds 30 --vary NAT=V {flags}")
        );
    }
}
