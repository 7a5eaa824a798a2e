//! Determines the order in which a handler visits the parts of a program.

use crate::content_handler::ContentHandler;
use crate::navigator::{Command, Item, Navigator, ProgramNavigator};
use prophet_frontend::program::Program;

/// Walks a program. A traverser moves a navigator, takes its current item, and lets a handler visit
/// it. The traverser knows neither what an item means nor what is written for it.
pub trait Traverser {
    /// Returns `true` if the traverser should visit the items inside `item`.
    fn descends(&self, _item: Item<'_>) -> bool {
        true
    }

    /// Lets the handler visit each item, before and after the items inside it.
    fn traverse<'p>(
        &self,
        navigator: &mut dyn Navigator<'p>,
        handler: &mut dyn ContentHandler<'p>,
    ) {
        let mut depth = 0_usize;
        loop {
            let item = navigator.current();
            handler.begin(item);
            if self.descends(item) && navigator.navigate(Command::Enter) {
                depth += 1;
                continue;
            }
            handler.end(item);
            while !navigator.navigate(Command::Next) {
                if depth == 0 {
                    return;
                }
                navigator.navigate(Command::Leave);
                depth -= 1;
                let parent = navigator.current();
                handler.end(parent);
            }
        }
    }
}

/// Visits all items depth first, in the navigator's order.
#[derive(Debug, Default, Clone, Copy)]
pub struct DepthFirst;

impl Traverser for DepthFirst {}

/// Lets a handler visit the whole program in the usual order.
pub fn show<'p>(program: &'p Program, handler: &mut dyn ContentHandler<'p>) {
    DepthFirst.traverse(&mut ProgramNavigator::new(program), handler);
}
