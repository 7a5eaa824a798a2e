//! Compares the event list with a plain sorted list.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

fn drain(list: &mut EventList) -> Vec<(f64, u32)> {
    let mut events = Vec::new();
    while let Some(key) = list.first() {
        events.push((key.time_s(), key.unit()));
        list.take(key, |_| ());
    }
    events
}

#[test]
fn events_come_by_time_then_priority_then_order_of_scheduling() {
    let mut list = EventList::new();
    list.push(2.0, 0, 1);
    list.push(1.0, 1, 2);
    list.push(1.0, 0, 9);
    list.push(1.0, 0, 3);
    list.push(0.0, 7, UNITS_MAX - 1);
    let expected = [(0.0, UNITS_MAX - 1), (1.0, 9), (1.0, 3), (1.0, 2), (2.0, 1)];
    assert_eq!(drain(&mut list), expected);
}

#[test]
fn renumbering_keeps_the_order() {
    let mut list = EventList::new();
    list.push(1.0, 3, 5);
    list.push(1.0, 0, 6);
    list.push(0.5, 0, 7);
    list.use_up_sequence();
    assert!(list.must_renumber());
    let mut renamed = Vec::new();
    list.renumber(|key, ticket| renamed.push((key.unit(), ticket)));
    let units: Vec<u32> = renamed.iter().map(|(unit, _)| *unit).collect();
    assert_eq!(units, [7, 6, 5]);
    list.push(1.0, 0, 8);
    assert_eq!(drain(&mut list), [(0.5, 7), (1.0, 6), (1.0, 8), (1.0, 5)]);
}

#[test]
fn a_sweep_keeps_what_is_live_and_the_running_event_out() {
    let mut list = EventList::new();
    for unit in 0..200 {
        list.push(f64::from(200 - unit), 0, unit);
    }
    let first = list.first().expect("there are events");
    list.take(first, |_| ());
    list.sweep(|key| key.unit() % 2 == 0);
    let events = drain(&mut list);
    assert_eq!(events.len(), 100);
    assert!(events.is_sorted_by(|a, b| a.0 < b.0));
}

#[test]
fn a_small_sort_is_a_sort() {
    for len in 0..40_u32 {
        let key = |i: u32| Key::new(f64::from(i * 7 % 5), 0, u64::from(i) + 1, i);
        let mut keys: Vec<Key> = (0..len).map(key).collect();
        sort(&mut keys);
        assert!(keys.is_sorted_by(|a, b| a > b), "{len} keys");
    }
}

/// How random times until the next event are distributed.
#[derive(Debug, Clone, Copy)]
enum Times {
    Tied,
    /// Either almost immediately or at the far end of the list.
    Clustered,
    /// Spread over hundreds of orders of magnitude.
    HeavyTailed,
    Even,
    Constant,
}

impl Times {
    fn delay_s(self, random: u32) -> f64 {
        let part = f64::from(random) / f64::from(u32::MAX);
        match self {
            Self::Tied => f64::from(random % 4),
            Self::Clustered if random.is_multiple_of(3) => 1e-9 * part,
            Self::Clustered => 1.0 + 1e-6 * part,
            Self::HeavyTailed => libm::pow(10.0, 280.0 * part * part - 20.0),
            Self::Even => part,
            Self::Constant => 0.5,
        }
    }
}

/// The event list under test, and a sorted list with the same events.
struct Pair {
    list: EventList,
    sorted: BTreeSet<Key>,
    canceled: BTreeSet<Key>,
    now_s: f64,
    random: u32,
}

impl Pair {
    fn new(random: u32) -> Self {
        Self {
            list: EventList::new(),
            sorted: BTreeSet::new(),
            canceled: BTreeSet::new(),
            now_s: 0.0,
            random,
        }
    }

    fn random(&mut self) -> u32 {
        self.random = self
            .random
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        self.random.swap_bytes()
    }

    fn push(&mut self, times: Times, unit: u32) {
        if self.list.must_renumber() {
            self.renumber();
        }
        let random = self.random();
        let time_s = (self.now_s + times.delay_s(random)).min(f64::MAX);
        let priority = u8::from(random.is_multiple_of(11));
        let sequence = self.list.sequence;
        let ticket = self.list.push(time_s, priority, unit);
        let key = Key::new(time_s, priority, sequence, unit);
        assert_eq!(key.ticket(), ticket);
        self.sorted.insert(key);
    }

    /// Removes the first live event from both lists, checks that it is the same event, and leaves
    /// its place vacant.
    fn pop(&mut self) -> Option<Key> {
        while let Some(key) = self.list.first() {
            if self.canceled.remove(&key) {
                self.list.skip(key);
                continue;
            }
            assert_eq!(Some(key), self.sorted.pop_first());
            self.list.take(key, |_| ());
            self.now_s = key.time_s();
            return Some(key);
        }
        assert_eq!(self.sorted.pop_first(), None);
        None
    }

    fn cancel(&mut self) {
        let Some(last) = self.sorted.pop_last() else {
            return;
        };
        self.canceled.insert(last);
        if self.list.cancel() {
            self.sweep();
        }
    }

    fn sweep(&mut self) {
        let sorted = &self.sorted;
        self.list.sweep(|key| sorted.contains(&key));
        self.canceled.clear();
    }

    fn renumber(&mut self) {
        self.sweep();
        let before = std::mem::take(&mut self.sorted);
        let mut order = before.into_iter();
        let sorted = &mut self.sorted;
        self.list.renumber(|old, ticket| {
            assert_eq!(order.next(), Some(old), "in order");
            let new = old.renumbered((ticket >> key::UNIT_BITS) & (SEQUENCE_END - 1));
            sorted.insert(new);
        });
        assert_eq!(order.next(), None, "all of them");
    }

    fn turn(&mut self, times: Times) {
        match self.random() % 64 {
            0 => self.push(times, 1),
            1 => self.cancel(),
            2 => {
                self.pop();
            }
            3 if self.random().is_multiple_of(256) => self.list.use_up_sequence(),
            _ => {
                if let Some(key) = self.pop() {
                    self.push(times, key.unit());
                }
            }
        }
    }

    fn run(mut self, times: Times, events: u32, turns: u32) {
        for unit in 0..events {
            self.push(times, unit);
        }
        for _ in 0..turns {
            self.turn(times);
        }
        while self.pop().is_some() {}
    }
}

fn any_times() -> impl Strategy<Value = Times> {
    prop_oneof![
        Just(Times::Tied),
        Just(Times::Clustered),
        Just(Times::HeavyTailed),
        Just(Times::Even),
        Just(Times::Constant),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_is_that_of_a_sorted_list(
        times in any_times(),
        events in prop_oneof![0..100_u32, 100..400_u32, 1000..3000_u32],
        random in any::<u32>(),
    ) {
        Pair::new(random).run(times, events, 4000);
    }

    #[test]
    fn a_change_of_the_times_keeps_the_order(
        before in any_times(),
        after in any_times(),
        random in any::<u32>(),
    ) {
        let mut pair = Pair::new(random);
        for unit in 0..500 {
            pair.push(before, unit);
        }
        for _ in 0..500 {
            pair.turn(before);
        }
        pair.run(after, 300, 3000);
    }
}

#[test]
fn many_events_come_in_order() {
    for times in [
        Times::Even,
        Times::HeavyTailed,
        Times::Clustered,
        Times::Constant,
    ] {
        Pair::new(7).run(times, 100_000, 20_000);
    }
}
