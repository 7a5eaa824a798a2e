//! `activity+`: an element whose content is another diagram.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::{Element, element};
use crate::engine::Wrapped;
use crate::process::ProcessCtx;
use crate::stopped::Stopped;

element! {
    /// An element whose content is another diagram; its time is its content's.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, ActivityPlus, Model, Simulation, System};
    ///
    /// const SOLVE: ActivityPlus = ActivityPlus::new(0, "Solve", 1);
    /// const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
    /// let model = Model { name: "Nested", parameters: &[], elements: 2 };
    /// let outcome = Simulation::new(&model, System::default()).run(async |ctx| {
    ///     let solve = async {
    ///         WORK.execute(ctx, 1.0).await?;
    ///         WORK.execute(ctx, 2.0).await
    ///     };
    ///     SOLVE.execute(ctx, solve).await
    /// })?;
    /// assert_eq!(outcome.elements[0].total_s, 3.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    ActivityPlus, "activity+"
}

impl ActivityPlus {
    /// Executes the content and times it.
    ///
    /// # Errors
    ///
    /// The future fails as its content does.
    pub fn execute<'a, F>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        content: F,
    ) -> impl Future<Output = Result<(), Stopped>>
    where
        F: Future<Output = Result<(), Stopped>>,
    {
        Wrapped::new(
            Timer {
                ctx,
                element: &self.0,
                start_s: None,
            },
            content,
        )
    }
}

/// What an activity keeps besides its content.
#[derive(Debug)]
struct Timer<'a> {
    ctx: &'a ProcessCtx<'a>,
    element: &'a Element,
    /// None before the first poll.
    start_s: Option<f64>,
}

impl<F> Future for Wrapped<Timer<'_>, F>
where
    F: Future<Output = Result<(), Stopped>>,
{
    type Output = Result<(), Stopped>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (timer, content) = self.parts();
        let lane = timer.ctx.lane();
        let start_s = match (timer.start_s, lane) {
            (Some(start_s), _) => start_s,
            (None, None) => timer.ctx.begin(timer.element, ActivityPlus::KIND)?,
            (None, Some(lane)) => lane.begin(timer.element, ActivityPlus::KIND)?,
        };
        timer.start_s = Some(start_s);
        ready!(content.poll(cx))?;
        match lane {
            None => timer.ctx.finish_content(timer.element, start_s),
            Some(lane) => lane.finish_content(timer.element, ActivityPlus::KIND, start_s),
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_stored_once() {
        assert_eq!(size_of::<Wrapped<Timer<'_>, [u64; 9]>>(), 32 + 9 * 8);
    }
}
