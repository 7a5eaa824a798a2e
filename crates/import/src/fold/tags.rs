//! Replaces tags that change from turn to turn. They only tell apart messages between two ranks
//! that are received in the order in which they were sent.

use std::collections::{BTreeMap, BTreeSet};

use super::sizes::messages;
use crate::RankEvent;

/// Number of different tags of messages to one partner from which tags count as changing.
const CHANGING: usize = 3;

/// Finds call sites with changing tags. A site's tags, and the tags of other sites that share one
/// of them, are replaced by the smallest.
#[derive(Debug, Default)]
pub(super) struct Tags {
    /// For each tag, a smaller tag that shares a site with it, or the tag itself.
    like: BTreeMap<i64, i64>,
    /// A tag of each site.
    sites: BTreeMap<u32, i64>,
    changing: BTreeSet<u32>,
    /// The tags of one rank at each site, by partner.
    seen: BTreeMap<(u32, Option<u32>), BTreeSet<i64>>,
    replaced: BTreeMap<i64, i64>,
}

impl Tags {
    /// Returns the number of tags that are replaced.
    pub(super) fn len(&self) -> usize {
        self.replaced.len()
    }

    pub(super) fn without(&mut self, mut event: RankEvent, site: u32) -> RankEvent {
        for message in messages(&mut event).into_iter().flatten() {
            let Some(tag) = message.tag else { continue };
            let first = *self.sites.entry(site).or_insert(tag);
            self.unite(first, tag);
            let seen = self.seen.entry((site, message.peer)).or_default();
            if seen.len() < CHANGING && seen.insert(tag) && seen.len() == CHANGING {
                self.changing.insert(site);
            }
            message.tag = Some(self.replaced.get(&tag).copied().unwrap_or(tag));
        }
        event
    }

    pub(super) fn end_rank(&mut self) {
        self.seen.clear();
    }

    /// Decides which tags to replace from now on.
    pub(super) fn end_pass(&mut self) {
        let roots = self.changing.iter().map(|it| self.root(self.sites[it]));
        let roots: BTreeSet<i64> = roots.collect();
        let all = self.like.keys().map(|it| (*it, self.root(*it)));
        self.replaced = all.filter(|it| roots.contains(&it.1)).collect();
    }

    fn root(&self, tag: i64) -> i64 {
        let mut root = tag;
        while let Some(smaller) = self.like.get(&root).filter(|it| **it != root) {
            root = *smaller;
        }
        root
    }

    fn unite(&mut self, one: i64, other: i64) {
        self.like.entry(other).or_insert(other);
        let (one, other) = (self.root(one), self.root(other));
        self.like.insert(one.max(other), one.min(other));
    }
}
