//! Reads workflows in Pegasus' DAX 3 format, which is XML.

use std::collections::BTreeMap;

use prophet_text::Problem;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::found::{Found, FoundTask, bytes, seconds};
use super::{NamedText, TOLD};
use crate::quoted;

const DEPTH_MAX: usize = 64;

pub(super) fn read(file: NamedText<'_>) -> Result<Found, Vec<Problem>> {
    let mut dax = Dax::new(file);
    dax.parse().map_err(|it| vec![it])?;
    dax.link();
    dax.problems.truncate(TOLD);
    if dax.problems.is_empty() {
        Ok(dax.found)
    } else {
        Err(dax.problems)
    }
}

struct Dax<'a> {
    file: NamedText<'a>,
    found: Found,
    problems: Vec<Problem>,
    open: Vec<String>,
    /// Key of the open profile or metadata element.
    key: String,
    content: String,
    child: String,
    /// Dependencies: the child's id, the parent's id, and the line.
    waits: Vec<(String, String, usize)>,
    line: usize,
    counted: usize,
}

type Attributes = BTreeMap<String, String>;

impl<'a> Dax<'a> {
    fn new(file: NamedText<'a>) -> Self {
        let found = Found {
            engine: "Pegasus",
            ..Found::default()
        };
        Self {
            file,
            found,
            problems: Vec::new(),
            open: Vec::new(),
            key: String::new(),
            content: String::new(),
            child: String::new(),
            waits: Vec::new(),
            line: 1,
            counted: 0,
        }
    }

    fn wrong(&self, what: impl Into<String>, help: &str) -> Problem {
        self.file.at(self.line, Problem::with_help(what, help))
    }

    fn parse(&mut self) -> Result<(), Problem> {
        let mut reader = Reader::from_str(self.file.text);
        loop {
            self.count_lines(reader.buffer_position());
            let event = reader.read_event().map_err(|error| {
                let what = prophet_text::plain::line(&error.to_string());
                let what = format!("the file is not well-formed XML: {what}");
                self.wrong(what, "Correct the file.")
            })?;
            match event {
                Event::Start(tag) => self.start(&tag)?,
                Event::Empty(tag) => {
                    self.start(&tag)?;
                    self.end();
                }
                Event::End(_) => self.end(),
                Event::Text(text) => self.content.push_str(&text.into_inner()),
                Event::CData(text) => self.content.push_str(&text.into_inner()),
                Event::GeneralRef(name) => {
                    let what =
                        format!("the entity {} is not supported", quoted(&name.into_inner()));
                    return Err(self.wrong(what, "Replace it by its text."));
                }
                Event::Eof if self.open.is_empty() => return Ok(()),
                Event::Eof => {
                    let what = "the file ends inside an element";
                    return Err(self.wrong(what, "Complete the file."));
                }
                _ => {}
            }
        }
    }

    fn count_lines(&mut self, to: u64) {
        let text = self.file.text.as_bytes();
        let to = usize::try_from(to).unwrap_or(usize::MAX).min(text.len());
        let passed = text.get(self.counted..to).unwrap_or_default();
        self.line += passed.split(|it| *it == b'\n').count() - 1;
        self.counted = to.max(self.counted);
    }

    fn attributes(&self, tag: &BytesStart<'_>) -> Result<Attributes, Problem> {
        let mut attributes = Attributes::new();
        for attribute in tag.attributes() {
            let pair = attribute.map_err(|it| it.to_string()).and_then(|it| {
                let value = it.normalized_value(XmlVersion::Implicit1_0);
                let value = value.map_err(|it| it.to_string())?.into_owned();
                Ok((it.key.as_ref().to_owned(), value))
            });
            let (key, value) = pair.map_err(|error| {
                let what = prophet_text::plain::line(&error);
                let what = format!("an attribute is not valid XML: {what}");
                self.wrong(what, "Correct the attribute.")
            })?;
            attributes.insert(key, value);
        }
        Ok(attributes)
    }

    fn start(&mut self, tag: &BytesStart<'_>) -> Result<(), Problem> {
        if self.open.len() >= DEPTH_MAX {
            let what = format!("elements are nested more than {DEPTH_MAX} deep");
            return Err(self.wrong(what, "Use fewer levels of nesting."));
        }
        let name = tag.local_name().as_ref().to_owned();
        let attributes = self.attributes(tag)?;
        self.content.clear();
        let required = |key: &str| {
            attributes.get(key).cloned().ok_or_else(|| {
                let what = format!("`{name}` needs the attribute `{key}`");
                self.wrong(what, "Add the attribute.")
            })
        };
        match &*name {
            "adag" => self.found.name = attributes.get("name").cloned().unwrap_or_default(),
            "job" => {
                let task = self.job(required("id")?, &attributes)?;
                self.found.tasks.push(task);
            }
            "dag" | "dax" => {
                let what = "a job refers to a workflow in another file";
                return Err(self.wrong(what, "Plan the workflow and its parts in one DAX."));
            }
            "uses" if self.is_in("job") => self.uses(&attributes)?,
            "profile" | "metadata" => {
                self.key = attributes.get("key").cloned().unwrap_or_default();
            }
            "child" => self.child = required("ref")?,
            "parent" => {
                let parent = required("ref")?;
                self.waits.push((self.child.clone(), parent, self.line));
            }
            _ => {}
        }
        self.open.push(name);
        Ok(())
    }

