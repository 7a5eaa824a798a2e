//! Training iterations of large language models: the sample `megatron` beside measured times.
//!
//! Three prices of `sample-models/a100.toml` are fitted to a table of iterations; all others are
//! known from elsewhere. `cargo run -p prophet-tests --bin megatron` fits them anew.

mod fit;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use prophet_codegen::check::RuleSet;
use prophet_codegen::generate::check_by;
use prophet_interpret::Interpreted;
use prophet_runtime::{Engine, Machine, ProcessCtx, Simulation, System, Value};

pub use fit::{Local, PRICES, Prices, fit};

use crate::{root, shared};

/// GPUs of a node.
const NODE: u32 = 8;

/// A measured iteration: a line of a table, by the names of its columns.
#[derive(Debug, Clone)]
pub struct Row(BTreeMap<String, String>);

impl Row {
    /// The rows of a table whose columns tabs separate.
    pub fn all(table: &str) -> Vec<Self> {
        let mut lines = table
            .lines()
            .map(|line| line.split('\t').map(str::to_owned));
        let names: Vec<_> = lines.next().into_iter().flatten().collect();
        let row = |cells| Self(names.iter().cloned().zip(cells).collect());
        lines.map(row).collect()
    }

    /// The cell below a name.
    ///
    /// # Panics
    ///
    /// If there is no such column.
    pub fn text(&self, name: &str) -> &str {
        &self.0[name]
    }

    /// The number below a name.
    ///
    /// # Panics
    ///
    /// If there is no such column, or it has no number here.
    pub fn number(&self, name: &str) -> f64 {
        let text = self.text(name);
        text.parse()
            .unwrap_or_else(|_| panic!("`{text}` is no number"))
    }

    fn count(&self, name: &str) -> u32 {
        let text = self.text(name);
        text.parse()
            .unwrap_or_else(|_| panic!("`{text}` is no count"))
    }

    /// The seconds that were measured.
    pub fn measured_s(&self) -> f64 {
        self.number("iter_time_s")
    }

    /// The value of a parameter of the model, if the table says it.
    fn parameter(&self, name: &str) -> Option<u32> {
        let selective = self.text("recompute").starts_with("selective");
        Some(match name {
            "HIDDEN" => self.count("hidden"),
            "LAYERS" => self.count("layers"),
            "HEADS" => self.count("heads"),
            "SEQUENCE" => self.count("seq"),
            "VOCABULARY" => 51_200,
            "BATCH" => self.count("global_batch"),
            "MICRO_BATCH" => self.count("microbatch"),
            "TENSOR" => self.count("tp"),
            "INTERLEAVE" => self.count("interleave"),
            "RECOMPUTE" => [2, 1][usize::from(selective)],
            "SEQUENCE_PARALLEL" => u32::from(self.text("tp_comm") == "rs_ag"),
            _ => return None,
        })
    }
}

/// The rows that the prices are fitted to, where `../shared` lies beside the project: table 5 of
/// V. Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models" (2022).
pub fn measured() -> Option<Vec<Row>> {
    let table = shared()?.join("measurements/llm/megatron_seqsel_table5.tsv");
    Some(Row::all(&std::fs::read_to_string(table).ok()?))
}

/// The model and its machine.
#[derive(Debug)]
pub struct Megatron {
    interpreted: Interpreted,
    machine: Machine,
}

impl Default for Megatron {
    fn default() -> Self {
        Self::new()
    }
}

impl Megatron {
    /// Reads both.
    ///
    /// # Panics
    ///
    /// If one of them has errors.
    pub fn new() -> Self {
        let folder = root().join("sample-models");
        let path = folder.join("megatron.uml");
        let checked = check_by(&RuleSet::empty(), &path, None).expect("the model can be read");
        let file = std::fs::read_to_string(folder.join("a100.toml"));
        let file = file.expect("the machine's file can be read");
        let interpreted = Interpreted::new(&checked, "megatron.uml", false);
        Self {
            interpreted: interpreted.expect("it can be interpreted"),
            machine: Machine::parse(&file, "a100.toml").expect("the machine is right"),
        }
    }

