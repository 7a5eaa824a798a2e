//! Runs the command `fit`, which turns measurements in files into cost functions in models.
//!
//! | module | is |
//! |---|---|
//! | `arguments` | the command line |
//! | `chosen` | the measurements that the user chose |
//! | `table`, `json` | results for people and for programs |
//! | `parameters` | parameters of a model or machine, fitted to times of whole runs |
//! | `request` | batch script lines for a later job |
//! | `distribution` | a random variate for times that vary |

mod arguments;
mod chosen;
mod distribution;
mod json;
mod parameters;
mod request;
mod table;

use std::path::Path;
use std::process::ExitCode;

use prophet_files::Inputs;
use prophet_text::{Problem, print, problem};

pub use arguments::Arguments;
use arguments::{Command, Distribution, FitOptions, Format};
use chosen::chosen;

use crate::cost::{Insertion, fits, page};
use crate::measurements::Series;

/// Fits cost functions to measurements.
///
/// # Errors
///
/// Returns an error if the measurements can't be read or fitted, or a file can't be written.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Problem> {
    match &arguments.command {
        Some(Command::Distribution(arguments)) => vary(arguments),
        None => fit(&arguments.fit),
    }?;
    Ok(ExitCode::SUCCESS)
}

fn fit(arguments: &FitOptions) -> Result<(), Problem> {
    if !arguments.runs.is_empty() {
        return parameters::fit(arguments, print);
    }
    if arguments.into.is_some() && arguments.element.is_none() {
        let why = "--into needs the name of an element";
        return Err(problem!("{why}\nhelp: name it with --element NAME"));
    }
    if let Some(page) = &arguments.html {
        let inputs = arguments.measured.files.iter().chain(&arguments.into);
        inputs.collect::<Inputs>().refuse([("--html", page)])?;
    }
    let measured = &arguments.measured;
    let mut series = chosen(measured)?;
    if arguments.request {
        print(&request::request(series, arguments)?)?;
        return Ok(());
    }
    let is_time = |it: &Series| it.is_time;
    if arguments.into.is_some() && measured.metric.is_none() && series.iter().any(is_time) {
        // A model's costs are times.
        series.retain(is_time);
    }
    let level = arguments.level();
    let fits = fits(series, measured.metric.is_some(), &arguments.wanted())?;
    if let (Some(model), Some(element)) = (&arguments.into, &arguments.element) {
        let [one] = fits.as_slice() else {
            let why = "an element can have only one cost";
            return Err(problem!("{why}; choose one with --region and --metric"));
        };
        let insertion = Insertion {
            fitted: one,
            element,
            arguments: &arguments.argument,
            files: &measured.files,
        };
        insertion.write(model)?;
        prophet_text::tell!("wrote {}", model.display());
    }
    if let Some(file) = &arguments.html {
        write(file, page(&fits, level).as_bytes())?;
    }
    print(&match arguments.format {
        Format::Human => table::table(&fits, level),
        Format::Json => json::json(&fits, level),
    })
}

fn vary(arguments: &Distribution) -> Result<(), Problem> {
    let inputs = Inputs::from_iter(&arguments.measured.files);
    inputs.refuse(arguments.out.iter().map(|it| ("--out", it)))?;
    let series = chosen(&arguments.measured)?;
    let found = distribution::fit(&series, arguments.seed)?;
    if let Some(file) = &arguments.out {
        let [one] = found.as_slice() else {
            let why = "--out writes the quantiles of only one region and metric";
            return Err(problem!("{why}; choose one with --region and --metric"));
        };
        write(file, one.quantiles().as_bytes())?;
    }
    let file = arguments.out.as_deref();
    print(&match arguments.format {
        Format::Human => distribution::table(&found, file),
        Format::Json => distribution::json(&found, file),
    })
}

fn write(file: &Path, content: &[u8]) -> Result<(), Problem> {
    prophet_files::save(file, content)?;
    prophet_text::tell!("wrote {}", file.display());
    Ok(())
}
