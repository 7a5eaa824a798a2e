//! Predicts NCCL collectives on the GPUs of a node, and compares them with measured times by size
//! and number of GPUs. The prices were fitted to every third row.

use std::fmt::Write as _;

use prophet_runtime::{
    AllGather, AllReduce, ByMachine, Machine, Model, ReduceScatter, Simulation, System,
};

use crate::sealed::Sealed;
use crate::{Errors, Found, Other, Places, Row};

const MODEL: Model = Model::new("Collective", &[], 1);
const GATHER: AllGather = AllGather::new(0, "Collective", 1);
const REDUCE: AllReduce = AllReduce::new(0, "Collective", 1);
const SCATTER: ReduceScatter = ReduceScatter::new(0, "Collective", 1);

/// Rows with a number divisible by this, counting from 0 on each machine, were fitted.
const EVERY: usize = 3;

/// Machines with their names in the file, the rules for collectives, and a description of their
/// accuracy.
const GPUS: [(&str, &str, [&str; 2]); 2] = [
    ("a100", "nccl-ampere", ["A100, fitted", "A100, held out"]),
    ("h100", "nccl-hopper", ["H100, fitted", "H100, held out"]),
];

struct Measured<'t> {
    operation: &'t str,
    gpus: u32,
    bytes: i64,
    /// The measured column.
    ms: &'t str,
}

/// A subset of the calls: its name, and whether a call is in it.
type Part = (&'static str, fn(&Measured<'_>) -> bool);

/// Subsets by number of GPUs, and by size.
const PARTS: [Part; 6] = [
    ("2 GPUs", |it| it.gpus == 2),
    ("4 GPUs", |it| it.gpus == 4),
    ("8 GPUs", |it| it.gpus == 8),
    ("below 64 KiB", |it| it.bytes < 65_536),
    ("up to 2 MiB", |it| (65_536..=2_097_152).contains(&it.bytes)),
    ("above 2 MiB", |it| it.bytes > 2_097_152),
];

/// Computes the figures of this case.
///
/// # Errors
///
/// Returns an error with the reason if the measurements can't be read or predicted.
pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let text = places.measurements("mpi/nccl.csv")?;
    let heads = PARTS.map(|it| it.0).join(" | ");
    let mut found = Found {
        details: format!(
            "| held out | {heads} |\n|---|{}\n",
            "---|".repeat(PARTS.len())
        ),
        ..Found::default()
    };
    for (gpu, rule, names) in GPUS {
        let machine = Machine::preset(gpu).ok_or("a machine is missing")?;
        let (mut all, mut naive): ([Errors; 2], [Errors; 2]) = Default::default();
        let mut parts: [Errors; PARTS.len()] = Default::default();
        let calls = read(&text, gpu)?;
        let by = |rule| {
            let seconds = calls.iter().map(|it| predicted_s(&machine, rule, it));
            seconds.collect::<Result<Vec<f64>, String>>()
        };
        let (ours, ring) = (by(rule)?, by("mpich")?);
        let set = format!("NCCL on {gpu}");
        let sealed = Sealed::new(&set, calls.len(), |row| {
            Some(1e-3 * calls[row].ms.parse::<f64>().ok()?)
        });
        let measured = sealed.open(places, [rule, "mpich"], [&ours, &ring])?;
        for (number, (call, seconds)) in calls.iter().zip(measured).enumerate() {
            let is_held_out = number % EVERY > 0;
            let pair = (ours[number], seconds);
            all[usize::from(is_held_out)].extend([pair]);
            naive[usize::from(is_held_out)].extend([(ring[number], seconds)]);
            if is_held_out {
                let parts = PARTS.iter().zip(&mut parts);
                for (_, errors) in parts.filter(|((_, has), _)| has(call)) {
                    errors.extend([pair]);
                }
            }
        }
        for ((name, errors), naive) in names.into_iter().zip(&all).zip(&naive) {
            found.rows.push(Row {
                source: "aiconfigurator",
                fitted: "every third row",
                naive: Some(Other {
                    name: "messages of MPICH's algorithms",
                    mean: naive.mean_percent(),
                }),
                ..Row::new(name, errors)
            });
        }
        write!(found.details, "| {} |", gpu.to_uppercase()).expect("it is text");
        for errors in &parts {
            write!(found.details, " {:.1} % |", errors.mean_percent()).expect("it is text");
        }
        found.details.push('\n');
    }
    Ok(found)
}

/// Parses the calls on these GPUs that NCCL's rules price.
fn read<'t>(text: &'t str, gpu: &str) -> Result<Vec<Measured<'t>>, String> {
    let mut all = Vec::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let [of, _, _, _, operation, _, dtype, gpus, count, ms] = columns[..] else {
            return Err(format!("`{line}` does not have ten columns"));
        };
        if of != gpu || operation == "alltoall" {
            continue;
        }
        let width = if dtype == "half" { 2 } else { 1 };
        let numbers = gpus.parse().ok().zip(count.parse::<i64>().ok());
        let (gpus, count) = numbers.ok_or_else(|| format!("`{line}` has no size"))?;
        all.push(Measured {
            operation,
            gpus,
            bytes: width * count,
            ms,
        });
    }
    Ok(all)
}

fn predicted_s(machine: &Machine, rule: &str, call: &Measured<'_>) -> Result<f64, String> {
    let &Measured {
        operation,
        gpus,
        bytes,
        ..
    } = call;
    let mut system = System::on(machine.clone(), 1, gpus, gpus, 1);
    let chosen = system.algorithms.choose(&format!("rule={rule}"));
    chosen.map_err(|error| error.to_string())?;
    let outcome = Simulation::new(&MODEL, system).run(async |ctx| match operation {
        "all_gather" => {
            GATHER
                .execute(ctx, bytes / i64::from(gpus), ByMachine)
                .await
        }
        "all_reduce" => REDUCE.execute(ctx, bytes, ByMachine).await,
        _ => SCATTER.execute(ctx, bytes, ByMachine).await,
    });
    let outcome = outcome.map_err(|failure| failure.to_string())?;
    Ok(outcome.predicted_time_s)
}
