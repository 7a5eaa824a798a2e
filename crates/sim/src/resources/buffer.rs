//! Buffers: producers put tokens in, and consumers take them out.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::kernel::{Caller, Kernel, Stopped, Wait, Wanted};
use crate::resources::Status;
use crate::resources::counts::Counts;
use crate::resources::usage::{Statistics, Usage};

/// A buffer for a limited number of tokens: producers put tokens in, and consumers take them out.
///
/// Producers and consumers wait in separate queues. Each queue is first come, first served, so a
/// process that needs few tokens never overtakes one that needs many. For values instead of tokens,
/// use [`Mailbox`](crate::Mailbox).
///
/// ```
/// use prophet_sim::{Buffer, Study};
///
/// let belt = Buffer::new("belt", 2);
/// let run = Study::new().run(&belt, async |sim, belt| {
///     sim.spawn(async |maker| {
///         for _ in 0..4 {
///             belt.put(&maker, 1).await?;
///         }
///         assert_eq!(maker.now_s(), 2.0, "the belt is full twice");
///         Ok(())
///     });
///     for _ in 0..4 {
///         sim.hold(1.0).await?;
///         belt.get(&sim, 1).await?;
///     }
///     Ok(())
/// })?;
/// assert_eq!((run.end_s, belt.len()), (4.0, 0));
/// # Ok::<(), prophet_sim::Failure>(())
/// ```
#[derive(Debug)]
pub struct Buffer {
    name: String,
    capacity: u64,
    tokens: Cell<u64>,
    putting: RefCell<Counts>,
    getting: RefCell<Counts>,
    usage: Usage,
}

impl Buffer {
    /// Creates an empty buffer with this capacity.
    pub fn new(name: impl Into<String>, capacity: u64) -> Self {
        Self::with_tokens(name, capacity, 0)
    }

    /// Creates a buffer that initially contains `tokens` tokens, or as many as fit.
    pub fn with_tokens(name: impl Into<String>, capacity: u64, tokens: u64) -> Self {
        Self {
            name: name.into(),
            capacity,
            tokens: Cell::new(tokens.min(capacity)),
            putting: RefCell::default(),
            getting: RefCell::default(),
            usage: Usage::new(tokens.min(capacity)),
        }
    }

    /// Returns the number of tokens in the buffer.
    pub fn len(&self) -> u64 {
        self.tokens.get()
    }

    /// Returns `true` if the buffer contains no tokens.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of processes that are waiting to put or get tokens.
    pub fn queue_len(&self) -> u64 {
        self.putting.borrow().len() + self.getting.borrow().len()
    }

    /// Returns the buffer's statistics for the last run that used it, up to now or to the end of
    /// that run.
    ///
    /// The utilization is the mean fraction of the capacity that is filled. The completions are the
    /// number of gets. For the response time, the times that a get's tokens spent in the buffer are
    /// added up. It is the mean of these sums.
    #[expect(clippy::cast_precision_loss, reason = "a share of a capacity")]
    pub fn statistics(&self) -> Statistics {
        self.usage.statistics(self.capacity as f64).stored()
    }

    /// Restarts the statistics, for example after a warm-up.
    pub fn reset_statistics(&self, process: &impl Caller) {
        self.usage.reset(process.kernel());
    }

    /// Puts `tokens` into the buffer. Waits until there is room for them, and until all processes
    /// that asked earlier have put their tokens.
    ///
    /// If `tokens` exceeds the capacity, the process waits forever. If you drop the future while it
    /// waits, it leaves the queue. As soon as there is room, the tokens are in the buffer, even if
    /// you drop the future before it is polled again.
    pub fn put<'a, C: Caller>(&'a self, process: &'a C, tokens: u64) -> Transfer<'a, C> {
        self.transfer(process, tokens, true)
    }

