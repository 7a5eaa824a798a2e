//! Fits cost functions to measurements that a page sends, and writes them into the model.

use prophet_text::Problem;
use std::path::PathBuf;

use prophet_edit::Keys;
use prophet_fit::cost::{FittedCost, Insertion, POLICY, Wanted, fits, page};
use prophet_fit::measurements::{Choice, parse_all};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::answer::{Answer, told_of};
use crate::dropped::{Dropped, File, machine};
use crate::report::Reports;
use crate::session::{Refusal, Session};

#[derive(Debug, Serialize)]
pub(crate) struct Costs {
    /// Address of the page that shows the costs, relative to the model's address.
    address: String,
    costs: Vec<Cost>,
}

#[derive(Debug, Serialize)]
struct Cost {
    region: String,
    metric: String,
    name: String,
    expression: String,
    /// Names of each parameter: in the files, and in the model.
    parameters: Vec<[String; 2]>,
    /// The prediction at the largest point, with its range.
    largest: String,
}

/// A request to use a cost function as an element's cost.
#[derive(Debug, Deserialize)]
pub(crate) struct InsertRequest {
    pub(crate) revision: u64,
    region: String,
    metric: String,
    element: String,
    /// The name of each parameter in the files, and an expression in the model's parameters.
    arguments: Vec<(String, String)>,
}

/// Returns what the files of a page without a server contain: a machine, or costs.
pub(crate) fn answer(pages: &Reports, body: &[u8]) -> Answer {
    let alone =
        |why| format!("{why}; without a server, the page only reads measurements and machines");
    told_of(Dropped::<IgnoredAny>::read(body), |dropped| {
        if let Some(machine) = machine(&dropped.files) {
            return Ok(machine);
        }
        let costs = fit(&dropped.files, pages).map_err(alone)?;
        Ok(json!({ "costs": costs }))
    })
}

/// Fits costs to all measurements in the files, and shows the result on a page.
pub(crate) fn fit(files: &[File<'_>], pages: &Reports) -> Result<Costs, Problem> {
    let fits = fitted(files)?;
    let costs = fits.iter().map(|it| Cost {
        region: it.region.clone(),
        metric: it.metric.clone(),
        name: it.name(),
        expression: it.expression(),
        parameters: { it.parameters.iter().zip(&it.names) }
            .map(|(name, identifier)| [name.clone(), identifier.clone()])
            .collect(),
        largest: it.at_largest(Wanted::default().level),
    });
    Ok(Costs {
        costs: costs.collect(),
        address: pages.keep(POLICY, page(&fits, Wanted::default().level)),
    })
}

fn fitted(files: &[File<'_>]) -> Result<Vec<FittedCost>, Problem> {
    let files = files.iter().map(|it| (&*it.name, it.bytes));
    let series = parse_all(files, &Choice::default())?;
    fits(series, false, &Wanted::default())
}

/// Uses a cost function as an element's cost, in a single undo step.
pub(crate) fn insert(
    session: &mut Session,
    ask: &InsertRequest,
    files: &[File<'_>],
) -> Result<Keys, Refusal> {
    let fits = fitted(files)?;
    let is_it = |it: &&FittedCost| it.region == ask.region && it.metric == ask.metric;
    let missing = || {
        Refusal::Wrong(format!(
            "the files no longer contain measurements of `{}`",
            ask.region
        ))
    };
    let names: Vec<PathBuf> = files.iter().map(|it| PathBuf::from(&it.name)).collect();
    let insertion = Insertion {
        fitted: fits.iter().find(is_it).ok_or_else(missing)?,
        element: &ask.element,
        arguments: &ask.arguments,
        files: &names,
    };
    let edits = insertion.edits(session.document());
    // The advice in the message is for the command line.
    let plain = |why: Problem| {
        Refusal::Wrong(
            why.to_string()
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned(),
        )
    };
    session.edit(ask.revision, "Fit the cost", edits.map_err(plain)?, None)
}
