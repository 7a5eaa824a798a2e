//! Stores buckets of events in shared blocks, so that memory is reused when events move.

use super::key::Key;

/// Number of keys per block: 128 bytes, or two cache lines.
const KEYS: u32 = 8;
const BLOCK_LEN: usize = KEYS as usize;
/// Marks the last block of a chain.
const NONE: u32 = u32::MAX;

/// Events in any order, in a chain of blocks in a [`Pool`]. Only the first block can be partly
/// filled.
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

#[derive(Debug)]
pub(super) struct Pool {
    blocks: Vec<[Key; BLOCK_LEN]>,
    /// For each block, the next block in its chain: the chain of a bucket, or of the unused blocks.
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

    /// Returns an unused block and links it to `next`.
    #[inline(never)]
    fn take_block(&mut self, next: u32) -> u32 {
        let block = self.unused;
        if block != NONE {
            self.unused = std::mem::replace(&mut self.next[block as usize], next);
            return block;
        }
        self.blocks.push([Key::LAST; BLOCK_LEN]);
        self.next.push(next);
        // There are fewer than 2^29 events, and each bucket has at most one partly filled block.
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

    /// Removes the first block from a chain, and returns it with its number of events.
    #[inline]
    fn part(&self, rest: &mut Bucket) -> Option<(u32, usize)> {
        let last = rest.len.checked_sub(1)? % KEYS;
        let block = rest.head;
        rest.head = self.next[block as usize];
        rest.len -= last + 1;
        Some((block, last as usize + 1))
    }

    /// Removes the first block of a bucket, and returns its events; `None` if the bucket is empty.
    #[inline]
    pub(super) fn take_part(&mut self, bucket: &mut Bucket) -> Option<([Key; BLOCK_LEN], usize)> {
        let (block, len) = self.part(bucket)?;
        self.next[block as usize] = std::mem::replace(&mut self.unused, block);
        Some((self.blocks[block as usize], len))
    }

    pub(super) fn drain(&mut self, mut bucket: Bucket) -> impl Iterator<Item = Key> {
        let parts = std::iter::from_fn(move || self.take_part(&mut bucket));
        parts.flat_map(|(keys, len)| keys.into_iter().take(len))
    }
}
