//! Finds the ways of ranks through a program. Ranks with the same way do the same, with partners at
//! the same distances.
//!
//! A rank runs with all messages available, and its region shrinks to the ranks that decide alike.
//! All other ranks have other ways. The first grid is a line. If the program computes with columns
//! and rows, these determine a finer grid.

use prophet_machine::operation::Signature;

use super::partners::Partner;
use super::stage::{FAILS, Runner, alone};
use crate::kernel::local::Met;
use crate::language::region::Region;

/// Number of ways that are always allowed, in addition to one for every two ranks.
const WAYS_MIN: u64 = 64;

#[derive(Debug)]
pub(super) struct Way {
    pub(super) region: Region,
    pub(super) sources: Vec<Partner>,
    pub(super) dests: Vec<Partner>,
    calls: Vec<Signature>,
}

/// Finds the ways of all ranks. Returns `None` if there are too many for folding to help.
///
/// # Errors
///
/// Returns the reason why the ways can't be found.
pub(super) fn ways(runner: &mut Runner<'_>, ranks: u32) -> Result<Option<Vec<Way>>, String> {
    let mut sizes = [ranks, 1, 1];
    'grid: loop {
        let (mut ways, mut covered) = (Vec::new(), 0);
        let mut open = vec![Region::whole(sizes)];
        while let Some(region) = open.pop() {
            let way = way(runner, region.clone())?;
            if let Some(finer) = way.region.finer {
                sizes = finer;
                continue 'grid;
            }
            open.extend(region.without(&way.region));
            covered += way.region.members();
            ways.push(way);
            if ways.iter().any(|way| way.calls != ways[0].calls) {
                return Err(FAILS.to_owned());
            }
            if ways.len() as u64 > WAYS_MIN + covered / 2 {
                return Ok(None);
            }
        }
        return Ok(Some(ways));
    }
}

/// Finds the way of the rank in the middle of a region, and the ranks of the region with that way.
fn way(runner: &mut Runner<'_>, region: Region) -> Result<Way, String> {
    let rank = region.rank();
    runner.on_stage(Some(region), |runner, world| {
        runner.run(world, rank, &[])?.ok_or(FAILS)?;
        let alone = alone(world);
        let region = alone.region.as_ref().map(|region| region.borrow().clone());
        let partner = |met: &Met| Partner::new(rank, *met, world.system.processes);
        let sent = alone.sent.borrow();
        let mut dests: Vec<Partner> = sent.iter().map(|(dest, _)| partner(dest)).collect();
        dests.sort_unstable();
        dests.dedup();
        let sources = alone.sources.borrow();
        Ok(Way {
            region: region.ok_or(FAILS)?,
            sources: sources.iter().map(partner).collect(),
            dests,
            calls: alone.calls.take(),
        })
    })
}
