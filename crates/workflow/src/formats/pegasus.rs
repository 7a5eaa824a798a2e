//! Reads workflows in the Pegasus 5 format, which is YAML.

use std::collections::BTreeMap;

use prophet_text::Problem;

use super::found::{Found, FoundTask, bytes, seconds};
use super::yaml::{self, Node};
use super::{NamedText, TOLD};
use crate::quoted;

pub(super) fn read(file: NamedText<'_>) -> Result<Found, Vec<Problem>> {
    let document = yaml::read(file).map_err(|it| vec![it])?;
    let mut reader = PegasusReader {
        file,
        found: Found {
            name: document.text_of("name").unwrap_or_default().to_owned(),
            engine: "Pegasus",
            ..Found::default()
        },
        problems: Vec::new(),
    };
    for job in document.get("jobs").map_or(&[][..], |it| it.items()) {
        let task = reader.job(job);
        match task {
            Ok(task) => reader.found.tasks.push(task),
            Err(problem) => reader.problems.push(problem),
        }
    }
    reader.replicas(&document);
    // Don't also report invalid jobs as missing.
    if reader.problems.is_empty() {
        reader.link(&document);
    }
    reader.problems.truncate(TOLD);
    if reader.problems.is_empty() {
        Ok(reader.found)
    } else {
        Err(reader.problems)
    }
}

struct PegasusReader<'a> {
    file: NamedText<'a>,
    found: Found,
    problems: Vec<Problem>,
}

impl PegasusReader<'_> {
    fn wrong(&self, node: &Node, what: impl Into<String>, help: &str) -> Problem {
        self.file.at(node.line, Problem::with_help(what, help))
    }

    fn job(&mut self, job: &Node) -> Result<FoundTask, Problem> {
        if let Some(kind) = job.text_of("type").filter(|it| *it != "job") {
            let what = format!("a job is itself a workflow, of the type {}", quoted(kind));
            return Err(self.wrong(job, what, "Put all parts of the workflow into one file."));
        }
        let Some(id) = job.text_of("id") else {
            let what = "the job needs an `id`";
            return Err(self.wrong(job, what, "Add an id to the job."));
        };
        let mut task = FoundTask {
            id: id.to_owned(),
            kind: job.text_of("name").unwrap_or(id).to_owned(),
            ..FoundTask::default()
        };
        self.needs(job, &mut task)?;
        for uses in job.get("uses").map_or(&[][..], |it| it.items()) {
            let Some(name) = uses.text_of("lfn") else {
                let what = "the use needs an `lfn`";
                return Err(self.wrong(uses, what, "Name the file."));
            };
            self.size(uses, name)?;
            match uses.text_of("type") {
                Some("input" | "inout") => task.inputs.push(name.to_owned()),
                Some("output") => task.outputs.push(name.to_owned()),
                _ => {}
            }
        }
        Ok(task)
    }

    fn needs(&self, job: &Node, task: &mut FoundTask) -> Result<(), Problem> {
        let profile = |space: &str, key: &str| job.get("profiles")?.get(space)?.get(key).cloned();
        let metadata = |key: &str| job.get("metadata")?.get(key).cloned();
        if let Some(node) = profile("pegasus", "runtime").or_else(|| metadata("runtime")) {
            let text = node.text().unwrap_or_default();
            task.seconds = Some(seconds(text).ok_or_else(|| {
                let what = format!("expected a time of 0 s or more, found {}", quoted(text));
                self.wrong(&node, what, "Write the time in seconds.")
            })?);
        }
        if let Some(node) =
            profile("pegasus", "cores").or_else(|| profile("condor", "request_cpus"))
        {
            let text = node.text().unwrap_or_default();
            let cores = text.trim().parse::<u32>().ok().filter(|it| *it > 0);
            task.cores = Some(cores.ok_or_else(|| {
                let what = format!("the number of cores is {}", quoted(text));
                self.wrong(&node, what, "Use 1 core or more.")
            })?);
        }
        let memory = profile("pegasus", "memory").or_else(|| profile("condor", "request_memory"));
        if let Some(node) = memory {
            let text = node.text().unwrap_or_default();
            // Pegasus and HTCondor count memory in MB.
            task.memory_bytes = Some(bytes(text, 1e6).ok_or_else(|| {
                let what = format!("the memory is {}", quoted(text));
                self.wrong(&node, what, "Write the memory in MB.")
            })?);
        }
        Ok(())
    }

    /// Reads the size of a file, if its use or its replica states it.
    fn size(&mut self, node: &Node, name: &str) -> Result<(), Problem> {
        let in_metadata = || node.get("metadata")?.get("size");
        let Some(size) = node.get("size").or_else(in_metadata) else {
            return Ok(());
        };
        let text = size.text().unwrap_or_default();
        let size = bytes(text, 1.0).ok_or_else(|| {
            let what = format!("expected a size of 0 or more, found {}", quoted(text));
            self.wrong(size, what, "Write the size in bytes.")
        })?;
        self.found.sizes_bytes.insert(name.to_owned(), size);
        Ok(())
    }

    fn replicas(&mut self, document: &Node) {
        let replicas = document
            .get("replicaCatalog")
            .and_then(|it| it.get("replicas"));
        for replica in replicas.map_or(&[][..], |it| it.items()) {
            if let Some(name) = replica.text_of("lfn")
                && let Err(problem) = self.size(replica, name)
            {
                self.problems.push(problem);
            }
        }
    }

    fn link(&mut self, document: &Node) {
        let ids: BTreeMap<String, u32> = (self.found.tasks.iter().map(|it| it.id.clone()))
            .zip(0..)
            .collect();
        for entry in document
            .get("jobDependencies")
            .map_or(&[][..], |it| it.items())
        {
            let parent = entry.text_of("id").unwrap_or_default();
            let children = entry.get("children").map_or(&[][..], |it| it.items());
            for child in children {
                let names = [parent, child.text().unwrap_or_default()];
                match names.map(|it| ids.get(it).copied()) {
                    [Some(parent), Some(child)] => {
                        self.found.tasks[child as usize].parents.insert(parent);
                    }
                    [known, _] => {
                        let missing = names[usize::from(known.is_some())];
                        let what = format!("unknown job {}", quoted(missing));
                        let help = "Add the job, or correct the id.";
                        self.problems.push(self.wrong(child, what, help));
                    }
                }
            }
        }
    }
}
