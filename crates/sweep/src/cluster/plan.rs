//! Plans a sweep: determines the points, the number of chunks, and all the files that are needed.

use std::fs::File;
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::evaluate::{Evaluate, Metric, hex};
use crate::plan::Plan;
use clap::Args;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::files::{self, Files};
use crate::goal::{OpenGoals, Words};
use crate::output::Columns;
use crate::readers::Page;
use crate::study::{self, Points, Subjects, SweepStudy};
use prophet_files::check_ending;
use prophet_frontend::rule_flags::RuleFlags;
use prophet_text::{Context as _, Problem, count, counted, plain::line, problem};

/// Version of the program. Predictions of other versions can differ.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const CHUNKS_MAX: u32 = 100_000;
const BYTES_MAX: u64 = 1 << 30;
const MODELS: &str = "model";

/// Arguments of `sweep plan`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The UML model (XMI), or a plan (.toml)
    pub(super) model: PathBuf,
    #[command(flatten)]
    pub(super) points: Points,
    #[command(flatten)]
    rules: RuleFlags,
    #[command(flatten)]
    goals: Words,
    /// Number of chunks, each a task of the cluster; use few large ones
    #[arg(long, value_name = "N", default_value_t = 16)]
    chunks: u32,
    /// File for the plan
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
}

/// A sweep with everything it needs, so that it doesn't depend on any other file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pack {
    version: String,
    /// The points as TOML. The model's path is one of the pack's files.
    points: String,
    rules: RuleFlags,
    count: u64,
    pub(super) chunks: u32,
    pub(super) files: Files,
}

#[derive(Debug, Serialize, Deserialize)]
struct Sealed {
    format: String,
    /// The plan's digest. It is in every chunk, and reveals changes to the plan.
    digest: String,
    plan: Pack,
}

/// The plan's first word. It is read first, because plans of all versions contain it.
#[derive(Debug, Deserialize)]
struct Marked {
    format: String,
    plan: Versioned,
}

#[derive(Debug, Deserialize)]
struct Versioned {
    version: String,
}

impl Arguments {
    pub(super) fn run(&self, subjects: &dyn Subjects) -> Result<ExitCode, Problem> {
        let plan = self.pack(subjects)?;
        check_ending("--out", &self.out, "a plan for clusters", &["plan", "json"])?;
        let text = plan.sealed(subjects)?;
        prophet_files::save(&self.out, text)?;
        prophet_text::tell!(
            "{}: {} in {}",
            line(&self.out.display().to_string()),
            counted(plan.count, "point", "points"),
            counted(u64::from(plan.chunks), "chunk", "chunks")
        );
        Ok(ExitCode::SUCCESS)
    }

    fn pack(&self, subjects: &dyn Subjects) -> Result<Pack, Problem> {
        let (mut plan, folder) = study::plan(&self.model)?;
        self.points.change(&mut plan);
        self.goals.change(&mut plan.find);
        let study = subjects.read(&plan, &folder, &self.rules)?;
        study.sweep()?;
        check_goals(&plan, &*study)?;
        if self.chunks == 0 || self.chunks > CHUNKS_MAX {
            return Err(problem!(
                "--chunks {}: expected 1 to {CHUNKS_MAX} chunks",
                self.chunks
            ));
        }
        let model = folder.join(&plan.model);
        let mut inputs = study.inputs(&model, &plan, &self.rules);
        inputs.extend([&self.model]);
        inputs.refuse([("--out", &self.out)])?;
        let name = model.file_name().unwrap_or_default();
        let name = name.to_str().ok_or("the model's name is not UTF-8")?;
        plan.model = format!("{MODELS}/{name}");
        let count = study.space().points();
        Ok(Pack {
            version: VERSION.to_owned(),
            points: plan.to_string(),
            rules: self.rules.clone(),
            count,
            // No chunk is empty.
            chunks: self.chunks.min(u32::try_from(count).unwrap_or(u32::MAX)),
            files: self.files(&model, name, (&plan, &*study))?,
        })
    }

    fn files(
        &self,
        model: &Path,
        name: &str,
        (plan, study): (&Plan, &dyn SweepStudy),
    ) -> Result<Files, Problem> {
        let mut files = Files::new();
        files::take_as(&mut files, model, &format!("{MODELS}/{name}"))?;
        for file in study.files() {
            let path = model.with_file_name(file);
            files::take_as(&mut files, &path, &format!("{MODELS}/{file}"))?;
        }
        for path in study.files_of_arguments(plan, &self.rules) {
            files::take(&mut files, &path)?;
        }
        Ok(files)
    }
}

/// Rejects goals that choose points, because chunks always cover all points of a space.
fn check_goals(plan: &Plan, study: &dyn SweepStudy) -> Result<(), Problem> {
    if plan.find.budget.is_some() || plan.find.bound.is_some() {
        return Err(problem!(
            "chunks contain all points, but --budget and --bound choose only some: remove them, or \
             search on one machine with `sweep`"
        ));
    }
    if let Some(axis) = study.space().interval() {
        return Err(problem!(
            "chunks contain all points, but `{}` is an interval: add a number of values, such as \
             `0.1..0.9:5`",
            line(&axis.name)
        ));
    }
    OpenGoals::read(&plan.find, study.space(), study.metrics(), true).map(drop)
}

