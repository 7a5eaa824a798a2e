//! Lists how much time would be gained if elements were faster, and explains how the gains were
//! computed.

use super::{WhatIf, WhatIfElement};
use crate::order::largest_first;

impl WhatIf {
    /// Collects the gains from reducing each element's own time by the fraction `reduction`. They
    /// can be in any order.
    ///
    /// ```
    /// use prophet_report::page::{WhatIf, WhatIfElement};
    ///
    /// let row = |element, gain_s, exact| WhatIfElement {
    ///     element, predicted_time_s: 1.0 - gain_s, gain_s, exact,
    /// };
    /// let what_if = WhatIf::new(0.1, &[row(0, 0.01, false), row(1, 0.05, true)]);
    /// assert_eq!(what_if.elements[0].element, 1);
    /// assert!(what_if.method.contains("1 of 2 elements"));
    /// ```
    pub fn new(reduction: f64, elements: &[WhatIfElement]) -> Self {
        Self {
            reduction,
            method: method(elements),
            elements: largest_first(elements, |row| row.gain_s),
        }
    }
}

const EXACT: &str = "at 90 % of its own time, which is its cost or the time of its messages";
const BOUND: &str = "at most a tenth of its share of the critical path, as long as CPUs, locks and \
                     messages serve the units in the same order";

fn method(elements: &[WhatIfElement]) -> String {
    let exact = elements.iter().filter(|row| row.exact).count();
    if exact == elements.len() {
        return format!("Exact: the program was run again with each element {EXACT}.");
    }
    if exact == 0 {
        return format!(
            "An upper bound: each element gains {BOUND}. Run with --report for the exact gain."
        );
    }
    format!(
        "Exact for {exact} of {} elements, which take most of the critical path: the program was \
         run again with each of them {EXACT}. The other gains are upper bounds: each element gains \
         {BOUND}.",
        elements.len()
    )
}
