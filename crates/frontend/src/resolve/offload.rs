//! Reads tags of accelerator elements that don't contain expressions.

use super::Resolver;
use prophet_model::diagnostic::Advice;
use prophet_model::diagnostic::Remedy;
use prophet_model::diagnostic::catalogue::element as rules;
use prophet_model::model::{Element, Stereotype, StereotypeKind};
use prophet_text::similar;

/// The directions of copies, as CUDA names them.
const DIRECTIONS: [&str; 2] = ["HostToDevice", "DeviceToHost"];

/// Tags that determine how long a kernel takes.
const WORK: [&str; 7] = ["cost", "time", "fp64", "fp32", "fp16", "int8", "bytes"];

impl Resolver<'_> {
    pub(super) fn copies_to_host(&mut self, element: &Element, of: &Stereotype) -> bool {
        let text = of.tags.get("direction");
        let Some(text) = text.filter(|_| of.kind == StereotypeKind::Copy) else {
            return false;
        };
        let word = text.value.trim();
        let found = DIRECTIONS
            .iter()
            .position(|it| it.eq_ignore_ascii_case(word));
        let Some(found) = found else {
            let message = format!("unknown direction {word:?}");
            let help = "write HostToDevice (the default) or DeviceToHost";
            let help = match similar(word, DIRECTIONS) {
                Some(guess) => {
                    Advice::from(format!("did you mean `{guess}`? {help}")).mended_by(Remedy::Text)
                }
                None => help.into(),
            };
            self.report(&rules::WRONG_VALUE, text.span, &element.path, message, help);
            return false;
        };
        if found == 1
            && let Some(peer) = of.tags.get("peer")
        {
            let message = "a copy has both the direction DeviceToHost and a peer".to_owned();
            let help = "keep one: with a `peer`, the copy goes from the device to that peer";
            self.report(&rules::WRONG_VALUE, peer.span, &element.path, message, help);
        }
        found == 1
    }

    /// Reports a kernel without a tag that determines how long it takes.
    pub(super) fn check_kernel(&mut self, element: &Element, of: &Stereotype) {
        let is_told = WORK.iter().any(|tag| of.tags.contains_key(*tag));
        if of.kind == StereotypeKind::Kernel && !is_told {
            let message = format!("the `kernel` {:?} needs a cost or work", element.name);
            let help = "give it a cost, or its operations (fp64, fp32, fp16, int8) and bytes, \
                        so that the machine can compute the cost";
            self.report(&rules::MISSING_TAG, of.span, &element.path, message, help);
        }
    }
}
