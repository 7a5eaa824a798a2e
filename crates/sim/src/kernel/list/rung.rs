//! Implements a rung of the ladder: a time span that is divided into equal buckets and used up from
//! the front.

use super::pool::Bucket;

/// Average number of events per bucket right after events are spread. More are added as time
/// advances.
const EVENTS_PER_BUCKET: usize = 1;
/// Maximum number of buckets; with more, random access to them would miss the cache.
const BUCKETS_MAX: usize = 2048;

/// Buckets for the times from `start_s` on.
///
/// Even with rounding, a later time never maps to an earlier bucket, so all events of a bucket come
/// before all events of the next one. The order of events relies only on this, not on exact
/// borders.
#[derive(Debug)]
pub(super) struct Rung {
    buckets: Vec<Bucket>,
    start_s: f64,
    buckets_per_s: f64,
    /// Index of the next bucket. Earlier buckets are used up.
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

    /// Creates empty buckets for events between two times. Returns `false` if they would all fall
    /// into one bucket.
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

    #[inline]
    pub(super) fn bucket_mut(&mut self, time_s: f64) -> Option<&mut Bucket> {
        let place = self.place(time_s);
        if place < self.next {
            return None;
        }
        self.buckets.get_mut(place)
    }

    /// Returns the index of the bucket for a time. The first bucket also takes all earlier times,
    /// and the last bucket all later times.
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

    /// Returns the next nonempty bucket without removing it.
    #[inline]
    pub(super) fn peek_next(&self) -> Option<Bucket> {
        let mut rest = self.buckets.get(self.next..)?.iter();
        rest.find(|bucket| bucket.len() > 0).copied()
    }

    /// Removes and returns the next nonempty bucket.
    #[inline]
    pub(super) fn take_next(&mut self) -> Option<Bucket> {
        let rest = self.buckets.get_mut(self.next..)?;
        let skipped = rest.iter().position(|bucket| bucket.len() > 0)?;
        self.next += skipped + 1;
        Some(std::mem::replace(&mut rest[skipped], Bucket::EMPTY))
    }
}
