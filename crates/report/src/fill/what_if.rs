//! Upper bounds of the gains by faster elements, from the critical path.

use prophet_trace::UnitState;

use super::place;
use crate::analysis::path::{Activity, CriticalPath};
use crate::page::{WhatIf, WhatIfElement};

/// Reduction of an element's time.
const REDUCTION: f64 = 0.1;

/// Computes the bounds: each element gains at most its own time on the path, and one off the path
/// gains nothing.
///
/// This is a bound: the path without that time is still a chain through the run that cannot be
/// shortened, as long as CPUs, locks and messages go to the units in the same order.
pub(super) fn at_most(path: &CriticalPath, indices: &[u32], predicted_s: f64) -> Option<WhatIf> {
    let mut own_s = vec![0.0; indices.len()];
    for part in &path.parts {
        let waits = matches!(
            part.activity,
            Activity::State(UnitState::Wait | UnitState::Synchronize | UnitState::Content)
                | Activity::Unknown
        );
        if !waits && let Some(own_s) = own_s.get_mut(place(indices, part.element) as usize) {
            *own_s += part.seconds;
        }
    }
    let element = |(element, own_s): (u32, f64)| WhatIfElement {
        element,
        predicted_time_s: predicted_s - REDUCTION * own_s,
        gain_s: REDUCTION * own_s,
        exact: false,
    };
    let elements: Vec<WhatIfElement> = (0..).zip(own_s).map(element).collect();
    (!elements.is_empty()).then(|| WhatIf::new(REDUCTION, &elements))
}
