//! Measures the prices of operations on this machine.
//!
//! | module | is |
//! |---|---|
//! | `chains` | loops of one operation, most of which wait for the one before |
//! | `stopwatch` | the time of a loop's turn |
//! | `prices` | the price of each operation that costs may name |
//! | `processor` | the name of this machine's processor |

mod chains;
mod prices;
pub(crate) mod processor;
pub(crate) mod stopwatch;

use prices::{Price, prices};
use stopwatch::{ROUNDS, Stopwatch};

use crate::document::{Document, OPERATIONS, operation};

/// Measures operations, and returns the text of a machine file with their prices. The machine gets
/// the name `name`.
pub fn measure(name: &str) -> String {
    let watch = Stopwatch::new();
    let document = Document {
        name: name.to_owned(),
        source: source(watch),
        entries: entries(&prices(watch)),
        comment: Vec::new(),
    };
    document.toml()
}

fn source(watch: Stopwatch) -> Vec<String> {
    vec![
        processor::sentence(),
        "Operations: chains in which each operation waits for the previous one, so prices are \
         latencies;"
            .to_owned(),
        format!(
            "medians of {ROUNDS} rounds, each the difference between a chain and a chain twice as \
             long, with a clock of {:.0} ns.",
            1e9 * watch.resolution_s
        ),
        "A processor overlaps independent operations, so they take less time than the sum of their \
         prices."
            .to_owned(),
    ]
}

fn entries(prices: &[Price]) -> Vec<String> {
    let price = |it: &Price| {
        let entry = format!("{} = {:.3}", it.name, 1e9 * it.seconds);
        operation(&entry, &it.meaning)
    };
    let prices = prices.iter().map(price);
    [OPERATIONS.to_owned()].into_iter().chain(prices).collect()
}
