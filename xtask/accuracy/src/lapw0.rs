//! Compares measured times and published predictions of LAPW0 with the sample `lapw0`.

use std::fmt::Write as _;

use prophet_fit::law::{Options, Samples};
use prophet_fit::measurements::Point;
use prophet_interpreter::Interpreted;
use prophet_runtime::{ProcessCtx, Simulation, System, Value};

use crate::least_squares::{least_squares, power_law};
use crate::{Errors, Found, Other, Places, Row, interpreted_sample};

/// A row in the papers' tables, which all use 4 CPUs per node with one process each.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredIteration {
    /// Number of atoms in the unit cell.
    pub atoms: u32,
    /// Number of nodes.
    pub nodes: u32,
    /// Measured time in seconds.
    pub measured_s: f64,
    /// Times in seconds that two papers (of 2005 and 2008) predict.
    pub published_s: [f64; 2],
    /// Errors in percent that these papers print.
    pub published_percent: [f64; 2],
    /// CPU seconds that the evaluation took in 2008, on an `UltraSPARC` with 650 MHz.
    pub published_evaluation_s: f64,
    /// Measured time divided by that evaluation time, as printed in the paper of 2008.
    pub published_ratio: f64,
}

/// The rows of the tables by S. Pllana et al. (2005, 2008). All papers print 264 s for 64 atoms on
/// 2 nodes. According to the errors and ratios printed next to it, this is a misprint of 294 s.
pub const MEASURED: [MeasuredIteration; 8] = [
    row(
        [32, 1],
        264.0,
        [271.0, 280.0],
        [2.48, 6.0],
        [0.01, 26_400.0],
    ),
    row([32, 2], 166.0, [160.0, 170.0], [3.57, 2.0], [0.02, 8300.0]),
    row([32, 4], 131.0, [116.0, 126.0], [11.13, 3.0], [0.04, 3275.0]),
    row([32, 8], 113.0, [86.0, 98.0], [23.82, 13.0], [0.08, 1413.0]),
    row(
        [64, 1],
        501.0,
        [527.0, 543.0],
        [5.16, 8.0],
        [0.01, 50_100.0],
    ),
    row(
        [64, 2],
        294.0,
        [297.0, 314.0],
        [1.04, 7.0],
        [0.02, 14_700.0],
    ),
    row([64, 4], 197.0, [194.0, 211.0], [1.62, 7.0], [0.04, 4925.0]),
    row([64, 8], 164.0, [165.0, 184.0], [0.38, 12.0], [0.09, 1822.0]),
];

const fn row(
    [atoms, nodes]: [u32; 2],
    measured_s: f64,
    published_s: [f64; 2],
    published_percent: [f64; 2],
    [published_evaluation_s, published_ratio]: [f64; 2],
) -> MeasuredIteration {
    MeasuredIteration {
        atoms,
        nodes,
        measured_s,
        published_s,
        published_percent,
        published_evaluation_s,
        published_ratio,
    }
}

impl MeasuredIteration {
    /// Returns the machine of this row, with the value of the model's parameter.
    pub fn system(&self) -> System {
        let mut system = System::new(self.nodes, 4, self.processes(), 1);
        system.parameters = vec![Value::Int(self.atoms.into())];
        system
    }

    fn processes(&self) -> u32 {
        self.nodes * 4
    }

    /// Factors of the four coefficients in the model's total time (`sample-models/lapw0.md`).
    fn terms(&self) -> [f64; 4] {
        let n = f64::from(self.atoms) / f64::from(self.processes());
        [1.0, n, n * n, f64::from(self.atoms)]
    }

    fn messages_s(&self) -> f64 {
        let processes = f64::from(self.processes());
        0.0001 * processes.log2().ceil() + (processes - 1.0) * (0.0001 + 4.0 * 80e-9)
    }

    /// Returns the row's point for a power law: a constant, processes, atoms.
    fn place(&self) -> [f64; 3] {
        let constant = std::f64::consts::E;
        [constant, self.processes().into(), self.atoms.into()]
    }
}

