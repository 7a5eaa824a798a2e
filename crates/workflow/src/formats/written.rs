//! Writes documents as Pegasus files: DAX 3.6 (XML) or Pegasus 5 (YAML).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use prophet_text::Problem;
use prophet_text::markup::escaped;
use serde_json::Number;

use crate::quoted;
use crate::wfformat::{Document, TaskEntry, TaskRecord};

const MEGABYTE: f64 = 1e6;
const NAMED_MAX: usize = 8;

/// The format of a workflow file to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    WfFormat,
    Dax,
    Pegasus,
}

impl Form {
    /// Returns the format that the file name's extension implies.
    pub fn of(path: &Path) -> Self {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        match &*ending.to_lowercase() {
            "dax" | "xml" => Self::Dax,
            "yml" | "yaml" => Self::Pegasus,
            _ => Self::WfFormat,
        }
    }
}

/// Returns a document as text in this format, and remarks about what the format can't express.
///
/// # Errors
///
/// Returns an error if a name contains characters that XML can't express.
pub fn write(document: &Document, form: Form) -> Result<(String, Vec<String>), Problem> {
    let text = match form {
        Form::WfFormat => return Ok((document.text()?, Vec::new())),
        Form::Dax => dax(document)?,
        Form::Pegasus => yaml(document),
    };
    let left_out = left_out(document);
    let note = || format!("omitted, because Pegasus does not support it: {left_out}");
    let notes = (!left_out.is_empty()).then(note);
    Ok((text, notes.into_iter().collect()))
}

struct WrittenTask<'a> {
    task: &'a TaskEntry,
    record: Option<&'a TaskRecord>,
    sizes: &'a BTreeMap<&'a str, &'a Number>,
}

impl WrittenTask<'_> {
    /// Returns the Pegasus profiles for time, cores and memory.
    fn profiles(&self) -> Vec<(&'static str, String)> {
        let Some(record) = self.record else {
            return Vec::new();
        };
        let megabytes = |it: &Number| (it.as_f64().unwrap_or(0.0) / MEGABYTE).to_string();
        let all = [
            ("runtime", Some(plain(&record.runtime_in_seconds))),
            ("cores", record.core_count.as_ref().map(plain)),
            ("memory", record.memory_in_bytes.as_ref().map(megabytes)),
        ];
        { all.into_iter() }
            .filter_map(|(key, value)| Some((key, value?)))
            .collect()
    }

    fn uses(&self) -> impl Iterator<Item = (&str, &'static str, String)> {
        let inputs = self.task.input_files.iter().flatten();
        let outputs = self.task.output_files.iter().flatten();
        let all = (inputs.map(|it| (it, "input"))).chain(outputs.map(|it| (it, "output")));
        all.map(|(name, link)| {
            let size = self.sizes.get(&**name);
            (&**name, link, size.map_or("0".to_owned(), |it| plain(it)))
        })
    }
}

/// Formats a number without an exponent, which some readers don't support.
fn plain(number: &Number) -> String {
    match number.as_u64() {
        Some(whole) => whole.to_string(),
        None => number.as_f64().unwrap_or(0.0).to_string(),
    }
}

fn jobs(document: &Document, mut write: impl FnMut(&WrittenTask<'_>)) {
    let specification = &document.workflow.specification;
    let files = specification.files.iter().flatten();
    let sizes = files.map(|it| (&*it.id, &it.size_in_bytes)).collect();
    let records = document.workflow.execution.iter().flat_map(|it| &it.tasks);
    let records: BTreeMap<&str, &TaskRecord> = records.map(|it| (&*it.id, it)).collect();
    for task in &specification.tasks {
        write(&WrittenTask {
            task,
            record: records.get(&*task.id).copied(),
            sizes: &sizes,
        });
    }
}

/// Returns which tasks wait for each task. Either of the two tasks can state the dependency.
fn waits(document: &Document) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut children: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for task in &document.workflow.specification.tasks {
        for parent in task.parents.iter().flatten() {
            children.entry(parent).or_default().insert(&task.id);
        }
        for child in task.children.iter().flatten() {
            children.entry(&task.id).or_default().insert(child);
        }
    }
    children
}

