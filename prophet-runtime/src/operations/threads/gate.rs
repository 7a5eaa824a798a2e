//! Implements gates. They let only some threads, or only one thread at a time, into the content of
//! an element.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crate::engine::process::ProcessCtx;
use crate::kernel::{Wrapped, Wrapper};
use crate::language::Stopped;
use crate::language::element::Element;

/// Decides whether a thread enters an element's content, and acts afterwards.
pub(crate) trait Gate: Unpin {
    /// Waits until it is known whether this thread runs the content. Returns `true` if it does.
    fn enter(&mut self) -> Poll<Result<bool, Stopped>>;

    /// Acts when the content is over, or when this thread doesn't run it.
    fn leave(&mut self) -> Poll<Result<(), Stopped>>;
}

#[derive(Debug)]
pub(crate) struct Gated<'a, G> {
    ctx: &'a ProcessCtx<'a>,
    element: &'a Element,
    kind: &'static str,
    gate: G,
    start_s: f64,
    stage: Stage,
}

#[derive(Debug, Clone, Copy)]
enum Stage {
    New,
    Entering,
    Inside,
    Leaving,
}

/// Runs `content` as part of an execution of an element, if `gate` lets this thread in.
pub(crate) fn gated<'a, G: Gate, F>(
    ctx: &'a ProcessCtx<'_>,
    (element, kind): (&'a Element, &'static str),
    gate: G,
    content: F,
) -> Wrapped<Gated<'a, G>, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    let state = Gated {
        ctx,
        element,
        kind,
        gate,
        start_s: 0.0,
        stage: Stage::New,
    };
    Wrapped::new(state, content)
}

impl<G, F> Wrapper<F> for Gated<'_, G>
where
    G: Gate,
    F: Future<Output = Result<(), Stopped>>,
{
    type Output = Result<(), Stopped>;

    fn poll(&mut self, content: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Stage::New = self.stage {
            self.start_s = self.ctx.begin_threads(self.element, self.kind)?;
            self.stage = Stage::Entering;
        }
        if let Stage::Entering = self.stage {
            self.stage = if ready!(self.gate.enter())? {
                Stage::Inside
            } else {
                Stage::Leaving
            };
        }
        if let Stage::Inside = self.stage {
            ready!(content.poll(cx))?;
            // The thread was last at elements of the content.
            self.ctx.return_to(self.element);
            self.stage = Stage::Leaving;
        }
        ready!(self.gate.leave())?;
        self.ctx.finish_content(self.element, self.start_s);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations::threads::{FirstToCome, Holding};

    #[test]
    fn what_an_element_keeps_is_small() {
        assert_eq!(size_of::<Gated<'_, Holding<'_>>>(), 120);
        assert_eq!(size_of::<Gated<'_, FirstToCome<'_>>>(), 104);
    }
}
