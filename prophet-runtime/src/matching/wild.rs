//! Receives from whoever sends: among each source's oldest message of the tag, that which is there
//! first, then that of the lowest rank.
//!
//! Which one that is shows when it is there and not before, as others may be sent that come
//! sooner. Until then younger receives leave alone what the wild one may take.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::slab::{Queue, Slab};
use super::{Context, Envelope, Letter, Matching, Mode, Post, Rank};

/// What a rank keeps that receives from whoever sends, by tag.
#[derive(Debug, Default)]
pub(super) struct Wild {
    tags: BTreeMap<i64, OfTag>,
    /// Tags of receives that wait, or that have kept messages from others.
    concerned: BTreeSet<i64>,
}

#[derive(Debug, Default)]
struct OfTag {
    /// The oldest first.
    posts: VecDeque<Post>,
    /// The bits of [`Letter::time_s`] and the source of each source's oldest message.
    heads: BTreeSet<(u64, u32)>,
    /// Whether others may wait for messages that these receives kept from them.
    held_back: bool,
}

impl Wild {
    /// For a rank at which these messages wait.
    pub(super) fn of(queue: &Queue, letters: &Slab<Letter>) -> Self {
        let mut wild = Self::default();
        let sources: BTreeSet<Envelope> = queue.envelopes(letters).into_iter().collect();
        for envelope in sources {
            if let Some(letter) = queue.first(letters, &envelope) {
                wild.add_head(letter);
            }
        }
        wild
    }

    /// Whether a receive from whoever sends may want a message.
    pub(super) fn waits(&self) -> bool {
        !self.concerned.is_empty()
    }

    /// The tags of receives that wait, or that have kept messages from others.
    pub(super) fn concerned(&self) -> Vec<i64> {
        self.concerned.iter().copied().collect()
    }

    pub(super) fn post(&mut self, post: Post) {
        self.concerned.insert(post.envelope.tag);
        let of_tag = self.tags.entry(post.envelope.tag).or_default();
        of_tag.posts.push_back(post);
    }

    /// The number of the oldest receive that may take a message of this envelope.
    pub(super) fn first_post(&self, envelope: &Envelope) -> u64 {
        let of_tag = self.tags.get(&envelope.tag);
        of_tag
            .filter(|_| envelope.context == Context::Program)
            .and_then(|of_tag| of_tag.posts.front())
            .map_or(u64::MAX, |post| post.number)
    }

    pub(super) fn take_post(&mut self, tag: i64) -> Option<Post> {
        let of_tag = self.tags.get_mut(&tag)?;
        let post = of_tag.posts.pop_front()?;
        of_tag.held_back = true;
        Some(post)
    }

    pub(super) fn withdraw(&mut self, mine: impl Fn(&Post) -> bool) -> bool {
        for tag in &self.concerned {
            let Some(of_tag) = self.tags.get_mut(tag) else {
                continue;
            };
            let before = of_tag.posts.len();
            of_tag.posts.retain(|post| !mine(post));
            if of_tag.posts.len() < before {
                of_tag.held_back = true;
                return true;
            }
        }
        false
    }

    /// Notes a message that is its source's oldest.
    pub(super) fn add_head(&mut self, letter: &Letter) {
        let Envelope {
            source,
            context,
            tag,
        } = letter.envelope;
        if context == Context::Program {
            let of_tag = self.tags.entry(tag).or_default();
            of_tag.heads.insert((letter.time_s.to_bits(), source));
        }
    }

    fn remove_head(&mut self, letter: &Letter) {
        let Envelope { source, tag, .. } = letter.envelope;
        if let Some(of_tag) = self.tags.get_mut(&tag) {
            of_tag.heads.remove(&(letter.time_s.to_bits(), source));
        }
        self.tidy(tag);
    }

    /// Forgets what is over with a tag.
    fn tidy(&mut self, tag: i64) {
        let Some(of_tag) = self.tags.get(&tag) else {
            return;
        };
        if of_tag.posts.is_empty() && !of_tag.held_back {
            self.concerned.remove(&tag);
            if of_tag.heads.is_empty() {
                self.tags.remove(&tag);
            }
        }
    }
}

impl Rank {
    /// Takes the oldest message of an envelope, of a rank that receives from whoever sends.
    pub(super) fn take_head(
        &mut self,
        letters: &mut Slab<Letter>,
        envelope: &Envelope,
    ) -> Option<Letter> {
        let letter = self.letters.take(letters, envelope)?;
        if let Some(wild) = &mut self.wild {
            wild.remove_head(&letter);
            if let Some(next) = self.letters.first(letters, envelope) {
                wild.add_head(next);
            }
        }
        Some(letter)
    }
}

impl Matching {
    /// The source of the message that is there first for the oldest receive of a tag from whoever
    /// sends, and when it is.
    pub(super) fn first_there(
        &self,
        rank: u32,
        tag: i64,
        arrival_s: impl Fn(&Self, &Letter, &Post) -> f64,
    ) -> Option<(u32, f64)> {
        let rank = &self.ranks[rank as usize];
        let of_tag = rank.wild.as_ref()?.tags.get(&tag)?;
        let post = of_tag.posts.front()?;
        let mut best: Option<(f64, u32)> = None;
        for &(bits, source) in &of_tag.heads {
            // No message is there before the time by which they are sorted.
            if best.is_some_and(|(best_s, _)| best_s < f64::from_bits(bits)) {
                break;
            }
            let envelope = Envelope::of_program(source, tag);
            let letter = rank.letters.first(&self.letters, &envelope)?;
            let there_s = match letter.mode {
                Mode::Rendezvous => arrival_s(self, letter, post),
                Mode::Eager | Mode::Priced => letter.time_s,
            };
            if best.is_none_or(|best| (there_s, source) < best) {
                best = Some((there_s, source));
            }
        }
        best.map(|(there_s, source)| (source, there_s))
    }

    /// Gives receives that name their source what older ones from whoever sends kept from them.
    pub(super) fn release(&mut self, rank: u32, tag: i64, pairs: &mut Vec<(Post, Letter)>) {
        let here = &mut self.ranks[rank as usize];
        let Some(wild) = here.wild.as_mut() else {
            return;
        };
        let Some(of_tag) = wild.tags.get_mut(&tag) else {
            return;
        };
        if !std::mem::take(&mut of_tag.held_back) || here.posts.is_empty() {
            return wild.tidy(tag);
        }
        let before = of_tag.posts.front().map_or(u64::MAX, |post| post.number);
        let sources: Vec<u32> = of_tag.heads.iter().map(|(_, source)| *source).collect();
        for source in sources {
            let envelope = Envelope::of_program(source, tag);
            while here.letters.first(&self.letters, &envelope).is_some() {
                let older = |post: &Post| post.number < before;
                let Some(post) = here.posts.take_if(&mut self.posts, &envelope, older) else {
                    break;
                };
                let letter = here.take_head(&mut self.letters, &envelope);
                pairs.extend(letter.map(|letter| (post, letter)));
            }
        }
        if let Some(wild) = &mut here.wild {
            wild.tidy(tag);
        }
    }
}