impl Pack {
    fn digest(&self) -> Result<String, Problem> {
        let text = serde_json::to_string(self).told()?;
        Ok(hex(&Sha256::digest(text)))
    }

    pub(super) fn sealed(&self, subjects: &dyn Subjects) -> Result<String, Problem> {
        let sealed = Sealed {
            format: subjects.plan_format().to_owned(),
            digest: self.digest()?,
            plan: self.clone(),
        };
        let text = serde_json::to_string_pretty(&sealed).told()?;
        Ok(prophet_text::plain::json(&text) + "\n")
    }

    /// Returns the range of points in a chunk. Chunks are numbered from 1.
    pub(super) fn range(&self, chunk: u32) -> Range<u64> {
        let (count, chunks) = (u128::from(self.count), u128::from(self.chunks));
        let start = |chunk: u32| {
            let start = count * u128::from(chunk) / chunks;
            u64::try_from(start).unwrap_or(u64::MAX)
        };
        start(chunk - 1)..start(chunk)
    }
}

#[derive(Debug)]
pub(super) struct Planned<'s> {
    subjects: &'s dyn Subjects,
    pub(super) plan: Pack,
    pub(super) path: PathBuf,
    pub(super) digest: String,
}

impl<'s> Planned<'s> {
    /// Reads a plan for these subjects. It must come from this version of the program, and must not
    /// have been edited.
    pub(super) fn read(path: &Path, subjects: &'s dyn Subjects) -> Result<Self, Problem> {
        let shown = line(&path.display().to_string());
        let wrong = |problem: &str| problem!("{shown} {problem}");
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(BYTES_MAX).read_to_string(&mut text))
            .map_err(|why| Problem::unread(path, why))?;
        let marked: Marked = serde_json::from_str(&text)
            .map_err(|error| wrong(&format!("is not the plan of a sweep: {error}")))?;
        let known = subjects.plan_format();
        if marked.format != known {
            let format = line(&marked.format);
            return Err(wrong(&format!(
                "is a {format}, but this program reads {known}"
            )));
        }
        let version = marked.plan.version;
        if version != VERSION {
            let version = line(&version);
            return Err(wrong(&format!(
                "is from version {version} of the program, but this is {VERSION}, whose \
                 predictions may differ; write the plan again"
            )));
        }
        let edited = "was changed after it was written; write it again with `sweep plan`";
        let sealed: Sealed =
            serde_json::from_str(&text).map_err(|error| wrong(&format!("{edited}: {error}")))?;
        let digest = sealed.plan.digest()?;
        if digest != sealed.digest {
            return Err(wrong(edited));
        }
        let path = std::path::absolute(path).told()?;
        Ok(Self {
            subjects,
            plan: sealed.plan,
            path,
            digest,
        })
    }

    pub(super) fn words(&self) -> Result<Plan, Problem> {
        Plan::parse(&self.plan.points)
    }

    /// Starts the plan's page. Command lines on it contain the model's file name without a folder,
    /// because the plan doesn't know the folder.
    pub(super) fn page(
        &self,
        program: &str,
        plan: &Plan,
        goals: Option<&OpenGoals>,
    ) -> Result<Page, Problem> {
        let program = program.strip_suffix(" merge").unwrap_or(program);
        let model = Path::new(&plan.model).file_name().unwrap_or_default();
        let shown = Plan {
            model: model.to_string_lossy().into_owned(),
            ..plan.clone()
        };
        let command = (program, shown.model.as_str());
        self.with_study(|study| Ok(Page::new(command, &shown, (self.subjects, study), goals)))
    }

    pub(super) fn columns(&self) -> Result<(&'static [Metric], Columns), Problem> {
        self.with_study(|study| Ok((study.metrics(), study.columns())))
    }

    /// Writes the plan's files to a folder, reads the model and everything else from there, and
    /// passes the sweep to `evaluate`.
    pub(super) fn with_sweep<T>(
        &self,
        evaluate: impl FnOnce(&dyn Evaluate) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.with_study(|study| evaluate(&*study.sweep()?))
    }

    fn with_study<T>(
        &self,
        use_it: impl FnOnce(&dyn SweepStudy) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let folder = files::unpack(&self.plan.files)?;
        let here = std::env::current_dir().cannot("enter", "the plan's folder")?;
        std::env::set_current_dir(folder.path()).cannot("enter", "the plan's folder")?;
        let done = self.study().and_then(|study| use_it(&*study));
        std::env::set_current_dir(here).cannot("enter", "the plan's folder")?;
        done
    }

    /// Reads the model and the points from the folder that contains the plan's files.
    fn study(&self) -> Result<Box<dyn SweepStudy>, Problem> {
        let plan = self.words()?;
        let study = self.subjects.read(&plan, Path::new(""), &self.plan.rules)?;
        let points = study.space().points();
        if points != self.plan.count {
            let (has, should) = (count(points), count(self.plan.count));
            return Err(problem!(
                "the plan has {has} points, but should have {should}"
            ));
        }
        Ok(study)
    }
}
