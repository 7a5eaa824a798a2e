//! Finds the parts of the model's file that a failure names.

use super::{Cause, Failure, Livelock, Misuse, Site};
use crate::language::place::Places;

impl Failure {
    /// Adds where the failure's parts are in the model, if known.
    pub(crate) fn located(mut self, places: &Places) -> Self {
        if let Cause::Fault(fault) = &mut *self.cause {
            fault.locate(|name| places.function(name));
        }
        for site in self.sites() {
            site.place = places.element(site.id);
        }
        self
    }

    fn sites(&mut self) -> Vec<&mut Site> {
        let mut sites: Vec<&mut Site> = self.element.iter_mut().collect();
        match &mut *self.cause {
            Cause::Deadlock(deadlock) => {
                for waiting in &mut deadlock.waiting {
                    sites.extend(&mut waiting.element);
                    let untaken = waiting.untaken.iter_mut();
                    sites.extend(untaken.filter_map(|message| message.element.as_mut()));
                }
            }
            Cause::Livelock(Livelock::Cycle { among, .. }) => {
                sites.extend(among.iter_mut().filter_map(|it| it.element.as_mut()));
            }
            Cause::Mismatch { other_element, .. }
            | Cause::Threads(Misuse::Constructs { other_element, .. }) => {
                sites.extend(other_element);
            }
            Cause::Threads(Misuse::Nested { outer, .. }) => sites.extend(outer),
            Cause::NoPrices(prices) => {
                sites.extend(
                    prices
                        .missing
                        .iter_mut()
                        .filter_map(|it| it.element.as_mut()),
                );
            }
            Cause::NoDevices(devices) => {
                let missing = devices.missing.iter_mut();
                sites.extend(missing.filter_map(|it| it.element.as_mut()));
            }
            Cause::Threads(
                Misuse::Flow { .. }
                | Misuse::TeamSize { .. }
                | Misuse::TooMany
                | Misuse::ChunkSize { .. }
                | Misuse::Iterations { .. }
                | Misuse::TooManyIterations { .. },
            )
            | Cause::Livelock(Livelock::Turns(_) | Livelock::Events(_))
            | Cause::Cost { .. }
            | Cause::Unpriced
            | Cause::TimeOverflow
            | Cause::Fault(_)
            | Cause::Error(_)
            | Cause::NoGuardHolds(_)
            | Cause::NoSuchProcess { .. }
            | Cause::NoSuchRoot { .. }
            | Cause::NotWhole { .. }
            | Cause::NoRequest { .. }
            | Cause::NegativeSize { .. }
            | Cause::Truncated { .. }
            | Cause::NoValue { .. }
            | Cause::ForeignAwait
            | Cause::TwoWaits
            | Cause::Stopped
            | Cause::Accelerator(_)
            | Cause::System(_)
            | Cause::NodeMemory(_)
            | Cause::Changes(_) => {}
        }
        sites
    }
}
