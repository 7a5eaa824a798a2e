//! Finds out which elements can send and receive the same message, based on their tags, partners
//! and sizes.

use std::collections::{BTreeMap, BTreeSet};

use super::language::Absent;
use prophet_model::model::Element;

/// The values that several elements have for a tag such as `dest`, `source` or `size`.
#[derive(Debug, Default)]
struct Ends {
    /// Distances: the constants that tags add to `pid`.
    offsets: BTreeSet<i64>,
    /// Whether any value isn't `pid` plus or minus a constant, so that it may be any process.
    has_any: bool,
    /// The smallest value. If any value is unknown before a run, it is 0.
    least: Option<f64>,
}

impl Ends {
    fn add(&mut self, offset: Option<i64>, value: Option<f64>) {
        self.offsets.extend(offset);
        self.has_any |= offset.is_none();
        let value = value.unwrap_or(0.0);
        self.least = Some(self.least.map_or(value, |least| least.min(value)));
    }
}

#[derive(Debug, Default)]
pub(super) struct Messages {
    by_tag: BTreeMap<String, Ends>,
    /// Ends with a message tag that is unknown before a run.
    of_any_tag: Ends,
    all: Ends,
}

impl Messages {
    /// Adds the value of an element's tag. `offset` is its distance from `pid` if it is known.
    pub(super) fn add(&mut self, element: &Element, offset: Option<i64>, value: Option<f64>) {
        self.all.add(offset, value);
        let same = match message_tag(element) {
            Some(tag) => self.by_tag.entry(tag).or_default(),
            None => &mut self.of_any_tag,
        };
        same.add(offset, value);
    }

    /// Returns `true` if some element can be at the other end of `element`'s message. `offset` is
    /// the distance from `pid` to the partner.
    pub(super) fn fit(&self, element: &Element, offset: i64) -> bool {
        let back = offset.checked_neg();
        let fits = |it: &Ends| it.has_any || back.is_some_and(|back| it.offsets.contains(&back));
        self.other_ends(element).any(fits)
    }

    /// Returns the smallest value among the possible other ends of `element`'s message.
    pub(super) fn least(&self, element: &Element) -> Option<f64> {
        let values = self.other_ends(element).filter_map(|it| it.least);
        values.reduce(f64::min)
    }

    /// Iterates over the ends that may have the same message tag as the element.
    fn other_ends(&self, element: &Element) -> impl Iterator<Item = &Ends> {
        let same = match message_tag(element) {
            Some(tag) => self.by_tag.get(&tag),
            None => Some(&self.all),
        };
        same.into_iter().chain([&self.of_any_tag])
    }
}

/// Returns the tag of an element's messages; `None` if it is unknown before a run.
fn message_tag(element: &Element) -> Option<String> {
    let stereotype = element.stereotype.as_ref();
    let text = stereotype.and_then(|it| it.tags.get("tag"));
    let absent = Absent::Default("0".to_owned());
    absent.or(text.map(|it| it.value.as_str()), false)
}