/// Predicts the time of a row in seconds, using the model.
///
/// # Panics
///
/// Panics if the simulation fails.
pub fn predict(model: &Interpreted, row: &MeasuredIteration) -> f64 {
    let simulation = Simulation::new(model.model(), row.system()).interpreted();
    let code = async |ctx: &ProcessCtx<'_>| model.run(ctx).await;
    let outcome = simulation.run(code);
    outcome
        .unwrap_or_else(|failure| panic!("{failure}"))
        .predicted_time_s
}

/// Finds the model's coefficients that minimize the sum of squared relative errors.
pub fn coefficients<'a>(rows: impl IntoIterator<Item = &'a MeasuredIteration>) -> [f64; 4] {
    least_squares(rows.into_iter().map(|row| {
        let relative = row.terms().map(|term| term / row.measured_s);
        (relative, 1.0 - row.messages_s() / row.measured_s)
    }))
}

/// Predicts the time of a row in seconds from these coefficients, without the model. A test
/// compares the result with the model's prediction.
pub fn closed_form(coefficients: [f64; 4], row: &MeasuredIteration) -> f64 {
    let terms = coefficients.iter().zip(row.terms());
    terms
        .map(|(coefficient, term)| coefficient * term)
        .sum::<f64>()
        + row.messages_s()
}

fn without(index: usize) -> impl Iterator<Item = &'static MeasuredIteration> {
    let others = MEASURED.iter().enumerate();
    others
        .filter(move |(at, _)| *at != index)
        .map(|(_, row)| row)
}

/// Returns the errors of predictions, each fitted to all rows except the predicted one.
fn leaving_out(predict: impl Fn(usize) -> f64) -> Errors {
    let measured = MEASURED.iter().enumerate();
    Errors::new(measured.map(|(index, row)| (predict(index), row.measured_s)))
}

/// Returns the mean of the errors that are printed in a paper: 0 stands for the one of 2005, and 1
/// for the one of 2008.
pub fn published_mean_percent(paper: usize) -> f64 {
    let printed = MEASURED.iter().map(|row| row.published_percent[paper]);
    printed.sum::<f64>() / 8.0
}

fn by_power_law<'a>(
    rows: impl IntoIterator<Item = &'a MeasuredIteration>,
    at: &MeasuredIteration,
) -> f64 {
    let measured = rows.into_iter().map(|row| (row.place(), row.measured_s));
    power_law(measured, at.place())
}

/// Predicts with `fit`, which knows nothing about the program.
fn by_fit<'a>(
    rows: impl IntoIterator<Item = &'a MeasuredIteration>,
    at: &MeasuredIteration,
) -> f64 {
    let place = |row: &MeasuredIteration| row.place()[1..].to_vec();
    let series = Samples {
        parameters: vec!["p".to_owned(), "nat".to_owned()],
        points: rows
            .into_iter()
            .map(|row| Point {
                at: place(row),
                values: vec![row.measured_s],
            })
            .collect(),
    };
    let fit = prophet_fit::law::fit(&series, &Options::default()).expect("the rows can be fitted");
    fit.model.at(&place(at))
}

pub(crate) fn found(places: &Places) -> Result<Found, String> {
    let model = interpreted_sample(places, "lapw0.uml")?;
    let fitted = Errors::new(
        MEASURED
            .iter()
            .map(|row| (predict(&model, row), row.measured_s)),
    );
    let left_out = leaving_out(|at| closed_form(coefficients(without(at)), &MEASURED[at]));
    let general = leaving_out(|at| by_fit(without(at), &MEASURED[at]));
    let naive_fitted = leaving_out(|at| by_power_law(&MEASURED, &MEASURED[at]));
    let naive = leaving_out(|at| by_power_law(without(at), &MEASURED[at]));
    let published = ["2005 paper", "2008 paper"].into_iter().enumerate();
    let published = published.map(|(paper, name)| Other {
        name,
        mean: published_mean_percent(paper),
    });
    let published: Vec<_> = published.collect();
    let named = |predicted, errors, fitted, naive: &Errors| Row {
        source: "papers from 2005 and 2008",
        fitted,
        naive: Some(Other {
            name: "power law",
            mean: naive.mean_percent(),
        }),
        published: published.clone(),
        ..Row::new(predicted, errors)
    };
    let rows = vec![
        named(
            "all rows",
            &fitted,
            "the same 8 rows (4 coefficients)",
            &naive_fitted,
        ),
        named(
            "each row from the others",
            &left_out,
            "the other 7 rows (4 coefficients)",
            &naive,
        ),
        named(
            "each row from the others, by `fit` alone",
            &general,
            "the other 7 rows (a formula of p and NAT)",
            &naive,
        ),
    ];
    Ok(Found {
        rows,
        ..Found::default()
    })
}

