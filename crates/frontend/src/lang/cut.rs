//! Splits code into tokens for the parsers.

use super::check::Checker;
use super::clc;
use super::screen::{length, screen};
use super::token::{Tokens, tokens};
use prophet_model::model::Language;

impl<'a> Checker<'a> {
    /// Splits the code into tokens, and rejects tokens that the parser must not see.
    pub(super) fn tokens(&mut self, language: Language) -> Option<Tokens<'a>> {
        let cut = length(self.text()).and_then(|()| {
            let mut tokens = tokens(self.text(), language);
            clc::open(&mut tokens, language)?;
            screen(&tokens, language)?;
            Ok(tokens)
        });
        cut.map_or_else(|refusal| self.refuse(refusal), Some)
    }
}
