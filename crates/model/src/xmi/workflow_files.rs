//! Turns workflow files, drawn as object nodes with the stereotype `file`, into tags of the tasks
//! that read and write them.

use std::collections::BTreeSet;

use super::flows::Edge;
use super::reader::Reader;
use crate::diagnostic::catalogue::element as rules;
use crate::diagnostic::{Diagnostic, Span};
use crate::model::{ElementId, NodeKind, Stereotype, StereotypeKind};
use crate::path;
use crate::source::Text;
use prophet_map::Map;

/// Maximum total number of edges to follow to find the tasks of files.
pub(super) const EDGES_MAX: usize = 4_000_000;

/// A file in a drawing: an object node or a pin with the stereotype `file`.
pub(super) struct DrawnFile {
    pub(super) name: String,
    pub(super) span: Span,
    /// Path of the node, for messages.
    pub(super) path: String,
    pub(super) size: Option<Text>,
}

/// For each element, the elements at the other ends of its edges.
type Ends = Map<ElementId, Vec<ElementId>>;

/// A search from files to tasks along the edges.
struct Search {
    objects: BTreeSet<ElementId>,
    /// Number of edges that the search can still follow.
    left: usize,
}

impl Reader<'_, '_> {
    /// Adds files to the tasks that object flows connect them to. Removes the stereotype `file`
    /// from the files, and returns them.
    pub(super) fn take_files(
        &mut self,
        objects: &BTreeSet<ElementId>,
        edges: &[Edge],
    ) -> BTreeSet<ElementId> {
        let is_file = |id: &ElementId| self.has_kind(*id, StereotypeKind::File);
        let files: BTreeSet<ElementId> = objects.iter().copied().filter(is_file).collect();
        if files.is_empty() {
            return files;
        }
        let (mut sources, mut targets) = (Ends::new(), Ends::new());
        for edge in edges {
            let (source, target) = (edge.flow.source, edge.flow.target);
            targets.get_or_default(source).push(target);
            sources.get_or_default(target).push(source);
        }
        let mut search = Search {
            objects: objects.clone(),
            left: EDGES_MAX,
        };
        for &file in &files {
            let is_written = sources.contains_key(&file);
            let writers = search.from(self, file, &sources);
            let readers = search.from(self, file, &targets);
            self.give_file(&self.file_of(file), is_written, &writers, &readers);
        }
        for file in &files {
            self.elements[file.0].stereotype = None;
        }
        files
    }

    fn has_kind(&self, id: ElementId, kind: StereotypeKind) -> bool {
        let stereotype = self.elements[id.0].stereotype.as_ref();
        stereotype.is_some_and(|it| it.kind == kind)
    }

    /// Returns the file that an object node represents.
    fn file_of(&self, id: ElementId) -> DrawnFile {
        let element = &self.elements[id.0];
        let tags = element.stereotype.as_ref().map(|it| &it.tags);
        DrawnFile {
            name: element.name.trim().to_owned(),
            span: element.span,
            path: element.path.clone(),
            size: tags.and_then(|it| it.get("size")).cloned(),
        }
    }

    /// Adds a file to the tasks that write it and the tasks that read it.
    pub(super) fn give_file(
        &mut self,
        file: &DrawnFile,
        is_written: bool,
        writers: &[ElementId],
        readers: &[ElementId],
    ) {
        let span = file.span;
        if file.name.is_empty() || file.name.contains([',', ':']) {
            let message = "the name of a `file` is empty, or contains a comma or colon";
            self.report_file(
                file,
                message,
                "give the file a name without commas and colons",
            );
            return;
        }
        if writers.is_empty() && readers.is_empty() {
            let message = "no task reads or writes the `file`";
            self.report_file(file, message, "draw an object flow to or from a task");
            return;
        }
        let plain = Text::new(file.name.clone(), span);
        let mut sized = Text {
            span,
            ..Text::default()
        };
        sized.push(&plain);
        if let Some(size) = &file.size {
            sized.push_str(": ");
            sized.push(size);
        }
        let others = writers.iter().chain(readers);
        if let Some(&other) = { others }.find(|it| !self.may_have_files(**it)) {
            let other = path::shorten(&self.elements[other.0].path).into_owned();
            let message = format!("a `file` is read or written by {other}, which is not a `task`");
            self.report_file(file, &message, "make that node a `task`");
            return;
        }
        for &writer in writers {
            self.add_file(writer, "outputs", &sized);
        }
        for &reader in readers {
            self.add_file(reader, "inputs", if is_written { &plain } else { &sized });
        }
    }

    /// Returns `true` for a task, and for a node that can contain tasks that list the file.
    fn may_have_files(&self, id: ElementId) -> bool {
        let element = &self.elements[id.0];
        self.has_kind(id, StereotypeKind::Task)
            || matches!(element.kind, NodeKind::Call(_))
            || !element.kind.contents().is_empty()
    }

    /// Appends a file to a tag of a task. Does nothing for nodes with content, because the tasks in
    /// them list the file.
    fn add_file(&mut self, task: ElementId, tag: &str, file: &Text) {
        let stereotype = self.elements[task.0].stereotype.as_mut();
        let task = |it: &&mut Stereotype| it.kind == StereotypeKind::Task;
        let Some(stereotype) = stereotype.filter(task) else {
            return;
        };
        let mut all = Text {
            span: file.span,
            ..Text::default()
        };
        if let Some(before) = stereotype.tags.get(tag) {
            all.push(before);
            all.push_str(", ");
        }
        all.push(file);
        stereotype.tags.insert(tag.to_owned(), all);
    }

    fn report_file(&mut self, file: &DrawnFile, message: &str, help: &str) {
        let problem = Diagnostic::new(&rules::BAD_FILE, file.span, message);
        let problem = problem.element(&file.path).help(help);
        self.diagnostics.push(problem);
    }
}

impl Search {
    /// Follows edges from a file through control nodes, and returns the first nodes that do
    /// something.
    fn from(&mut self, reader: &Reader<'_, '_>, file: ElementId, ends: &Ends) -> Vec<ElementId> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([file]);
        let mut open = vec![file];
        while let Some(node) = open.pop() {
            for &end in ends.get(&node).into_iter().flatten() {
                if self.left == 0 {
                    return Vec::new();
                }
                self.left -= 1;
                if reader.has_kind(end, StereotypeKind::File) || !seen.insert(end) {
                    continue;
                }
                match reader.elements[end.0].kind {
                    NodeKind::Fork | NodeKind::Join | NodeKind::Decision | NodeKind::Merge => {
                        open.push(end);
                    }
                    NodeKind::Unsupported(_) if self.objects.contains(&end) => open.push(end),
                    NodeKind::Initial | NodeKind::ActivityFinal | NodeKind::FlowFinal => {}
                    _ => {
                        found.insert(end);
                    }
                }
            }
        }
        Vec::from_iter(found)
    }
}
