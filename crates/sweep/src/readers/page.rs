//! Builds the page for `--report`.

mod command_line;

use std::path::Path;

use prophet_text::{Context as _, Problem};

use crate::evaluate::{Metric, SweepRow};
use crate::goal::{self, Finding, Mark, Objectives, OpenGoals};
use crate::output::metrics_beside;
use crate::page::{Fact, MarkedPoints, Measure, PageData, PageRows, Parameter, render};
use crate::plan::Plan;
use crate::study::{Subjects, SweepStudy};
use command_line::CommandLine;

/// A sweep's page. It takes rows one by one.
#[derive(Debug)]
pub(crate) struct Page {
    data: PageData,
    rows: PageRows,
    metrics: Vec<usize>,
    objectives: Option<Objectives>,
}

impl Page {
    /// Starts a plan's page. `command` contains what the user typed to call the command, and the
    /// model's file.
    pub(crate) fn new(
        command: (&str, &str),
        plan: &Plan,
        (subjects, study): (&dyn Subjects, &dyn SweepStudy),
        goals: Option<&OpenGoals>,
    ) -> Self {
        let space = study.space();
        let names: Vec<&str> = space.axes().map(|axis| axis.name.as_str()).collect();
        let command = CommandLine::new(command, plan, |axis| study.flag(axis), &names);
        let parameters = names.iter().zip(command.before);
        let parameters = parameters.map(|(name, before)| {
            let parameter = Parameter::new(*name, before);
            if subjects.resources().contains(name) {
                parameter.resource()
            } else {
                parameter
            }
        });
        let results = study.shown_metrics();
        let metrics = metrics_beside(space, results);
        let objectives = goals.map(OpenGoals::objectives);
        let measure = |place: &usize| measure(subjects, &results[*place]);
        let measures = metrics.iter().map(measure);
        let texts = objectives.iter().flat_map(Objectives::texts);
        let measures =
            measures.chain(texts.map(|text| Measure::new(text, "").about("used by a goal")));
        let chosen = goals.filter(|goals| goals.choose_points());
        let points = chosen.map_or(space.points(), OpenGoals::points_max);
        let rows = PageRows::new(points, parameters.collect(), measures.collect());
        let data = PageData {
            model: study.name().to_owned(),
            command: command.begin,
            command_end: command.end,
            facts: facts(plan),
            ..PageData::default()
        };
        Self {
            data,
            rows,
            metrics,
            objectives,
        }
    }

    pub(crate) fn row(&mut self, row: &SweepRow) {
        let means = self.means(row);
        self.rows.push(row, &means);
    }

    /// Adds a finding, and makes the page keep all rows of the finding.
    pub(crate) fn finding(&mut self, finding: &Finding) {
        if let goal::ShownFinding::Sensitivity(found) = &finding.data {
            self.data.sensitivity.push(sensitivity(found));
        }
        if let Some(mark) = &finding.mark {
            for row in &mark.rows {
                let means = self.means(row);
                self.rows.keep(row, &means);
            }
            let marked = self.marked(mark);
            self.data.marked.push(marked);
        }
    }

    pub(crate) fn note(&mut self, text: &str) {
        self.data.notes.push(text.to_owned());
    }

    fn marked(&self, mark: &Mark) -> MarkedPoints {
        // Expressions contain `_` in place of the `-` in names of axes.
        let axis = |text: &String| {
            let mut axes = self
                .rows
                .parameters()
                .filter(|name| name.replace('-', "_") == *text);
            axes.next().map_or(text.clone(), str::to_owned)
        };
        let index = |row: &SweepRow| row.index;
        let (points, next) = mark.rows.split_at(mark.points);
        MarkedPoints {
            title: mark.title.clone(),
            about: mark.about.clone(),
            columns: mark.columns.iter().map(axis).collect(),
            points: points.iter().map(index).collect(),
            next: next.iter().map(index).collect(),
        }
    }

    /// Returns the mean of each measure in a row; empty if the point failed.
    fn means(&self, row: &SweepRow) -> Vec<f64> {
        let Ok(found) = &row.found else {
            return Vec::new();
        };
        let metrics = self.metrics.iter().map(|at| found.metrics[*at]);
        let objectives = self.objectives.iter().flat_map(|it| it.values(row));
        metrics.chain(objectives).collect()
    }

    pub(crate) fn render(mut self) -> String {
        self.data.table = self.rows.finish();
        self.data.settle();
        render(&self.data)
    }

    pub(crate) fn write(self, path: &Path) -> Result<(), Problem> {
        let shown = path.display();
        prophet_files::write(path, self.render())
            .context(format_args!("cannot write the report `{shown}`"))
    }
}

fn sensitivity(found: &goal::ShownSensitivity) -> crate::page::Sensitivity {
    let influence = |it: &goal::ShownInfluence| crate::page::Influence {
        parameter: it.name.clone(),
        total: it.shares.total,
        main: it.shares.first,
        reason: it.reason.clone().unwrap_or_default(),
    };
    let points = prophet_text::count(found.evaluated);
    crate::page::Sensitivity {
        title: found.of.clone(),
        method: format!("Shares of the variance (Sobol's indices), from all {points} points."),
        influences: found.parameters.iter().map(influence).collect(),
    }
}

fn measure(subjects: &dyn Subjects, metric: &Metric) -> Measure {
    let measure = Measure::new(metric.name, metric.unit).about(metric.about);
    if subjects.better_if_more().contains(&metric.name) {
        measure.better_if_more()
    } else {
        measure
    }
}

/// Returns the settings of a plan that aren't in its table.
fn facts(plan: &Plan) -> Vec<Fact> {
    let known = [
        ("Sample", &plan.sample),
        ("Seeds", &plan.seeds),
        ("Precision", &plan.precision),
    ];
    let known = known.into_iter().filter_map(|(name, value)| {
        let value = value.clone()?;
        let name = name.to_owned();
        Some(Fact { name, value })
    });
    let model = Fact {
        name: "Model".to_owned(),
        value: plan.model.clone(),
    };
    std::iter::once(model).chain(known).collect()
}
