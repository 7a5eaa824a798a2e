//! Predicts the bandwidth that the cores of a node reach together: compares measured curves of
//! three processors with predictions from the bandwidths of one core and of all cores.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_runtime::{ActionPlus, Machine, Model, Simulation, System};

use crate::sealed::Sealed;
use crate::{Errors, Found, Other, Places, Row};

const KERNEL: ActionPlus = ActionPlus::new(0, "Kernel", 1);
const MODEL: Model = Model::new("Kernel", &[], 1);

/// The laws between one core and all cores.
const LAWS: [&str; 2] = ["queueing", "roofline"];

const BYTES: u32 = 1_000_000_000;

/// A kernel's measured bandwidths in bytes per second, by number of cores.
type Curve<'t> = BTreeMap<u32, &'t str>;

/// Processor, level, threads per core, and kernel name.
type Key<'t> = (&'t str, &'t str, &'t str, &'t str);

/// Processor, and memory or caches.
type Place<'t> = (&'t str, &'static str);

/// Errors of the law between one core and all cores.
#[derive(Debug, Default)]
struct Both {
    queueing: Errors,
    roofline: Errors,
}

/// Computes the figures of this case.
///
/// # Errors
///
/// Returns an error if the measurements are missing or malformed.
pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let text = places.measurements("node/bandwidth.csv")?;
    let mut rows: Vec<(Place<'_>, &str)> = Vec::new();
    let mut predicted_by = [Vec::new(), Vec::new()];
    for ((processor, level, _, _), curve) in curves(&text)? {
        let name = if level == "MEM" { "memory" } else { "caches" };
        let (Some((_, one)), Some((cores, all))) =
            (curve.first_key_value(), curve.last_key_value())
        else {
            continue;
        };
        let between = || {
            curve
                .iter()
                .filter(|(count, _)| (2..*cores).contains(*count))
        };
        for (law, bandwidths) in LAWS.into_iter().zip(&mut predicted_by) {
            let machine = machine(law, *cores, one, all)?;
            for (count, _) in between() {
                bandwidths.push(predicted(&machine, *cores, *count)?);
            }
        }
        rows.extend(between().map(|(_, cell)| ((processor, name), *cell)));
    }
    let sealed = Sealed::new("Cores of a node", rows.len(), |row| {
        rows[row].1.parse().ok()
    });
    let [queueing, roofline] = &predicted_by;
    let measured = sealed.open(places, LAWS, [queueing, roofline])?;
    let mut by_level: BTreeMap<Place<'_>, Both> = BTreeMap::new();
    let (mut memory, mut caches) = (Both::default(), Both::default());
    for (index, ((place, _), measured)) in rows.iter().zip(measured).enumerate() {
        let all = if place.1 == "memory" {
            &mut memory
        } else {
            &mut caches
        };
        for both in [all, by_level.entry(*place).or_default()] {
            both.queueing.extend([(queueing[index], measured)]);
            both.roofline.extend([(roofline[index], measured)]);
        }
    }
    Ok(Found {
        rows: vec![row("memory", &memory), row("caches", &caches)],
        details: details(&by_level),
    })
}

fn curves(text: &str) -> Result<BTreeMap<Key<'_>, Curve<'_>>, String> {
    let mut curves: BTreeMap<Key<'_>, Curve<'_>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let [processor, level, threads, kernel, cores, rate] = columns[..] else {
            return Err(format!("`{line}` does not have six columns"));
        };
        let cores = cores
            .parse()
            .map_err(|_| format!("`{line}` has no number of cores"))?;
        let curve = curves.entry((processor, level, threads, kernel));
        curve.or_default().insert(cores, rate);
    }
    Ok(curves)
}

/// Returns a node with this law, of which the bandwidths of one core and of all are known.
fn machine(law: &str, cores: u32, one: &str, all: &str) -> Result<Machine, String> {
    let text = format!(
        "name = \"one\"\nsource = \"one core and all\"\ncpus-per-node = {cores}\n\
         core-bandwidth = \"{one}\"\nmemory-bandwidth = \"{all}\"\nsaturation = \"{law}\"\n"
    );
    Ok(Machine::parse(&text, "one.toml")?)
}

/// Predicts the bandwidth of `count` processes of a node, each on its own core.
fn predicted(machine: &Machine, cores: u32, count: u32) -> Result<f64, String> {
    let system = System::on(machine.clone(), 1, cores, count, 1);
    let run = Simulation::new(&MODEL, system);
    let outcome = run.run(async |ctx| KERNEL.execute(ctx, 0.0).moving(i64::from(BYTES)).await);
    let outcome = outcome.map_err(|failure| failure.to_string())?;
    Ok(f64::from(BYTES) * f64::from(count) / outcome.predicted_time_s)
}

fn row(level: &str, both: &Both) -> Row {
    Row {
        source: "RRZE's kerncraft",
        fitted: "only the bandwidths of one core and of all",
        naive: Some(Other {
            name: "roofline",
            mean: both.roofline.mean_percent(),
        }),
        ..Row::new(
            format!("bandwidth of {level}, between one core and all"),
            &both.queueing,
        )
    }
}

fn details(by_level: &BTreeMap<Place<'_>, Both>) -> String {
    let mut table = "| processor | level | points | queueing | worst | roofline | worst |\n\
                     |---|---|---|---|---|---|---|\n"
        .to_owned();
    for ((processor, level), Both { queueing, roofline }) in by_level {
        let (points, processor) = (queueing.count(), processor.replace('_', " "));
        let _ = write!(table, "| {processor} | {level} | {points} |");
        for errors in [queueing, roofline] {
            let (mean, worst) = (errors.mean_percent(), errors.worst_percent());
            let _ = write!(table, " {mean:.1} % | {worst:.1} % |");
        }
        table.push('\n');
    }
    table
}
