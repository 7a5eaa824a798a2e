//! Reads the reports of GNU time: the output of `/usr/bin/time -v`.

use std::rc::Rc;

use prophet_text::Problem;

use crate::measurements::collector::{Collector, number};
use crate::measurements::job::{COMPLETED, Job, Text};
use crate::measurements::sacct::clock;

/// Start of a report, which can follow the program's own output.
const COMMAND: &str = "Command being timed: ";
const ELAPSED: &str = "Elapsed (wall clock) time (h:mm:ss or m:ss): ";
const MEMORY: &str = "Maximum resident set size (kbytes): ";
const STATUS: &str = "Exit status: ";
const SIGNAL: &str = "Command terminated by signal ";

pub(crate) fn is_report(text: &str) -> bool {
    text.lines().any(|it| it.trim_start().starts_with(COMMAND))
}

pub(crate) fn add(collector: &mut Collector<'_>, text: &str) -> Result<(), Problem> {
    let file: Rc<str> = collector.file().into();
    let mut current: Option<Job> = None;
    let mut is_killed = false;
    for (index, line) in text.lines().enumerate() {
        let told = |why: String| collector.told(index + 1, why);
        let line = line.trim();
        let after = |begin| line.strip_prefix(begin);
        if after(SIGNAL).is_some() {
            is_killed = true;
        } else if let Some(command) = after(COMMAND) {
            let job = Job {
                file: Rc::clone(&file),
                line: index + 1,
                id: None,
                name: command.trim_matches('"').to_owned(),
                text: Text::Command,
                is_cut: false,
                state: if is_killed { "killed" } else { COMPLETED }.to_owned(),
                values: Vec::new(),
                sizes: Vec::new(),
            };
            is_killed = false;
            if let Some(job) = current.replace(job) {
                collector.keep(job)?;
            }
        } else if let Some(job) = &mut current {
            if let Some(elapsed) = after(ELAPSED) {
                job.values.push((
                    "elapsed".to_owned(),
                    clock(elapsed).map_err(|why| told(why.to_string()))?,
                ));
            } else if let Some(kilobytes) = after(MEMORY) {
                let why = || {
                    told(format!(
                        "expected a number of kilobytes, found `{kilobytes}`"
                    ))
                };
                let kilobytes = number(kilobytes).ok_or_else(why)?;
                job.values.push(("max_rss".to_owned(), 1024.0 * kilobytes));
            } else if let Some(status) = after(STATUS).filter(|it| *it != "0") {
                job.state = format!("with exit status {status}");
            }
        }
    }
    match current {
        Some(job) => collector.keep(job),
        None => Ok(()),
    }
}
