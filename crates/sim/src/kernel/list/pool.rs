//! Buckets of events that share one store of blocks, so that moving events leaves no memory idle.

use super::key::Key;

/// Keys in a block: 128 bytes, two cache lines.
const KEYS: u32 = 8;
const BLOCK_LEN: usize = KEYS as usize;
/// The link of a block that is the last.
const NONE: u32 = u32::MAX;

/// Events in no order: a chain of blocks of a [`Pool`], all full but the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bucket {
    head: u32,
    len: u32,
}

impl Bucket {
    pub(super) const EMPTY: Self = Self { head: NONE, len: 0 };

    #[inline]
    pub(super) fn len(self) -> usize {
        self.len as usize
    }
}

/// The blocks of all buckets.
#[derive(Debug)]
pub(super) struct Pool {
    blocks: Vec<[Key; BLOCK_LEN]>,
    /// The next block in the chain of a bucket, or of the unused ones.
    next: Vec<u32>,
    unused: u32,
}

impl Pool {
    pub(super) const fn new() -> Self {
        Self {
            blocks: Vec::new(),
            next: Vec::new(),
            unused: NONE,
        }
    }

    /// Adds an event to a bucket.
    #[expect(clippy::inline_always, reason = "a call costs as much as the work")]
    #[inline(always)]
    pub(super) fn push(&mut self, bucket: &mut Bucket, key: Key) {
        let place = bucket.len as usize % BLOCK_LEN;
        if place == 0 {
            bucket.head = self.take_block(bucket.head);
        }
        self.blocks[bucket.head as usize][place] = key;
        bucket.len += 1;
    }

    /// A block whose chain continues with `next`.
    #[inline(never)]
    fn take_block(&mut self, next: u32) -> u32 {
        let block = self.unused;
        if block != NONE {
            self.unused = std::mem::replace(&mut self.next[block as usize], next);
            return block;
        }
        self.blocks.push([Key::LAST; BLOCK_LEN]);
        self.next.push(next);
        // Fewer than 2^29 events are in blocks, and a bucket has one block that is not full.
        u32::try_from(self.blocks.len() - 1).unwrap_or(NONE)
    }

    pub(super) fn iter(&self, bucket: Bucket) -> impl Iterator<Item = Key> {
        self.parts(bucket).flatten().copied()
    }

    fn parts(&self, bucket: Bucket) -> impl Iterator<Item = &[Key]> {
        let mut rest = bucket;
        std::iter::from_fn(move || {
            let (block, len) = self.part(&mut rest)?;
            Some(&self.blocks[block as usize][..len])
        })
    }

    /// Cuts the first block off a chain; returns it and how many events it has.
    #[inline]
    fn part(&self, rest: &mut Bucket) -> Option<(u32, usize)> {
        let last = rest.len.checked_sub(1)? % KEYS;
        let block = rest.head;
        rest.head = self.next[block as usize];
        rest.len -= last + 1;
        Some((block, last as usize + 1))
    }

    /// Takes the first block of a bucket out, with its events; `None` when the bucket is empty.
    #[inline]
    pub(super) fn take_part(&mut self, bucket: &mut Bucket) -> Option<([Key; BLOCK_LEN], usize)> {
        let (block, len) = self.part(bucket)?;
        self.next[block as usize] = std::mem::replace(&mut self.unused, block);
        Some((self.blocks[block as usize], len))
    }

    /// Takes all events of a bucket out.
    pub(super) fn drain(&mut self, mut bucket: Bucket) -> impl Iterator<Item = Key> {
        let parts = std::iter::from_fn(move || self.take_part(&mut bucket));
        parts.flat_map(|(keys, len)| keys.into_iter().take(len))
    }
}