    /// The prices of the machine's file.
    ///
    /// # Panics
    ///
    /// If one is missing.
    pub fn prices(&self) -> Prices {
        let price_s = |name| self.machine.prices.get(name).expect("it has a price");
        PRICES.map(|price| price_s(price.operation))
    }

    /// Seconds that an iteration takes with these prices.
    ///
    /// # Panics
    ///
    /// If the row has no layout that the model accepts.
    pub fn predict(&self, row: &Row, prices: Prices) -> f64 {
        let model = self.interpreted.model();
        let gpus = row.count("gpus");
        let nodes = gpus.div_ceil(NODE);
        let machine = self.machine.clone();
        let mut system = System::on(machine, nodes, gpus / nodes, row.count("pp"), 1);
        system.parameters = model.defaults();
        for (parameter, value) in model.parameters.iter().zip(&mut system.parameters) {
            if let Some(count) = row.parameter(parameter.name) {
                *value = Value::Int(count.into());
            }
        }
        for (price, price_s) in PRICES.iter().zip(prices) {
            system.prices.set(price.operation, price_s);
        }
        let simulation = Simulation::new(model, system).with_engine(Engine::Local);
        let code = async |ctx: &ProcessCtx<'_>| self.interpreted.run(ctx).await;
        let outcome = simulation.interpreted().run(code);
        outcome
            .unwrap_or_else(|failure| panic!("{failure}"))
            .predicted_time_s
    }
}

/// Predictions of a row: with all rows, and without this one.
#[derive(Debug, Clone, Copy)]
pub struct Predicted {
    /// With the prices that are fitted to all rows, in seconds.
    pub fitted_s: f64,
    /// With those that are fitted to all others, in seconds.
    pub left_out_s: f64,
}

/// Predicts each row near the prices that are fitted to all of them.
pub fn predictions(model: &Megatron, local: &Local, rows: &[Row]) -> Vec<Predicted> {
    let predicted = |(index, row)| Predicted {
        fitted_s: local.predicted_s[index],
        left_out_s: model.predict(row, local.step(rows, Some(index))),
    };
    rows.iter().enumerate().map(predicted).collect()
}

/// Mean of the absolute errors, in percent.
pub fn mean_error(rows: &[Row], predicted_s: impl IntoIterator<Item = f64>) -> f64 {
    let pairs = rows.iter().zip(predicted_s);
    let errors = pairs.map(|(row, predicted_s)| error(row, predicted_s).abs());
    let (sum, count) = errors.fold((0.0, 0.0), |(sum, count), error| (sum + error, count + 1.0));
    sum / count
}

/// The error of a prediction, in percent.
pub fn error(row: &Row, predicted_s: f64) -> f64 {
    100.0 * (predicted_s / row.measured_s() - 1.0)
}

/// The table of the page.
///
/// # Panics
///
/// If a column is missing.
pub fn table(rows: &[Row], predictions: &[Predicted]) -> String {
    let mut text = "| model | recomputation | measured (s) | predicted (s) | error \
                    | without this row (s) | error | Calculon (s) | error |\n\
                    |---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for (
        row,
        Predicted {
            fitted_s,
            left_out_s,
        },
    ) in rows.iter().zip(predictions)
    {
        let (name, kind) = (row.text("model"), row.text("recompute"));
        let kind = kind.split('+').next().unwrap_or(kind);
        let (measured_s, calculon_s) = (row.measured_s(), row.number("calculon_s"));
        write!(text, "| {name} | {kind} | {measured_s:.2} ").expect("it is text");
        for predicted_s in [*fitted_s, *left_out_s, calculon_s] {
            let error = error(row, predicted_s);
            write!(text, "| {predicted_s:.2} | {error:+.1} % ").expect("it is text");
        }
        text += "|\n";
    }
    let fitted = mean_error(rows, predictions.iter().map(|it| it.fitted_s));
    let left_out = mean_error(rows, predictions.iter().map(|it| it.left_out_s));
    let calculon = mean_error(rows, rows.iter().map(|row| row.number("calculon_s")));
    let means = format!("{fitted:.1} % | | {left_out:.1} % | | {calculon:.1} %");
    text + "| mean of the absolute errors | | | | " + &means + " |\n"
}
