//! Chooses the recordings to make a model from: all of them, unless fewer lead to a more general
//! model.

use std::path::Path;

use prophet_import::{FoldedDraft, Unifier};

use super::trial::{Size, Trial, Tried};

/// Maximum number of models to try. Large models have a separate limit.
const TRIED: usize = 64;
const TRIED_LARGE: usize = 6;
/// Minimum number of elements in a large model.
const LARGE: usize = 1000;
/// Minimum number of sizes that must remain when one that contradicts the others is left out.
const KEPT: usize = 3;

pub(super) struct Candidate {
    pub(super) draft: FoldedDraft,
    pub(super) trials: Vec<Trial>,
    /// Indices of the recordings that the model was made from.
    pub(super) of: Vec<usize>,
}

impl Candidate {
    /// Returns the first failed trial, either at the sizes that the model was learned from or at
    /// the others.
    pub(super) fn first_miss(&self, is_own: bool) -> Option<(usize, &Trial)> {
        let trials = self.trials.iter().enumerate();
        let mut trials = trials.filter(|it| self.of.contains(&it.0) == is_own);
        trials.find(|it| !matches!(it.1, Trial::Same(_)))
    }

    /// Returns `true` if the model matches all recordings and is valid for other sizes too.
    fn is_perfect(&self) -> bool {
        let [own, others] = [true, false].map(|it| self.first_miss(it).is_none());
        own && others && self.draft.folded.listed.is_empty()
    }

    /// Counts what the model lacks: first, recordings it was made from that it doesn't match, then
    /// formulas, then other recordings.
    pub(super) fn lack(&self) -> [usize; 5] {
        let count = |is_it: fn(&Trial) -> bool| {
            let own = self.of.iter().map(|it| &self.trials[*it]);
            own.filter(|it| is_it(it)).count()
        };
        let misses = |it: &&Trial| !matches!(it, Trial::Same(_));
        [
            count(|it| matches!(it, Trial::Fails(_))),
            count(|it| matches!(it, Trial::Differs(_))),
            usize::from(!self.draft.folded.listed.is_empty()),
            self.trials.iter().filter(misses).count(),
            self.trials.len() - self.of.len(),
        ]
    }
}

/// Returns the best model that any subset of the recordings leads to. Trials write traces next to
/// the file at `path`.
pub(super) fn best(unifier: &Unifier<'_>, sizes: &[Size], name: &str, path: &Path) -> Candidate {
    let candidate = |of: Vec<usize>| {
        let draft = unifier.draft(&of, name);
        let tried = Tried::of(&draft.folded.text);
        let trials = sizes.iter().map(|it| tried.at(it, path)).collect();
        Candidate { draft, trials, of }
    };
    let mut best = candidate((0..sizes.len()).collect());
    let is_large = best.draft.folded.elements >= LARGE;
    let most = if is_large { TRIED_LARGE } else { TRIED };
    for left_out in left_out(sizes).into_iter().take(most) {
        if best.is_perfect() {
            break;
        }
        let of = (0..sizes.len()).filter(|it| !left_out.contains(&sizes[*it].ranks));
        let other = candidate(of.collect());
        let kept = kinds(sizes).len() - left_out.len();
        let may_contradict = kept >= KEPT && kept > left_out.len();
        if other.lack() < best.lack() && (may_contradict || other.first_miss(false).is_none()) {
            best = other;
        }
    }
    best
}

fn kinds(sizes: &[Size]) -> Vec<u32> {
    let mut all: Vec<u32> = sizes.iter().map(|it| it.ranks).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Returns the sets of numbers of ranks that can be left out, small sets first. At least two
/// numbers remain.
fn left_out(sizes: &[Size]) -> Vec<Vec<u32>> {
    let all = kinds(sizes);
    let places = all.len().min(10);
    let set = |bits: u32| -> Vec<u32> {
        let is_in = |it: &usize| bits >> it & 1 == 1;
        (0..places).filter(is_in).map(|it| all[it]).collect()
    };
    let mut sets: Vec<Vec<u32>> = (1..1 << places).map(set).collect();
    sets.retain(|it| it.len() + 2 <= all.len());
    sets.sort_by_key(Vec::len);
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_sizes_are_left_out_before_more() {
        let size = |ranks| Size {
            ranks,
            ..Size::default()
        };
        let sets = left_out(&[1, 2, 2, 4, 8].map(size));
        let shown: Vec<String> = sets.iter().map(|it| format!("{it:?}")).collect();
        let expected = "[1] [2] [4] [8] [1, 2] [1, 4] [2, 4] [1, 8] [2, 8] [4, 8]";
        assert_eq!(shown.join(" "), expected);
        assert!(left_out(&[2, 4].map(size)).is_empty());
    }
}
