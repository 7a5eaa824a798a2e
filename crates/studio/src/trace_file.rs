//! Exports traces of runs to the formats of other tools, to download from the page.

use prophet_text::{Context as _, Problem, problem};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use prophet_codegen::generate::crate_name;
use prophet_export::{TraceFormat, export};
use prophet_frontend::checked::Checked;
use prophet_runtime::{RunHandle, Trace};
use serde::Deserialize;

use crate::export::{Download, Offered, pack};
use crate::folder::Folder;
use crate::predict::{interpreted, words};
use crate::report::EVENTS_MAX;
use crate::workflow;

/// Prefix of trace formats in the list of targets.
const PREFIX: &str = "trace-";
const OWN: &str = "arrow";
const BYTES_MAX: u64 = 1 << 28;

#[derive(Debug, Deserialize)]
pub(crate) struct TraceFileRequest {
    target: String,
    #[serde(default)]
    flags: BTreeMap<String, String>,
}

/// Iterates over the trace formats, as targets for the page.
pub(crate) fn offered() -> impl Iterator<Item = Offered> {
    let others = TraceFormat::ALL.into_iter().map(TraceFormat::name);
    std::iter::once(OWN).chain(others).map(|name| Offered {
        name: format!("{PREFIX}{name}"),
        about: "the events of the run".to_owned(),
    })
}

impl TraceFileRequest {
    pub(crate) fn download(
        &self,
        checked: &Checked,
        folder: &Folder,
        run: &RunHandle,
    ) -> Result<Download, Problem> {
        let name = self.target.strip_prefix(PREFIX).unwrap_or(&self.target);
        let format = match name {
            OWN => None,
            other => Some(other.parse()?),
        };
        if workflow::is_workflow(checked) {
            return Err("workflows consist of tasks, not of processes with a trace".into());
        }
        let here = tempfile::tempdir();
        let here = here.context("cannot store the trace")?;
        let here = here.path();
        let mut trace = Trace::new(here.join("trace.arrow"));
        let words = words(checked, &self.flags, folder)?;
        let outcome = interpreted(checked)?.observe(words, Some(&mut trace), run);
        trace.written().map_err(ToString::to_string)?;
        if run.events() > EVENTS_MAX {
            return Err(problem!("the run has more than {EVENTS_MAX} events"));
        }
        outcome?;
        let stem = crate_name(Path::new(&checked.source.name));
        exported(here, format, &stem)
    }
}

/// Exports a trace in a format, as a single file or as an archive of several files.
fn exported(here: &Path, format: Option<TraceFormat>, stem: &str) -> Result<Download, Problem> {
    let own = here.join("trace.arrow");
    let Some(format) = format else {
        return read(&own, format!("{stem}.arrow"));
    };
    let to = here.join("out");
    export(&own, format, &to).told()?;
    let ending = match format {
        TraceFormat::Perfetto | TraceFormat::Chrome => "json",
        TraceFormat::Paje => "trace",
        TraceFormat::Otf2 => return archive(&to, stem),
        TraceFormat::Csv => "csv",
        TraceFormat::Parquet => "parquet",
        TraceFormat::PtiXml => "xml",
    };
    read(&to, format!("{stem}.{ending}"))
}

fn read(path: &Path, name: String) -> Result<Download, Problem> {
    let bytes = prophet_files::read(path, BYTES_MAX).context(&name)?;
    Ok(Download { name, bytes })
}

fn archive(folder: &Path, stem: &str) -> Result<Download, Problem> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).cannot("pack", "the trace")? {
            let path = entry.cannot("pack", "the trace")?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(name) = path.strip_prefix(folder) {
                files.insert(
                    name.to_owned(),
                    fs::read(&path).cannot("pack", "the trace")?,
                );
            }
        }
    }
    let folder = format!("{stem}-otf2");
    let files = files.iter().map(|(name, bytes)| (&**name, &**bytes));
    Ok(Download {
        bytes: pack(&folder, files).cannot("pack", "the trace")?,
        name: format!("{folder}.zip"),
    })
}