/// Writes the table in `sample-models/lapw0.md`. A test compares the two.
pub fn table(model: &Interpreted) -> String {
    let mut text = "\
| NAT | P | measured (s) | predicted (s) | error | predicted without this row (s) | error |
|---|---|---|---|---|---|---|
"
    .to_owned();
    let mut errors = [Errors::default(), Errors::default()];
    for (index, row) in MEASURED.iter().enumerate() {
        let left_out_s = closed_form(coefficients(without(index)), row);
        let mut line = format!(
            "| {} | {} | {:.0} |",
            row.atoms,
            row.processes(),
            row.measured_s
        );
        for (errors, predicted_s) in errors.iter_mut().zip([predict(model, row), left_out_s]) {
            errors.extend([(predicted_s, row.measured_s)]);
            let error = 100.0 * (predicted_s / row.measured_s - 1.0);
            write!(line, " {predicted_s:.2} | {error:+.1} % |").expect("it is text");
        }
        text += &(line + "\n");
    }
    let [fitted, left_out] = errors.map(|errors| errors.mean_percent());
    text + &format!("| mean of the absolute errors | | | | {fitted:.1} % | | {left_out:.1} % |\n")
}

/// Draws predictions and measurements as bars next to each other, as the SVG file
/// `sample-models/lapw0.svg`. A test compares the two.
pub fn chart(model: &Interpreted) -> String {
    const HEIGHT: f64 = 240.0;
    const MOST_S: f64 = 600.0;
    const GROUP: f64 = 84.0;
    const COLORS: [&str; 4] = ["#3b4252", "#d08770", "#ebcb8b", "#5e81ac"];
    const NAMES: [&str; 4] = [
        "measured",
        "paper of 2005",
        "paper of 2008",
        "predicted here",
    ];
    let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 730 310\" role=\"img\" \
                   font-family=\"sans-serif\" font-size=\"11\">\n<title>LAPW0: predictions beside \
                   measurements</title>\n<rect width=\"730\" height=\"310\" fill=\"#ffffff\"/>\n"
        .to_owned();
    let mut put = |line: String| svg += &(line + "\n");
    for seconds in [0.0, 200.0, 400.0, 600.0] {
        let y = (30.0 + HEIGHT * (1.0 - seconds / MOST_S)).round();
        put(format!(
            "<path d=\"M44 {y}H724\" stroke=\"#dddddd\"/><text x=\"40\" y=\"{}\" \
             text-anchor=\"end\">{seconds} s</text>",
            y + 4.0
        ));
    }
    for (name, (color, x)) in NAMES.iter().zip(COLORS.iter().zip([50, 150, 280, 410])) {
        put(format!(
            "<rect x=\"{x}\" y=\"8\" width=\"10\" height=\"10\" fill=\"{color}\"/>\
             <text x=\"{}\" y=\"17\">{name}</text>",
            x + 14
        ));
    }
    for (row, number) in MEASURED.iter().zip(0_u8..) {
        let left = 50.0 + GROUP * f64::from(number);
        let [of_2005, of_2008] = row.published_s;
        let bars = [row.measured_s, of_2005, of_2008, predict(model, row)];
        for ((seconds, color), place) in bars.into_iter().zip(COLORS).zip(0_u8..) {
            let height = HEIGHT * seconds / MOST_S;
            put(format!(
                "<rect x=\"{:.0}\" y=\"{:.1}\" width=\"16\" height=\"{height:.1}\" \
                 fill=\"{color}\"><title>{seconds:.0} s</title></rect>",
                left + 17.0 * f64::from(place),
                30.0 + HEIGHT - height
            ));
        }
        let middle = left + 34.0;
        put(format!(
            "<text x=\"{middle:.0}\" y=\"286\" text-anchor=\"middle\">N{}P{}</text>\
             <text x=\"{middle:.0}\" y=\"300\" text-anchor=\"middle\">NAT {}</text>",
            row.nodes,
            row.processes(),
            row.atoms
        ));
    }
    svg + "</svg>\n"
}
