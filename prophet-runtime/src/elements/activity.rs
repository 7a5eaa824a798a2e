//! Implements `activity+`, whose content is another diagram.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::{ModelElement, element};
use crate::engine::process::ProcessCtx;
use crate::kernel::{Wrapped, Wrapper};
use crate::language::Stopped;

element! {
    /// An element whose content is another diagram. It takes as long as its content.
    ///
    /// ```
    /// use prophet_runtime::{ActionPlus, ActivityPlus, Model, Simulation, System};
    ///
    /// const SOLVE: ActivityPlus = ActivityPlus::new(0, "Solve", 1);
    /// const WORK: ActionPlus = ActionPlus::new(1, "Work", 2);
    /// let model = Model::new("Nested", &[], 2);
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
    /// Executes the content, and measures how much simulated time it takes.
    ///
    /// # Errors
    ///
    /// The future returns any error of the content.
    pub fn execute<'a, F>(
        &'a self,
        ctx: &'a ProcessCtx<'_>,
        content: F,
    ) -> impl Future<Output = Result<(), Stopped>>
    where
        F: Future<Output = Result<(), Stopped>>,
    {
        ctx.execute(self, content)
    }
}

impl ProcessCtx<'_> {
    /// Runs `content` as one execution of `element`: counts it, and measures how much simulated
    /// time it takes.
    ///
    /// Use this to implement a custom element. The content can wait for anything.
    ///
    /// # Errors
    ///
    /// The future returns any error of the content.
    ///
    /// ```
    /// use prophet_runtime::{Element, Model, ModelElement, ProcessCtx};
    /// use prophet_runtime::{Simulation, Stopped, System};
    ///
    /// /// Writes bytes to a disk of 1 GB/s.
    /// struct Write(Element);
    ///
    /// impl ModelElement for Write {
    ///     fn element(&self) -> &Element {
    ///         &self.0
    ///     }
    ///     fn kind(&self) -> &'static str {
    ///         "write"
    ///     }
    /// }
    ///
    /// impl Write {
    ///     async fn execute(&self, ctx: &ProcessCtx<'_>, bytes: f64) -> Result<(), Stopped> {
    ///         ctx.execute(self, ctx.hold(bytes / 1e9)).await
    ///     }
    /// }
    ///
    /// const WRITE: Write = Write(Element { index: 0, name: "Write", id: 1 });
    /// let model = Model::new("Own", &[], 1);
    /// let simulation = Simulation::new(&model, System::default());
    /// let outcome = simulation.run(async |ctx| WRITE.execute(ctx, 2e9).await)?;
    /// assert_eq!(outcome.elements[0].total_s, 2.0);
    /// # Ok::<(), prophet_runtime::Failure>(())
    /// ```
    pub fn execute<'a, E, F>(
        &'a self,
        element: &'a E,
        content: F,
    ) -> impl Future<Output = Result<(), Stopped>>
    where
        E: ModelElement,
        F: Future<Output = Result<(), Stopped>>,
    {
        let timer = Timer {
            ctx: self,
            element,
            start_s: None,
        };
        Wrapped::new(timer, content)
    }

    /// Begins an execution of `element`, and returns the simulated time in seconds. The caller then
    /// runs the content.
    ///
    /// To end the execution, call [`Self::end_content`]. [`Self::execute`] does both for content
    /// that is a future.
    ///
    /// # Errors
    ///
    /// Stops the run if the process runs forever without time advancing.
    pub fn begin_content(&self, element: &impl ModelElement) -> Result<f64, Stopped> {
        match self.lane() {
            None => self.begin(element.element(), element.kind()),
            Some(lane) => lane.begin(element.element(), element.kind()),
        }
    }

    /// Ends an execution that began at `start_s`, with [`Self::begin_content`].
    pub fn end_content(&self, element: &impl ModelElement, start_s: f64) {
        match self.lane() {
            None => self.finish_content(element.element(), start_s),
            Some(lane) => lane.finish_content(element.element(), element.kind(), start_s),
        }
    }
}

/// The state of an execution, apart from its content.
#[derive(Debug)]
struct Timer<'a, E> {
    ctx: &'a ProcessCtx<'a>,
    element: &'a E,
    /// Start of the execution in seconds; `None` before the first poll.
    start_s: Option<f64>,
}

impl<E, F> Wrapper<F> for Timer<'_, E>
where
    E: ModelElement,
    F: Future<Output = Result<(), Stopped>>,
{
    type Output = Result<(), Stopped>;

    fn poll(&mut self, content: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let start_s = match self.start_s {
            Some(start_s) => start_s,
            None => self.ctx.begin_content(self.element)?,
        };
        self.start_s = Some(start_s);
        ready!(content.poll(cx))?;
        self.ctx.end_content(self.element, start_s);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_stored_once() {
        assert_eq!(
            size_of::<Wrapped<Timer<'_, ActivityPlus>, [u64; 9]>>(),
            32 + 9 * 8
        );
    }
}
