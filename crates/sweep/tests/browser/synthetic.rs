//! Makes up sweeps for tests.

use prophet_sweep::page::{
    Fact, Influence, MarkedPoints, Measure, PageData, PageRows, Parameter, Sensitivity,
};
use prophet_sweep::{AxisValue, METRICS, PointResults, SweepRow};

pub(crate) const NODES: [u32; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
pub(crate) const NETWORKS: [&str; 3] = ["ethernet", "infiniband", "ideal"];
pub(crate) const ATOMS: [u32; 4] = [32, 64, 128, 256];

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new("nodes", "--nodes ").resource(),
        Parameter::new("network", "--network "),
        Parameter::new("nat", "nat="),
    ]
}

fn measures() -> Vec<Measure> {
    vec![
        Measure::new("predicted_time_s", "s").about("the predicted time"),
        Measure::new("parallel_efficiency", "")
            .better_if_more()
            .about("share of computing"),
        Measure::new("cost", "").about("predicted_time_s * nodes"),
    ]
}

/// Returns the time at a point: divided work, undivided work, and messages that take longer with
/// more nodes.
pub(crate) fn time_s(nodes: f64, network: usize, atoms: f64) -> f64 {
    let latency = [0.02, 0.004, 0.0][network];
    atoms * 0.5 / nodes + atoms * 0.001 + latency * nodes
}

/// Adds a point. The half width is known for only one network.
fn push(rows: &mut PageRows, index: u64, nodes: u32, network: usize, atoms: u32) {
    let values = [&nodes.to_string(), NETWORKS[network], &atoms.to_string()];
    let values = values.map(AxisValue::read);
    let (nodes, atoms) = (f64::from(nodes), f64::from(atoms));
    let time = time_s(nodes, network, atoms);
    let half = if network == 0 { 0.08 * time } else { f64::NAN };
    let failed = nodes > 200.0 && network == 0 && atoms < 40.0;
    let (found, means) = if failed {
        (Err("deadlock: <b>all</b> wait".to_owned()), Vec::new())
    } else {
        let means = vec![time, atoms * 0.5 / nodes / time, time * nodes];
        (Ok(found_in(30, half)), means)
    };
    let values = values.to_vec();
    rows.push(
        &SweepRow {
            index,
            values,
            found,
        },
        &means,
    );
}

/// Returns results with several seeds. Pages take their means from elsewhere.
fn found_in(seeds: u64, half_width_s: f64) -> PointResults {
    PointResults {
        metrics: [f64::NAN; METRICS.len()],
        half_width_s,
        seeds,
    }
}

fn influence(parameter: &str, main: f64, total: f64, reason: &str) -> Influence {
    Influence {
        parameter: parameter.to_owned(),
        main,
        total,
        reason: reason.to_owned(),
    }
}

pub(crate) fn grid() -> PageData {
    let mut rows = PageRows::new(108, parameters(), measures());
    let mut index = 0;
    for nodes in NODES {
        for network in 0..NETWORKS.len() {
            for atoms in ATOMS {
                push(&mut rows, index, nodes, network, atoms);
                index += 1;
            }
        }
    }
    PageData {
        model: "Jacobi".to_owned(),
        command: "performance-prophet run jacobi.uml --seeds 30".to_owned(),
        command_end: " -- --machine small".to_owned(),
        table: rows.finish(),
        marked: Vec::new(),
        sensitivity: vec![Sensitivity {
            title: "predicted_time_s".to_owned(),
            method: "Sobol indices of 1,024 points.".to_owned(),
            influences: vec![
                influence("nodes", 0.6, 0.7, ""),
                influence("nat", 0.25, 0.3, ""),
                influence("network", 0.005, 0.008, "few messages are sent"),
            ],
        }],
        facts: vec![Fact {
            name: "Seeds".to_owned(),
            value: "1 to 30".to_owned(),
        }],
        notes: vec!["A made-up sweep.".to_owned()],
    }
}

/// Returns the combinations in [`grid`], with points found by goals.
pub(crate) fn found() -> PageData {
    PageData {
        marked: vec![
            MarkedPoints {
                title: "Least cost where predicted_time_s < 8".to_owned(),
                about: "Evaluated: all 108 points.".to_owned(),
                columns: vec!["cost".to_owned()],
                points: vec![62],
                next: vec![74, 61],
            },
            MarkedPoints {
                title: "Not beaten by any other point in cost and predicted_time_s".to_owned(),
                about: "2 of 108 points.".to_owned(),
                columns: vec!["cost".to_owned(), "predicted_time_s".to_owned()],
                points: vec![8, 32],
                next: Vec::new(),
            },
        ],
        ..grid()
    }
}

/// Returns data with `points` points. Values are rarely repeated.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
pub(crate) fn sample(points: u64) -> PageData {
    let names = ["latency", "bandwidth", "skew"];
    let parameters = names
        .map(|name| Parameter::new(name, format!("{name}=")))
        .to_vec();
    let mut rows = PageRows::new(points, parameters, measures());
    for index in 0..points {
        let part = |step: u64| (index * step % 9973) as f64 / 9973.0;
        let [one, two, three] = [part(7919), part(5711), part(3571)];
        let texts = [one, two, three].map(|part| format!("{:.4}", 1.0 + part));
        let values = texts.iter().map(|text| AxisValue::read(text)).collect();
        let time = 1.0 + one * one + 0.3 * two + 0.01 * three;
        let found = Ok(found_in(1, f64::NAN));
        let means = [time, 1.0 / time, time * (1.0 + two)];
        rows.push(
            &SweepRow {
                index,
                values,
                found,
            },
            &means,
        );
    }
    PageData {
        model: "Jacobi".to_owned(),
        command: "performance-prophet run jacobi.uml".to_owned(),
        table: rows.finish(),
        ..PageData::default()
    }
}
