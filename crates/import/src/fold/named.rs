//! Names requests. A trace numbers the requests of each rank, but an element needs one name that is
//! the same for all ranks that execute it.
//!
//! Elements that start a message and elements that wait for it share a name, unless a rank would
//! use that name for two of its numbers: a wait would then apply to both. In that case, the ranks
//! that execute these elements are split by the request's number, and each number becomes a name.

use std::collections::{BTreeMap, BTreeSet};

use super::node::Act;
use super::ranks::RankSet;
use super::step::{Step, StepAction};
use crate::event::{Message, RankEvent};
use crate::requests::SHARED;

/// A request of a rank: the rank, the request's number, and the message (`true` for a send).
type Request = (u32, u32, (Message, bool));

/// Elements that start messages or wait for them. Elements that need the same name are joined.
#[derive(Debug, Default)]
struct Sites {
    /// For each element, an element that must have the same name, or the element itself.
    like: Vec<usize>,
    begins: BTreeMap<Request, usize>,
    waits: Vec<(usize, Vec<Request>)>,
    /// Each element's requests, by rank and number.
    numbers: Vec<Vec<(u32, u32)>>,
}

pub(super) fn named(steps: Vec<Step>) -> Vec<Step> {
    let mut sites = Sites::default();
    sites.find(&steps);
    sites.join();
    let names = sites.names();
    let mut place = 0;
    with_names(steps, &mut sites, &names, &mut place)
}

fn request(rank: u32, act: &Act) -> Option<Request> {
    match act.event {
        RankEvent::BeginSend(message, number) => Some((rank, number, (message, true))),
        RankEvent::BeginReceive(message, number) => Some((rank, number, (message, false))),
        RankEvent::Wait(number) => Some((rank, number, act.begun?)),
        _ => None,
    }
}

fn is_site(acts: &[(u32, Act)]) -> bool {
    acts.iter().any(|(rank, act)| request(*rank, act).is_some())
}

impl Sites {
    fn find(&mut self, steps: &[Step]) {
        for step in steps {
            match &step.doing {
                StepAction::Loop { body, .. } | StepAction::Levels { body, .. } => self.find(body),
                StepAction::Act { acts, .. } if is_site(acts) => self.add(acts),
                StepAction::Act { .. } => {}
            }
        }
    }

    fn add(&mut self, acts: &[(u32, Act)]) {
        let place = self.like.len();
        self.like.push(place);
        let requests: Vec<Request> = acts
            .iter()
            .filter_map(|(rank, act)| request(*rank, act))
            .collect();
        let numbers = requests.iter().map(|(rank, number, _)| (*rank, *number));
        self.numbers.push(numbers.collect());
        if matches!(acts[0].1.event, RankEvent::Wait(_)) {
            self.waits.push((place, requests));
            return;
        }
        for request in requests {
            match self.begins.get(&request).copied() {
                // A wait can't distinguish equal messages of one request.
                Some(other) => self.unite(place, other),
                None => drop(self.begins.insert(request, place)),
            }
        }
    }

    fn join(&mut self) {
        for (place, requests) in std::mem::take(&mut self.waits) {
            for request in &requests {
                if let Some(begin) = self.begins.get(request).copied() {
                    self.unite(place, begin);
                }
            }
            self.waits.push((place, requests));
        }
    }

    fn root(&mut self, place: usize) -> usize {
        let mut root = place;
        while self.like[root] != root {
            self.like[root] = self.like[self.like[root]];
            root = self.like[root];
        }
        root
    }

    fn unite(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.like[one.max(other)] = one.min(other);
    }

    /// Returns the names of the joined elements that have a wait, in the order of the waits; `None`
    /// for elements with two request numbers of a rank.
    fn names(&mut self) -> BTreeMap<usize, Option<String>> {
        let mut names = BTreeMap::new();
        for (place, requests) in std::mem::take(&mut self.waits) {
            let root = self.root(place);
            let is_sent = requests.first().is_some_and(|it| it.2.1);
            let kind = if is_sent { "sent" } else { "received" };
            let next = names.len() + 1;
            names
                .entry(root)
                .or_insert_with(|| Some(format!("{kind}{next}")));
        }
        let mut numbers: BTreeMap<(usize, u32), u32> = BTreeMap::new();
        let mut ambiguous = BTreeSet::new();
        for place in 0..self.like.len() {
            let root = self.root(place);
            for (rank, number) in std::mem::take(&mut self.numbers[place]) {
                if *numbers.entry((root, rank)).or_insert(number) != number {
                    ambiguous.insert(root);
                }
            }
        }
        for root in ambiguous {
            names.entry(root).and_modify(|it| *it = None);
        }
        names
    }
}

fn with_names(
    steps: Vec<Step>,
    sites: &mut Sites,
    names: &BTreeMap<usize, Option<String>>,
    place: &mut usize,
) -> Vec<Step> {
    let mut result = Vec::with_capacity(steps.len());
    for mut step in steps {
        match &mut step.doing {
            StepAction::Loop { body, .. } | StepAction::Levels { body, .. } => {
                *body = with_names(std::mem::take(body), sites, names, place);
            }
            StepAction::Act { acts, request, .. } if is_site(acts) => {
                *place += 1;
                match names.get(&sites.root(*place - 1)) {
                    None => {}
                    Some(Some(name)) => *request = Some(name.clone()),
                    Some(None) => {
                        result.extend(by_number(step));
                        continue;
                    }
                }
            }
            StepAction::Act { .. } => {}
        }
        result.push(step);
    }
    result
}

/// Splits a step by its ranks' request numbers.
fn by_number(step: Step) -> Vec<Step> {
    let StepAction::Act {
        relations, acts, ..
    } = step.doing
    else {
        return vec![step];
    };
    let each = acts[0].1.each;
    let mut groups: BTreeMap<u32, Vec<(u32, Act)>> = BTreeMap::new();
    for (rank, act) in acts {
        let number = request(rank, &act).map_or(SHARED, |it| it.1);
        groups.entry(number).or_default().push((rank, act));
    }
    let none = step.ranks.without_any();
    let one = |(number, mut acts): (u32, Vec<(u32, Act)>)| {
        let mut ranks: RankSet = none.clone();
        for (rank, _) in &acts {
            ranks.insert(*rank);
        }
        // The first act holds what all have in common.
        acts[0].1.each = each;
        Step {
            ranks,
            doing: StepAction::Act {
                relations: relations.clone(),
                acts,
                request: (number != SHARED).then(|| format!("request{number}")),
            },
        }
    };
    groups.into_iter().map(one).collect()
}