fn dax(document: &Document) -> Result<String, Problem> {
    let mut wrong = None;
    let mut xml = |text: &str| {
        if let Some(c) = text.chars().find(|it| it.is_control()) {
            let what = format!("XML cannot contain the character {c:?} of {}", quoted(text));
            let help = "Write YAML instead, to a file name ending in `.yml`.";
            wrong.get_or_insert_with(|| Problem::with_help(what, help));
        }
        escaped(text)
    };
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <adag xmlns=\"http://pegasus.isi.edu/schema/DAX\" version=\"3.6\" name=\"{}\">\n",
        xml(&document.name)
    );
    jobs(document, |job| {
        let (id, name) = (xml(&job.task.id), xml(&job.task.name));
        writeln!(text, "  <job id=\"{id}\" name=\"{name}\">").expect("it is text");
        for (key, value) in job.profiles() {
            writeln!(
                text,
                "    <profile namespace=\"pegasus\" key=\"{key}\">{value}</profile>"
            )
            .expect("it is text");
        }
        for (name, link, size) in job.uses() {
            let name = xml(name);
            writeln!(
                text,
                "    <uses name=\"{name}\" link=\"{link}\" size=\"{size}\"/>"
            )
            .expect("it is text");
        }
        text += "  </job>\n";
    });
    for (parent, children) in waits(document) {
        for child in children {
            let [child, parent] = [child, parent].map(&mut xml);
            writeln!(
                text,
                "  <child ref=\"{child}\"><parent ref=\"{parent}\"/></child>"
            )
            .expect("it is text");
        }
    }
    text += "</adag>\n";
    wrong.map_or(Ok(text), Err)
}

/// Returns the document as YAML. JSON strings are valid in YAML.
fn yaml(document: &Document) -> String {
    let string = |it: &str| prophet_text::plain::json(&serde_json::Value::from(it).to_string());
    let mut text = format!(
        "pegasus: \"5.0\"\nname: {}\njobs:\n",
        string(&document.name)
    );
    jobs(document, |job| {
        let (id, name) = (string(&job.task.id), string(&job.task.name));
        writeln!(text, "  - type: job\n    id: {id}\n    name: {name}").expect("it is text");
        let profile = |(key, value)| format!("{key}: \"{value}\"");
        let profiles: Vec<String> = job.profiles().into_iter().map(profile).collect();
        writeln!(
            text,
            "    profiles: {{pegasus: {{{}}}}}",
            profiles.join(", ")
        )
        .expect("it is text");
        let mut heading = "    uses:\n";
        for (name, link, size) in job.uses() {
            let name = string(name);
            text += heading;
            writeln!(
                text,
                "      - {{lfn: {name}, type: {link}, size: \"{size}\"}}"
            )
            .expect("it is text");
            heading = "";
        }
    });
    let waits = waits(document);
    if !waits.is_empty() {
        text += "jobDependencies:\n";
    }
    for (parent, children) in waits {
        let children: Vec<String> = children.into_iter().map(string).collect();
        let (parent, children) = (string(parent), children.join(", "));
        writeln!(text, "  - id: {parent}\n    children: [{children}]").expect("it is text");
    }
    text
}

/// Lists the entries of a document that Pegasus can't express.
fn left_out(document: &Document) -> String {
    let body = &document.workflow;
    let (specification, execution) = (&body.specification, body.execution.as_ref());
    let files = specification.files.iter().flatten();
    let records = || execution.iter().flat_map(|it| &it.tasks);
    let rests = [&document.rest, &body.rest, &specification.rest].into_iter();
    let rests = rests
        .chain(specification.tasks.iter().map(|it| &it.rest))
        .chain(files.clone().map(|it| &it.rest))
        .chain(execution.iter().map(|it| &it.rest))
        .chain(records().map(|it| &it.rest));
    let mut names: BTreeSet<&str> = rests.flat_map(|it| it.keys()).map(|it| &**it).collect();
    let is_recorded = |is: fn(&TaskRecord) -> bool| records().any(is);
    let used = specification.tasks.iter();
    let used = used.flat_map(|it| it.input_files.iter().chain(&it.output_files).flatten());
    let used: BTreeSet<&str> = used.map(|it| &**it).collect();
    let known = [
        (execution.is_some(), "makespanInSeconds"),
        (
            execution.is_some_and(|it| it.machines.is_some()),
            "machines",
        ),
        (is_recorded(|it| it.machines.is_some()), "machines"),
        (is_recorded(|it| it.executed_at.is_some()), "executedAt"),
        (
            files.into_iter().any(|it| !used.contains(&*it.id)),
            "files that no task uses",
        ),
    ];
    names.extend(known.iter().filter(|it| it.0).map(|it| it.1));
    let rest = names.len().saturating_sub(NAMED_MAX);
    let named = names.iter().take(NAMED_MAX);
    let named: Vec<String> = named.map(|it| prophet_text::plain::line(it)).collect();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    named.join(", ") + &more
}
