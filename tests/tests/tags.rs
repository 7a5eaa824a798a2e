//! Tests every tag in the profile on every stereotype: accepted tags must compile, and a tag that
//! the stereotype lacks must only cause a warning.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use prophet_codegen::model::{Model, StereotypeKind};
use prophet_codegen::source::Source;
use prophet_codegen::target::rust::{CrateOptions, crate_files};
use prophet_codegen::vocabulary;
use prophet_frontend::program::Program;
use prophet_targets::xml::{in_sequence, text};
use prophet_tests::form::outline;
use prophet_tests::programs::Programs;
use prophet_tests::sketch;

struct Pair {
    stereotype: StereotypeKind,
    tag: &'static str,
}

impl Pair {
    fn is_known(&self) -> bool {
        vocabulary::tags(self.stereotype).any(|tag| tag == self.tag)
    }

    /// Returns the lines of a sketch that draw the element `key`, optionally with the tag.
    fn lines(&self, key: &str, tagged: bool) -> String {
        let name = self.stereotype.name();
        let mut tags: Vec<(&str, &str)> = required(self.stereotype).to_vec();
        if tagged {
            tags.retain(|(tag, _)| *tag != self.tag && !(self.tag == "time" && *tag == "cost"));
            // Each element has a different id.
            let id = key.trim_start_matches('E');
            let value = if self.tag == "id" {
                id
            } else {
                value(self.tag)
            };
            tags.push((self.tag, value));
        }
        let mut line = format!("{key}: {name}");
        for (tag, value) in tags {
            let _ = write!(line, " {tag}=\"{value}\"");
        }
        if needs_content(self.stereotype) {
            line.push_str(" {\n  start -> Inside -> end\n}");
        }
        line.push('\n');
        line
    }
}

/// Returns all combinations of a stereotype with a tag of any stereotype.
fn pairs() -> impl Iterator<Item = Pair> {
    let tags: BTreeSet<&str> = StereotypeKind::ALL
        .into_iter()
        .flat_map(vocabulary::tags)
        .collect();
    // Stereotypes of workflows are omitted, because workflows aren't compiled.
    let of_programs = StereotypeKind::ALL.into_iter().filter(|it| {
        use StereotypeKind as S;
        !matches!(it, S::Task | S::File | S::Workflow)
    });
    of_programs.flat_map(move |stereotype| {
        let pair = move |tag| Pair { stereotype, tag };
        tags.clone().into_iter().map(pair)
    })
}

fn required(stereotype: StereotypeKind) -> &'static [(&'static str, &'static str)] {
    use StereotypeKind as S;
    match stereotype {
        S::ActionPlus | S::Delay | S::Kernel => &[("cost", "1")],
        S::SendSignal | S::AcceptSignal => &[("signal", "s")],
        S::Copy => &[("bytes", "8")],
        S::Event => &[("event", "0")],
        S::LoopPlus | S::ParallelDo => &[("iterations", "2")],
        S::BSend | S::NbSend => &[("dest", "0"), ("size", "8")],
        S::BRecv | S::NbRecv => &[("source", "0")],
        S::SendRecv => &[("dest", "0"), ("source", "0"), ("size", "8")],
        S::Broadcast
        | S::Reduce
        | S::Gather
        | S::Scatter
        | S::AllReduce
        | S::AllGather
        | S::AllToAll
        | S::ReduceScatter
        | S::Scan => &[("size", "8")],
        _ => &[],
    }
}

fn needs_content(stereotype: StereotypeKind) -> bool {
    use StereotypeKind as S;
    matches!(
        stereotype,
        S::ActivityPlus | S::LoopPlus | S::Parallel | S::ParallelDo | S::ParallelSections
    )
}

/// Returns a value for a tag that is valid wherever the tag is.
fn value(tag: &str) -> &'static str {
    match tag {
        "code" => "GV = GV + 1;",
        "cost" | "time" => "0.5",
        "direction" => "DeviceToHost",
        "name" => "lock",
        "repetition" => "2",
        "request" => "q",
        "rud" => "r",
        "schedule" => "dynamic",
        "signal" => "s",
        "type" => "t",
        "variable" => "i",
        "into" | "status_source" | "status_tag" | "status_size" => "GV",
        _ => "1",
    }
}

/// Returns a file with a model that executes these elements in sequence.
fn file(name: &str, elements: &[(&Pair, bool)]) -> Source {
    let mut sketch = String::from(
        "int GV\nBegin: nbsend dest=\"0\" size=\"8\" request=\"q\"\nGo: sendsignal signal=\"s\"\n",
    );
    let mut chain = "start -> Begin -> Go".to_owned();
    for (number, (pair, tagged)) in elements.iter().enumerate() {
        let key = format!("E{number}");
        sketch.push_str(&pair.lines(&key, *tagged));
        let _ = write!(chain, " -> {key}");
    }
    let text = sketch::xmi(&format!("{sketch}{chain} -> end\n"));
    Source::new(name.to_owned(), text)
}

/// Returns the model in a file, its program if it is accepted, and the codes of all problems.
fn read(source: &Source) -> (Model, Option<Program>, Vec<String>) {
    let (model, program, problems) = sketch::read(source);
    let codes = problems.iter().map(|it| it.code.to_string());
    let model = model.expect("there is an activity");
    (model, program, codes.collect())
}

#[test]
fn a_tag_that_the_stereotype_does_not_have_is_only_warned_of() {
    for pair in pairs().filter(|pair| !pair.is_known()) {
        let (name, tag) = (pair.stereotype.name(), pair.tag);
        let (tagged, plain) = (
            file("t.uml", &[(&pair, true)]),
            file("t.uml", &[(&pair, false)]),
        );
        let (model, program, codes) = read(&tagged);
        assert!(program.is_some(), "`{name}` with {tag}: {codes:?}");
        assert_eq!(codes, ["PM0114"], "`{name}` with {tag}");
        assert_eq!(
            outline(&model),
            outline(&read(&plain).0),
            "`{name}` with {tag}"
        );
    }
}

#[test]
fn whatever_tags_are_accepted_compile_and_read_back_from_our_xml() {
    let all: Vec<Pair> = pairs().collect();
    let accepted: Vec<(&Pair, bool)> = all
        .iter()
        .filter(|pair| read(&file("t.uml", &[(*pair, true)])).1.is_some())
        .map(|pair| (pair, true))
        .collect();
    let refused = all.len() - accepted.len();
    assert!(
        accepted.len() > refused && refused > 0,
        "{refused} are refused"
    );
    let source = file("tags.uml", &accepted);
    let (model, program, _) = read(&source);
    let xml = Source::new("tags.prophet.xml", text(&in_sequence(&model), "tags"));
    let (_, again, codes) = read(&xml);
    let crate_of = |program: Option<Program>| {
        crate_files(&program.expect("it is accepted"), &CrateOptions::default())
    };
    assert_eq!(crate_of(again), crate_of(program), "{codes:?}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(&source.name);
    fs::write(&path, &source.text).expect("a file can be written");
    Programs::build(&folder.join("tags"), &[path]);
}
