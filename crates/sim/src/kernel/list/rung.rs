//! A rung of the ladder: a span of time in equal buckets, which are used up from the front.

use super::pool::Bucket;

/// Events a bucket has on average when they are spread. More come while the time continues.
const EVENTS_PER_BUCKET: usize = 1;
/// More buckets than that no longer stay in the cache while events go to any of them.
const BUCKETS_MAX: usize = 2048;

/// Buckets for the times from `start_s` on.
///
/// The bucket of a time is a function that never falls when the time rises, rounding included,
/// so that all events of a bucket come before all of the next one. That, and not where the
/// borders are, is what the order of events depends on.
#[derive(Debug)]
pub(super) struct Rung {
    buckets: Vec<Bucket>,
    start_s: f64,
    buckets_per_s: f64,
    /// Buckets before that are used up.
    next: usize,
}

impl Rung {
    pub(super) const fn new() -> Self {
        Self {
            buckets: Vec::new(),
            start_s: 0.0,
            buckets_per_s: 0.0,
            next: 0,
        }
    }

    /// Makes empty buckets for some events between two times; returns whether that can be done
    /// in such a way that not all events are in one bucket.
    pub(super) fn cover(&mut self, min_s: f64, max_s: f64, events: usize) -> bool {
        let count = (events / EVENTS_PER_BUCKET).clamp(2, BUCKETS_MAX);
        #[expect(clippy::cast_precision_loss, reason = "at most BUCKETS_MAX")]
        let buckets_per_s = count as f64 / (max_s - min_s);
        if !buckets_per_s.is_normal() || buckets_per_s <= 0.0 {
            return false;
        }
        self.buckets.clear();
        self.buckets.resize(count, Bucket::EMPTY);
        self.start_s = min_s;
        self.buckets_per_s = buckets_per_s;
        self.next = 0;
        self.place(max_s) > self.place(min_s)
    }

    /// The bucket for a time, unless that one is used up.
    #[inline]
    pub(super) fn bucket_mut(&mut self, time_s: f64) -> Option<&mut Bucket> {
        let place = self.place(time_s);
        if place < self.next {
            return None;
        }
        self.buckets.get_mut(place)
    }

    /// The bucket's number: the last one has all later times as well, the first all earlier.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates, which keeps the order"
    )]
    #[inline]
    fn place(&self, time_s: f64) -> usize {
        let place = ((time_s - self.start_s) * self.buckets_per_s) as u32;
        (place as usize).min(self.buckets.len() - 1)
    }

    /// The next bucket that is not empty.
    #[inline]
    pub(super) fn peek_next(&self) -> Option<Bucket> {
        let mut rest = self.buckets.get(self.next..)?.iter();
        rest.find(|bucket| bucket.len() > 0).copied()
    }

    /// Takes the next bucket out that is not empty.
    #[inline]
    pub(super) fn take_next(&mut self) -> Option<Bucket> {
        let rest = self.buckets.get_mut(self.next..)?;
        let skipped = rest.iter().position(|bucket| bucket.len() > 0)?;
        self.next += skipped + 1;
        Some(std::mem::replace(&mut rest[skipped], Bucket::EMPTY))
    }
}
