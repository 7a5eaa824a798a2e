//! Lists messages that no receive has taken, for reports about failures.

use super::Mpi;
use crate::messages::letter::{ANY_SOURCE, Envelope};
use crate::results::failure::Untaken;

impl Mpi<'_> {
    /// Returns the first `most` messages that have arrived at a waiting process but that it isn't
    /// waiting for, and the number of other such messages.
    pub(crate) fn untaken(&self, process: u32, most: usize) -> (Vec<Untaken>, u64) {
        let Some(communication) = self.communication.get() else {
            return (Vec::new(), 0);
        };
        let matching = communication.matching.borrow();
        let wanted = matching.awaited(process);
        let messages = if wanted.is_empty() {
            Vec::new()
        } else {
            matching.untaken(process)
        };
        let untaken = messages.iter().take(most).map(|letter| {
            let Envelope { source, tag, .. } = letter.envelope;
            let is_wanted = |wanted: &Envelope| [ANY_SOURCE, source].contains(&wanted.source);
            let element = matching.sending_element(letter);
            Untaken {
                source,
                tag,
                bytes: letter.bytes,
                element: element.and_then(|element| self.site(element)),
                only_tag_differs: wanted.iter().any(is_wanted),
            }
        });
        let more = messages.len().saturating_sub(most);
        (untaken.collect(), more as u64)
    }
}
