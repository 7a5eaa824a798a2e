//! Receives from any source: among each source's oldest message of the tag, they get the message
//! whose envelope has arrived first, then the message of the lowest rank.
//!
//! That message is only known when its envelope has arrived, since others may be sent that arrive
//! sooner. Until then, younger receives do not take messages that the wild one may take.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::any_tag::AnyTag;
use super::slab::{Queue, Slab};
use super::{ANY_TAG, Context, Envelope, Letter, Matching, Post, Rank};

/// State of a rank that receives from any source, by tag.
#[derive(Debug, Default)]
pub(super) struct Wild {
    tags: BTreeMap<i64, OfTag>,
    /// Tags of receives that wait, or that have kept messages from others.
    concerned: BTreeSet<i64>,
    /// State for receives of any tag, once there has been one.
    pub(super) any_tag: Option<Box<AnyTag>>,
}

/// Sort key of the messages for receives from any source: the bits of [`Letter::envelope_s`].
pub(super) fn head(letter: &Letter) -> u64 {
    letter.envelope_s.to_bits()
}

#[derive(Debug, Default)]
struct OfTag {
    /// Receives, the oldest first.
    posts: VecDeque<Post>,
    /// [`head`] and source of each source's oldest message.
    heads: BTreeSet<(u64, u32)>,
    /// True if other receives may wait for messages that these kept from them.
    held_back: bool,
}

impl Wild {
    /// Creates the state of a rank at which these messages wait.
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

    /// True if a receive from any source may want a message.
    pub(super) fn waits(&self) -> bool {
        !self.concerned.is_empty() || self.any_tag.as_ref().is_some_and(|any| any.waits())
    }

    /// True if there has been a receive of any tag.
    pub(super) fn takes_any_tag(&self) -> bool {
        self.any_tag.is_some()
    }

    /// Lists the tags of receives that wait, or that have kept messages from others.
    pub(super) fn concerned(&self) -> Vec<i64> {
        self.concerned.iter().copied().collect()
    }

    /// Adds a receive; `waiting` returns the waiting messages, in the order of sending.
    pub(super) fn post(&mut self, post: Post, waiting: impl FnOnce() -> Vec<Letter>) {
        if post.envelope.tag == ANY_TAG {
            let any = || Box::new(AnyTag::of(&waiting()));
            return self.any_tag.get_or_insert_with(any).post(post);
        }
        self.concerned.insert(post.envelope.tag);
        let of_tag = self.tags.entry(post.envelope.tag).or_default();
        of_tag.posts.push_back(post);
    }

    /// Waiting receives.
    pub(super) fn posts(&self) -> impl Iterator<Item = &Post> {
        let of_tags = self.tags.values().flat_map(|of_tag| &of_tag.posts);
        of_tags.chain(self.any_tag.iter().flat_map(|any| any.posts()))
    }

    /// Number of the oldest receive that may take a message of this envelope.
    pub(super) fn first_post(&self, envelope: &Envelope) -> u64 {
        if envelope.context != Context::Program {
            return u64::MAX;
        }
        let of_tag = self.first_of_tag(envelope.tag);
        match &self.any_tag {
            None => of_tag,
            Some(any) => of_tag.min(any.first_post(envelope.source)),
        }
    }

    /// Number of the oldest receive from any source that may take a message of that tag.
    pub(super) fn first_from_any(&self, tag: i64) -> u64 {
        let of_any = self.any_tag.as_ref().map(|any| any.first_of_any());
        self.first_of_tag(tag).min(of_any.unwrap_or(u64::MAX))
    }

    fn first_of_tag(&self, tag: i64) -> u64 {
        let post = self.tags.get(&tag).and_then(|of_tag| of_tag.posts.front());
        post.map_or(u64::MAX, |post| post.number)
    }

    /// Number and tag of the oldest receive of each tag.
    pub(super) fn fronts(&self) -> impl Iterator<Item = (u64, i64)> {
        let fronts = self
            .concerned
            .iter()
            .map(|tag| (self.first_of_tag(*tag), *tag));
        fronts.filter(|(number, _)| *number < u64::MAX)
    }

    pub(super) fn take_post(&mut self, tag: i64) -> Option<Post> {
        let of_tag = self.tags.get_mut(&tag)?;
        let post = of_tag.posts.pop_front()?;
        of_tag.held_back = true;
        Some(post)
    }

    /// Takes the oldest receive from any source of a tag, or of any tag, if there has been one of
    /// any.
    pub(super) fn take_front(&mut self, tag: Option<i64>) -> Option<Post> {
        let any = self.any_tag.as_mut()?;
        any.held_back = true;
        match tag {
            None => any.take_of_any(),
            Some(tag) => {
                let post = self.take_post(tag);
                if let Some(of_tag) = self.tags.get_mut(&tag) {
                    of_tag.held_back = false;
                }
                self.tidy(tag);
                post
            }
        }
    }

    pub(super) fn withdraw(&mut self, mine: impl Fn(&Post) -> bool) -> bool {
        if let Some(any) = &mut self.any_tag {
            any.held_back = true;
            if any.withdraw(&mine) {
                return true;
            }
        }
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

    /// Records a message that is its source's oldest.
    pub(super) fn add_head(&mut self, letter: &Letter) {
        let Envelope {
            source,
            context,
            tag,
        } = letter.envelope;
        if context == Context::Program {
            let of_tag = self.tags.entry(tag).or_default();
            of_tag.heads.insert((head(letter), source));
        }
    }

    fn remove_head(&mut self, letter: &Letter) {
        let Envelope { source, tag, .. } = letter.envelope;
        if let Some(of_tag) = self.tags.get_mut(&tag) {
            of_tag.heads.remove(&(head(letter), source));
        }
        self.tidy(tag);
    }

    /// Forgets a tag whose receives are all over.
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
    /// Takes the oldest message of an envelope at a rank that receives from any source.
    pub(super) fn take_head(
        &mut self,
        letters: &mut Slab<Letter>,
        envelope: &Envelope,
    ) -> Option<Letter> {
        let letter = self.letters.take(letters, envelope)?;
        if let Some(wild) = &mut self.wild {
            wild.remove_head(&letter);
            if let Some(any) = &mut wild.any_tag {
                any.remove(envelope);
            }
            if let Some(next) = self.letters.first(letters, envelope) {
                wild.add_head(next);
            }
        }
        Some(letter)
    }
}

impl Matching {
    /// Finds the message whose envelope has arrived first for receives of a tag from any source,
    /// and the time; `None` if no such receive waits.
    pub(super) fn first_there(&self, rank: u32, tag: i64) -> Option<(Envelope, f64)> {
        let wild = self.ranks[rank as usize].wild.as_ref()?;
        let of_tag = wild.tags.get(&tag)?;
        of_tag.posts.front()?;
        let (bits, source) = of_tag.heads.first()?;
        let envelope = Envelope::of_program(*source, tag);
        Some((envelope, f64::from_bits(*bits)))
    }

    /// Gives receives that name their source the messages that older ones from any source kept from
    /// them.
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