    /// Takes `tokens` from the buffer. Waits until they are available, and until all processes that
    /// asked earlier have their tokens.
    ///
    /// If you drop the future while it waits, it leaves the queue; if it already has its tokens, it
    /// puts them back.
    pub fn get<'a, C: Caller>(&'a self, process: &'a C, tokens: u64) -> Transfer<'a, C> {
        self.transfer(process, tokens, false)
    }

    fn transfer<'a, C: Caller>(
        &'a self,
        process: &'a C,
        tokens: u64,
        puts: bool,
    ) -> Transfer<'a, C> {
        Transfer {
            buffer: self,
            wait: Wait::new(process),
            tokens,
            puts,
        }
    }

    fn queue(&self, puts: bool) -> &RefCell<Counts> {
        if puts { &self.putting } else { &self.getting }
    }

    /// Returns the number of tokens that could be put in or taken out now without waiting.
    fn possible(&self, puts: bool) -> u64 {
        let tokens = self.tokens.get();
        if puts {
            self.capacity.saturating_sub(tokens)
        } else {
            tokens
        }
    }

    fn move_tokens(&self, kernel: &Kernel<'_>, tokens: u64, puts: bool) {
        let held = self.tokens.get();
        if puts {
            self.tokens.set(held.saturating_add(tokens));
        } else {
            self.tokens.set(held.saturating_sub(tokens));
            self.usage.complete(kernel);
        }
    }

    /// Serves waiting processes as long as it can. Processes that take tokens out come first.
    fn serve(&self, kernel: &Kernel<'_>) {
        let serve = |puts: bool| {
            let served = self
                .queue(puts)
                .borrow_mut()
                .pop(kernel, self.possible(puts));
            served
                .map(|tokens| self.move_tokens(kernel, tokens, puts))
                .is_some()
        };
        while serve(false) || serve(true) {}
        let queue = self.queue_len();
        self.usage.set(kernel, self.tokens.get(), queue);
    }
}

impl Status for Buffer {
    fn status(&self) -> String {
        format!(
            "buffer `{}`: {} of {} tokens, {} waiting; {}",
            self.name.escape_debug(),
            self.len(),
            self.capacity,
            self.queue_len(),
            self.statistics()
        )
    }
}

/// The future of [`Buffer::put`] and [`Buffer::get`].
#[derive(Debug)]
#[must_use = "futures do nothing unless awaited"]
pub struct Transfer<'a, C: Caller> {
    buffer: &'a Buffer,
    wait: Wait<'a, C>,
    tokens: u64,
    puts: bool,
}

impl<C: Caller> Future for Transfer<'_, C> {
    type Output = Result<(), Stopped>;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        let this = &mut *self;
        let (buffer, tokens, puts) = (this.buffer, this.tokens, this.puts);
        let kernel = this.wait.kernel();
        if !this.wait.is_registered() {
            let mut queue = buffer.queue(puts).borrow_mut();
            if queue.is_empty() && tokens <= buffer.possible(puts) {
                drop(queue);
                buffer.move_tokens(kernel, tokens, puts);
                buffer.serve(kernel);
                return Poll::Ready(Ok(()));
            }
            queue.push(this.wait.register()?, tokens);
            drop(queue);
            buffer.serve(kernel);
            return Poll::Pending;
        }
        if this.wait.granted() {
            return Poll::Ready(Ok(()));
        }
        this.wait.explain(|| Wanted {
            text: if puts {
                let name = buffer.name.escape_debug();
                format!("room for {tokens} tokens in buffer `{name}`")
            } else {
                format!("{tokens} tokens in buffer `{}`", buffer.name.escape_debug())
            },
            process: None,
        });
        Poll::Pending
    }
}

impl<C: Caller> Drop for Transfer<'_, C> {
    fn drop(&mut self) {
        if !self.wait.is_registered() {
            return;
        }
        let buffer = self.buffer;
        let queued = buffer.queue(self.puts).borrow_mut().remove(&self.wait);
        if !queued && !self.puts {
            buffer.move_tokens(self.wait.kernel(), self.tokens, true);
            buffer.usage.take_back();
        }
        buffer.serve(self.wait.kernel());
    }
}
