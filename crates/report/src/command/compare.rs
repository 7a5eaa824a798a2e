//! Compares several runs.

use std::collections::BTreeSet;

use crate::page::{Data, RunSummary};

/// Builds a page about the first run, and compares it with the others. Each run comes with the name
/// of its file.
///
/// Runs are labeled with their numbers of processes if these differ, or otherwise with their files.
pub(crate) fn compare(runs: Vec<(String, Data)>) -> Data {
    let counts: BTreeSet<u32> = runs.iter().map(|(_, data)| data.run.processes).collect();
    let by_processes = counts.len() == runs.len();
    let summaries: Vec<RunSummary> = runs
        .iter()
        .map(|(file, data)| {
            let label = match data.run.processes {
                _ if !by_processes => file.clone(),
                1 => "1 process".to_owned(),
                processes => format!("{processes} processes"),
            };
            RunSummary::of(data, label)
        })
        .collect();
    let mut runs = runs.into_iter().map(|(_, data)| data);
    let mut data = runs.next().unwrap_or_default();
    let models = summaries.iter().map(|summary| &summary.run.model);
    if models.collect::<BTreeSet<_>>().len() > 1 {
        let note = "These are runs of different models; elements are matched by their ids.";
        data.notes.push(note.to_owned());
    }
    if summaries.len() > 1 {
        data.runs = summaries;
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(model: &str, processes: u32) -> Data {
        let mut data = Data::default();
        data.run.model = model.to_owned();
        data.run.processes = processes;
        data
    }

    #[test]
    fn runs_are_told_apart_by_their_processes() {
        let runs = [("a.json", run("Pi", 1)), ("b.json", run("Pi", 4))];
        let data = compare(runs.map(|(file, data)| (file.to_owned(), data)).into());
        let labels: Vec<&str> = data.runs.iter().map(|run| run.label.as_str()).collect();
        assert_eq!(labels, ["1 process", "4 processes"]);
    }

    #[test]
    fn runs_with_as_many_processes_are_told_apart_by_their_files() {
        let runs = [("a", run("Pi", 4)), ("b", run("Tau", 4))];
        let data = compare(runs.map(|(file, data)| (file.to_owned(), data)).into());
        let labels: Vec<&str> = data.runs.iter().map(|run| run.label.as_str()).collect();
        assert_eq!(labels, ["a", "b"]);
        assert!(data.notes[0].contains("different models"));
    }

    #[test]
    fn one_run_is_compared_with_nothing() {
        let data = compare(vec![("a".to_owned(), run("Pi", 4))]);
        assert_eq!((data.runs.len(), data.notes.len()), (0, 0));
        assert_eq!(compare(Vec::new()), Data::default());
    }
}
