//! Decides which message each receive from any source or with any tag gets, once no other message
//! can come before it. Messages that these receives don't take then go to other receives.

use super::slab::Slab;
use super::{Matching, Rank};
use crate::messages::letter::{Envelope, Letter, Post};

impl Rank {
    /// Takes the oldest message with an envelope, at a rank with receives from any source.
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
            if let Some(next) = self.letters.oldest(letters, envelope) {
                wild.add_head(next);
            }
        }
        Some(letter)
    }
}

impl Matching {
    /// For each tag, gives the oldest receive from any source its message, if the message has
    /// arrived by `now_s`. Messages that such receives no longer want go to other receives.
    ///
    /// Returns the pairs that match. Another call may find more. If there are none, returns when to
    /// call this again.
    pub(crate) fn settle(&mut self, rank: u32, now_s: f64) -> (Vec<(Post, Letter)>, f64) {
        let wild = &self.ranks[rank as usize].wild;
        if wild.as_ref().is_some_and(|wild| wild.takes_any_tag()) {
            return self.settle_any_tag(rank, now_s);
        }
        let mut pairs = Vec::new();
        let mut again_s = f64::INFINITY;
        let tags = wild.as_ref().map_or_else(Vec::new, |wild| wild.concerned());
        for tag in tags {
            self.release(rank, tag, &mut pairs);
            let wild = self.ranks[rank as usize].wild.as_ref();
            let first = wild.and_then(|wild| wild.first_there(tag));
            let Some((envelope, there_s)) = first else {
                continue;
            };
            if there_s > now_s && there_s.is_finite() {
                again_s = again_s.min(there_s);
                continue;
            }
            let here = &mut self.ranks[rank as usize];
            let post = here.wild.as_mut().and_then(|wild| wild.take_post(tag));
            let letter = here.take_head(&mut self.letters, &envelope);
            pairs.extend(post.zip(letter));
        }
        (pairs, again_s)
    }

    /// Gives receives that name their source the messages that older receives from any source have
    /// held back.
    fn release(&mut self, rank: u32, tag: i64, pairs: &mut Vec<(Post, Letter)>) {
        let here = &mut self.ranks[rank as usize];
        let Some(wild) = here.wild.as_mut() else {
            return;
        };
        let (sources, before) = wild.release(tag, !here.posts.is_empty());
        for source in sources {
            let envelope = Envelope::of_program(source, tag);
            while here.letters.oldest(&self.letters, &envelope).is_some() {
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

    /// Like [`Self::settle`], for a rank with receives of any tag. Matches at most one receive from
    /// any source, because each match changes which messages the others can take.
    fn settle_any_tag(&mut self, rank: u32, now_s: f64) -> (Vec<(Post, Letter)>, f64) {
        let mut again_s = f64::INFINITY;
        let pairs = self.release_named(rank);
        if !pairs.is_empty() {
            return (pairs, again_s);
        }
        for tag in self.fronts(rank) {
            let wild = self.ranks[rank as usize].wild.as_ref();
            let first = wild.and_then(|wild| match tag {
                Some(tag) => wild.first_there(tag),
                None => wild.any_tag.as_ref()?.first_there(),
            });
            let Some((envelope, there_s)) = first else {
                continue;
            };
            if there_s > now_s && there_s.is_finite() {
                again_s = again_s.min(there_s);
                continue;
            }
            let here = &mut self.ranks[rank as usize];
            let post = here.wild.as_mut().and_then(|wild| wild.take_front(tag));
            let letter = here.take_head(&mut self.letters, &envelope);
            return (post.zip(letter).into_iter().collect(), again_s);
        }
        (Vec::new(), again_s)
    }

    /// Returns the tags of the oldest receives from any source, oldest first, with `None` for any
    /// tag. Newer receives with the same tag must wait for these.
    fn fronts(&self, rank: u32) -> Vec<Option<i64>> {
        let Some(wild) = &self.ranks[rank as usize].wild else {
            return Vec::new();
        };
        let of_any = wild
            .any_tag
            .as_ref()
            .map_or(u64::MAX, |any| any.first_of_any());
        let mut fronts: Vec<(u64, Option<i64>)> = wild
            .fronts()
            .filter(|(number, _)| *number < of_any)
            .map(|(number, tag)| (number, Some(tag)))
            .collect();
        fronts.sort_unstable();
        let last = (of_any < u64::MAX).then_some(None);
        fronts.into_iter().map(|(_, tag)| tag).chain(last).collect()
    }

    /// Gives receives that name their source the messages that no older receive from any source can
    /// take.
    fn release_named(&mut self, rank: u32) -> Vec<(Post, Letter)> {
        let mut pairs = Vec::new();
        let here = &mut self.ranks[rank as usize];
        let Some(any) = here.wild.as_mut().and_then(|wild| wild.any_tag.as_mut()) else {
            return pairs;
        };
        let (sources, all) = any.release();
        for source in sources {
            self.release_of(rank, source, all, &mut pairs);
        }
        pairs
    }

    /// Releases the oldest message from a source, or all of its messages.
    fn release_of(&mut self, rank: u32, source: u32, all: bool, pairs: &mut Vec<(Post, Letter)>) {
        let here = &mut self.ranks[rank as usize];
        let Some(any) = here.wild.as_ref().and_then(|wild| wild.any_tag.as_ref()) else {
            return;
        };
        let most = if all { usize::MAX } else { 1 };
        let messages: Vec<(u64, (i64, u64))> = any.messages(source).take(most).collect();
        for (number, (tag, _)) in messages {
            let envelope = Envelope::of_program(source, tag);
            let Some(wild) = here.wild.as_mut() else {
                return;
            };
            let from_any = wild.first_from_any(tag);
            let Some(any) = wild.any_tag.as_mut() else {
                return;
            };
            let of_source = any.first_of_source(source);
            let is_first = any.first_of(source).is_some_and(|(it, _)| it == number);
            let older = |post: &Post| post.number < from_any.min(of_source);
            let mut post = here.posts.take_if(&mut self.posts, &envelope, older);
            if post.is_none() && is_first && of_source < from_any {
                post = any.take_of_source(source);
                any.held_back = true;
            }
            if let Some(post) = post {
                let letter = here.take_head(&mut self.letters, &envelope);
                pairs.extend(letter.map(|letter| (post, letter)));
            }
        }
    }
}