    fn is_in(&self, name: &str) -> bool {
        self.open.last().is_some_and(|it| it == name)
    }

    fn job(&self, id: String, attributes: &Attributes) -> Result<FoundTask, Problem> {
        let kind = attributes.get("name").unwrap_or(&id).clone();
        let seconds = attributes.get("runtime").map(|it| self.seconds(it));
        Ok(FoundTask {
            id,
            kind,
            seconds: seconds.transpose()?,
            ..FoundTask::default()
        })
    }

    fn seconds(&self, text: &str) -> Result<f64, Problem> {
        seconds(text).ok_or_else(|| {
            let what = format!("expected a time of 0 s or more, found {}", quoted(text));
            self.wrong(what, "Write the time in seconds.")
        })
    }

    fn size(&self, text: &str) -> Result<u64, Problem> {
        bytes(text, 1.0).ok_or_else(|| {
            let what = format!("expected a size of 0 or more, found {}", quoted(text));
            self.wrong(what, "Write the size in bytes.")
        })
    }

    fn uses(&mut self, attributes: &Attributes) -> Result<(), Problem> {
        let name = attributes.get("name").or_else(|| attributes.get("file"));
        let Some(name) = name.cloned() else {
            let what = "`uses` needs the attribute `name`";
            return Err(self.wrong(what, "Add the name of the file."));
        };
        if let Some(size) = attributes.get("size") {
            let size = self.size(size)?;
            self.found.sizes_bytes.insert(name.clone(), size);
        }
        let Some(task) = self.found.tasks.last_mut() else {
            return Ok(());
        };
        match attributes.get("link").map(|it| &**it) {
            Some("input" | "inout") => task.inputs.push(name),
            Some("output") => task.outputs.push(name),
            // Tasks don't wait for executables or checkpoints.
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self) {
        let name = self.open.pop().unwrap_or_default();
        let text = std::mem::take(&mut self.content);
        if !matches!(&*name, "profile" | "metadata") || !self.is_in("job") {
            return;
        }
        if let Err(problem) = self.needs(&text) {
            self.problems.push(problem);
        }
    }

    fn needs(&mut self, text: &str) -> Result<(), Problem> {
        let mut needs = FoundTask::default();
        match &*self.key {
            "runtime" => needs.seconds = Some(self.seconds(text)?),
            "cores" | "request_cpus" => {
                let cores = text.trim().parse().ok().filter(|it: &u32| *it > 0);
                let what = || format!("the number of cores is {}", quoted(text));
                needs.cores = Some(cores.ok_or_else(|| self.wrong(what(), "Use 1 core or more."))?);
            }
            "memory" | "request_memory" => {
                let what = || format!("the memory is {}", quoted(text));
                // Pegasus and HTCondor count memory in MB.
                let bytes = bytes(text, 1e6);
                needs.memory_bytes =
                    Some(bytes.ok_or_else(|| self.wrong(what(), "Write the memory in MB."))?);
            }
            _ => {}
        }
        if let Some(task) = self.found.tasks.last_mut() {
            task.seconds = task.seconds.or(needs.seconds);
            task.cores = needs.cores.or(task.cores);
            task.memory_bytes = needs.memory_bytes.or(task.memory_bytes);
        }
        Ok(())
    }

    fn link(&mut self) {
        let ids: BTreeMap<&str, u32> = (self.found.tasks.iter().map(|it| &*it.id))
            .zip(0..)
            .collect();
        let mut pairs = Vec::new();
        for (child, parent, line) in &self.waits {
            match (ids.get(&**child), ids.get(&**parent)) {
                (Some(child), Some(parent)) => pairs.push((*child, *parent)),
                (known, _) => {
                    let missing = if known.is_none() { child } else { parent };
                    let what = format!("unknown job {}", quoted(missing));
                    let help = "Add the job, or correct the id.";
                    self.problems
                        .push(self.file.at(*line, Problem::with_help(what, help)));
                }
            }
        }
        for (child, parent) in pairs {
            self.found.tasks[child as usize].parents.insert(parent);
        }
    }
}
