//! Compiles and measures Livermore kernel 6 (F. H. `McMahon`, 1986) on this machine.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use prophet_fit::law::{Options, Samples};
use prophet_fit::measurements::Point;
use prophet_interpreter::Interpreted;
use prophet_runtime::{Machine, ProcessCtx, Simulation, System, Value};
use prophet_testing::machine;

use crate::least_squares::power_law;
use crate::measured::{Times, error_table, noise, output};
use crate::models::interpreted_at;
use crate::{Errors, Found, Other, Places, Row};

const PROGRAM: &str = include_str!("kernel6.c");

/// Vector lengths to fit, and vector lengths to predict.
const SMALL: [u32; 6] = [25, 50, 75, 100, 150, 200];
const LARGE: [u32; 4] = [300, 400, 600, 800];

/// Operations of the innermost statement and its loop, as in the source.
const ALL: &str = "LFOR,CMLL,INLL,2*ARD1,ARD2,MFDL,AFDL,TFDL";
/// Operations that wait for the previous one: each sum needs the last sum, which stays in a
/// register.
const CHAIN: &str = "AFDL";

/// A way to determine the kernel's cost.
struct Way {
    predicted: &'static str,
    fitted: &'static str,
    /// Cost of a repetition, in the cost language.
    cost: String,
}

pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let priced = priced(folder.path())?;
    let program = compiled(folder.path())?;
    let run = || Times::parse(&output(&program)?);
    let runs = [run()?, run()?];
    let times = runs[0].and(&runs[1]);
    let (small, measured) = (times.of(&SMALL)?, times.of(&LARGE)?);
    let naive = naive(&small, &measured);
    let mut rows = Vec::new();
    let mut predictions = Vec::new();
    for way in ways(&small)? {
        let model = model(places, folder.path(), &way.cost)?;
        let predicted: Result<Vec<f64>, String> = { LARGE.iter() }
            .map(|&n| predict(&model, &priced, n))
            .collect();
        let predicted = predicted?;
        let pairs = predicted
            .iter()
            .copied()
            .zip(measured.iter().map(|it| it.1));
        rows.push(Row {
            source: "this machine",
            fitted: way.fitted,
            naive: Some(Other {
                name: "power law",
                mean: naive.mean_percent(),
            }),
            ..Row::new(way.predicted, &Errors::new(pairs))
        });
        predictions.push(predicted);
    }
    let point =
        |(&(n, measured_s), &predicted_s): (&(u32, f64), &f64)| (n, measured_s, predicted_s);
    let columns = predictions
        .iter()
        .flat_map(|it| measured.iter().zip(it).map(point));
    let heads = [
        "N",
        "all operations",
        "dependent operations",
        "cost from `fit`",
    ];
    let table = error_table(&heads, &columns.collect::<Vec<_>>(), noise(&runs, &LARGE)?);
    let details = format!("{table}{}\n", machine());
    Ok(Found { rows, details })
}

fn ways(small: &[(u32, f64)]) -> Result<[Way; 3], String> {
    let counted = |operations: &str| format!("M * (N * (N - 1) / 2) * clc(\"{operations}\")");
    Ok([
        Way {
            predicted: "large sizes, all operations counted",
            fitted: "nothing (`calibrate cpu`)",
            cost: counted(ALL),
        },
        Way {
            predicted: "large sizes, only dependent operations counted",
            fitted: "nothing (`calibrate cpu`)",
            cost: counted(CHAIN),
        },
        Way {
            predicted: "large sizes, cost from `fit`",
            fitted: "small sizes, N = 25 to 200",
            cost: format!("M * ({})", fitted(small)?),
        },
    ])
}

/// Runs `calibrate cpu` here, and returns its machine.
fn priced(folder: &Path) -> Result<Machine, String> {
    let file = folder.join("machine.toml");
    fs::write(&file, prophet_calibrate::cpu::measure("here")).map_err(|error| error.to_string())?;
    Ok(Machine::read(&file.display().to_string())?)
}

/// Compiles the kernel's program as usual for C: optimized, without changes to rounding.
fn compiled(folder: &Path) -> Result<std::path::PathBuf, String> {
    let (source, program) = (folder.join("kernel6.c"), folder.join("kernel6"));
    fs::write(&source, PROGRAM).map_err(|error| error.to_string())?;
    let status = Command::new("cc")
        .args(["-O2", "-o"])
        .args([&program, &source])
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("the C compiler `cc` is not installed: {error}"))?;
    if status.success() {
        Ok(program)
    } else {
        Err(format!("cc failed ({status})"))
    }
}

/// Returns the seconds of a repetition over N, as an expression in the cost language.
fn fitted(small: &[(u32, f64)]) -> Result<String, String> {
    let point = |&(n, time_s): &(u32, f64)| Point {
        at: vec![n.into()],
        values: vec![time_s],
    };
    let series = Samples {
        parameters: vec!["n".to_owned()],
        points: small.iter().map(point).collect(),
    };
    let fit = prophet_fit::law::fit(&series, &Options::default()).map_err(|why| why.to_string())?;
    Ok(fit.model.expression(&["N".to_owned()]))
}

/// Prepares the sample model with another cost for the kernel.
fn model(places: &Places, folder: &Path, cost: &str) -> Result<Interpreted, String> {
    const OLD: &str = "return M * (N * (N - 1) / 2) * T_STATEMENT;";
    let told = |error: std::io::Error| error.to_string();
    let sample = fs::read_to_string(places.sample("kernel6.uml")).map_err(told)?;
    if !sample.contains(OLD) {
        return Err(format!("kernel6.uml has no `{OLD}`"));
    }
    let profile = "prophet.profile.uml";
    fs::copy(places.sample(profile), folder.join(profile)).map_err(told)?;
    let file = folder.join("kernel6.uml");
    let new = format!(
        "return {};",
        cost.replace('<', "&lt;").replace('&', "&amp;")
    );
    fs::write(&file, sample.replace(OLD, &new)).map_err(told)?;
    interpreted_at(&file, "kernel6.uml")
}

fn predict(model: &Interpreted, machine: &Machine, n: u32) -> Result<f64, String> {
    let mut system = System::on(machine.clone(), 1, 1, 1, 1);
    system.parameters = vec![Value::Int(1), Value::Int(n.into()), Value::Real(0.0)];
    let simulation = Simulation::new(model.model(), system).interpreted();
    let outcome = simulation.run(async |ctx: &ProcessCtx<'_>| model.run(ctx).await);
    let outcome = outcome.map_err(|failure| failure.to_string())?;
    Ok(outcome.predicted_time_s)
}

/// Returns the errors of a power law of N fitted to the small sizes.
fn naive(small: &[(u32, f64)], large: &[(u32, f64)]) -> Errors {
    let place = |n: u32| [std::f64::consts::E, n.into()];
    let law = |n| power_law(small.iter().map(|it| (place(it.0), it.1)), place(n));
    Errors::new(large.iter().map(|&(n, measured_s)| (law(n), measured_s)))
}
