//! Matches receives from any source in the event engine, when no unit can run anymore at an
//! instant.

use crate::kernel::Task;
use crate::language::Stopped;
use crate::mpi::Mpi;

impl Mpi<'_> {
    /// Schedules a check of a rank's receives from any source for the end of this instant.
    pub(crate) fn look_at_wildcards(&self, rank: u32) {
        self.alarms.look_at(Task::Wildcards(rank));
        self.set_attention();
    }

    /// Matches the receives of these ranks from any source, once no unit can run anymore.
    pub(crate) fn settle_wildcards(
        &self,
        ranks: impl IntoIterator<Item = u32>,
    ) -> Result<(), Stopped> {
        ranks.into_iter().try_for_each(|rank| {
            self.count_step(rank)?;
            self.settle_wildcards_of(rank)
        })
    }

    /// Gives a rank's receives from any source the messages that have arrived for them.
    fn settle_wildcards_of(&self, rank: u32) -> Result<(), Stopped> {
        let communication = self.communication();
        let now_s = self.now_s();
        let mut matching = communication.matching.borrow_mut();
        loop {
            let (pairs, again_s) = matching.settle(rank, now_s);
            if pairs.is_empty() {
                self.alarms.set(Task::Wildcards(rank), again_s);
                break;
            }
            for (post, letter) in pairs {
                self.meet(&mut matching, rank, &post, (&letter, post.posted_s))?;
            }
        }
        Ok(())
    }
}
