//! What faster elements bring at most, as the critical path tells.

use std::collections::BTreeMap;

use prophet_trace::{Results, State};

use super::place;
use crate::analysis::path::{Activity, CriticalPath};
use crate::page::{NO_ELEMENT, WhatIf, WhatIfElement};

/// How much faster.
const REDUCTION: f64 = 0.1;

/// Each element at most brings its own time on the path, if nothing else becomes critical.
pub(super) fn at_most(path: &CriticalPath, indices: &[u32], results: &Results) -> Option<WhatIf> {
    let mut own_s = BTreeMap::<u32, f64>::new();
    for part in &path.parts {
        let waits = matches!(
            part.activity,
            Activity::State(State::Wait | State::Synchronise | State::Content) | Activity::Unknown
        );
        let element = place(indices, part.element);
        if !waits && element != NO_ELEMENT {
            *own_s.entry(element).or_default() += part.seconds;
        }
    }
    let predicted_s = results.predicted_time_s;
    let mut elements: Vec<WhatIfElement> = own_s
        .into_iter()
        .map(|(element, seconds)| WhatIfElement {
            element,
            predicted_time_s: predicted_s - REDUCTION * seconds,
            gain_s: REDUCTION * seconds,
        })
        .collect();
    elements.sort_by(|a, b| b.gain_s.total_cmp(&a.gain_s));
    (!elements.is_empty()).then(|| WhatIf {
        reduction: REDUCTION,
        method: "An upper bound, from the critical path of the trace: its share of the path, as \
                 long as nothing else becomes critical. A run with --report computes it exactly."
            .to_owned(),
        elements,
    })
}
