//! Stores the futures of a run's processes in chunks that never move.
//!
//! This is the crate's only module with `unsafe` code. It needs `unsafe` for pinned slots and
//! pinned fields, to reuse the memory of boxes, and to prefetch. CONTRIBUTING.md explains how to
//! run its tests under Miri.
#![expect(
    unsafe_code,
    reason = "std has no safe way from a pinned whole to a part, nor to the memory of a box, nor \
              a safe prefetch"
)]

use std::alloc::{Layout, dealloc};
use std::cell::{Cell, UnsafeCell};
use std::fmt;
use std::pin::Pin;
use std::ptr::{NonNull, drop_in_place};
use std::task::{Context, Poll, Waker};

/// Number of futures per chunk: a power of two, so that finding a slot takes only a shift and a
/// mask.
const CHUNK_LEN: usize = 64;

/// The futures of all processes of one type. The slot number is the process number.
///
/// A chunk never moves, and is freed only together with the arena. A future is dropped in its slot,
/// and an empty slot is never polled. The slots are cells because a future can borrow from itself,
/// so a shared reference to a chunk must not count as a reference to the futures in it.
pub struct Arena<F> {
    chunks: Vec<Box<[UnsafeCell<Option<F>>]>>,
}

impl<F> fmt::Debug for Arena<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena").finish_non_exhaustive()
    }
}

impl<F: Future> Arena<F> {
    /// Creates an arena with `futures`, which start when they are first polled.
    pub fn new(mut futures: impl Iterator<Item = F>) -> Self {
        let mut chunks = Vec::new();
        loop {
            let slots = futures.by_ref().take(CHUNK_LEN);
            let chunk: Box<[_]> = slots.map(|future| UnsafeCell::new(Some(future))).collect();
            if chunk.is_empty() {
                return Self { chunks };
            }
            chunks.push(chunk);
        }
    }

    /// Polls the future in `slot`; returns `None` if the slot is empty.
    pub fn poll(&mut self, slot: usize) -> Option<Poll<F::Output>> {
        let future = self.slot(slot)?.as_pin_mut()?;
        Some(future.poll(&mut Context::from_waker(Waker::noop())))
    }

    /// Drops the future in `slot`, in place.
    pub fn clear(&mut self, slot: usize) {
        if let Some(mut slot) = self.slot(slot) {
            slot.set(None);
        }
    }

    /// Prefetches a future that will be polled soon.
    #[inline]
    pub fn prefetch(&self, slot: usize) {
        if let Some(slot) = self
            .chunks
            .get(slot / CHUNK_LEN)
            .and_then(|chunk| chunk.get(slot % CHUNK_LEN))
        {
            prefetch(slot);
        }
    }

    #[inline]
    fn slot(&mut self, slot: usize) -> Option<Pin<&mut Option<F>>> {
        let slot = self.chunks.get(slot / CHUNK_LEN)?.get(slot % CHUNK_LEN)?;
        // Safety: only this function creates references into the cells, and they live as long as
        // the mutable borrow of the arena, so there is no other reference. The cell stays in place
        // until the arena drops its content, and nothing moves the content out, so the content may
        // be pinned.
        Some(unsafe { Pin::new_unchecked(&mut *slot.get()) })
    }
}

/// The memory of a dropped box, kept for the next box of the same size.
#[derive(Default)]
pub struct Spare(Cell<Option<Block>>);

impl fmt::Debug for Spare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spare").finish_non_exhaustive()
    }
}

/// A block from the global allocator. Its layout has a nonzero size.
struct Block {
    start: NonNull<u8>,
    layout: Layout,
}

impl Spare {
    /// Boxes a value, in the spare block if the value has exactly the block's layout.
    #[inline]
    pub fn boxed<T>(&self, value: impl FnOnce() -> T) -> Pin<Box<T>> {
        let Some(block) = self.0.take() else {
            return Box::pin(value());
        };
        if block.layout != Layout::new::<T>() {
            self.0.set(Some(block));
            return Box::pin(value());
        }
        let place = block.start.cast::<T>();
        // Safety: the block is valid for writes of its layout, which equals the layout of `T`, and
        // has no other owner, because it was taken out of the cell. So a box may own the block: it
        // contains a value, and the box frees it with the same layout. If creating the value
        // panics, the memory leaks.
        unsafe {
            place.write(value());
            Box::into_pin(Box::from_raw(place.as_ptr()))
        }
    }

    /// Drops a boxed value in place and keeps its memory as the spare.
    #[inline]
    pub fn keep<T: ?Sized>(&self, value: Pin<Box<T>>) {
        // Safety: the value is dropped in place, without being moved.
        let value = Box::into_raw(unsafe { Pin::into_inner_unchecked(value) });
        // Safety: the pointer comes from a valid box. If dropping panics, the memory leaks.
        let layout = unsafe {
            let layout = Layout::for_value(&*value);
            drop_in_place(value);
            layout
        };
        if let Some(start) = NonNull::new(value.cast::<u8>())
            && layout.size() > 0
        {
            drop(Self(Cell::new(
                self.0.replace(Some(Block { start, layout })),
            )));
        }
    }
}

impl Drop for Spare {
    #[inline]
    fn drop(&mut self) {
        if let Some(Block { start, layout }) = self.0.take() {
            // Safety: the block was allocated with this layout, and has no other owner.
            unsafe { dealloc(start.as_ptr(), layout) };
        }
    }
}

/// Prefetches the first two cache lines of a value, without any effect on results.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

        const LINE: usize = 64;
        let start = std::ptr::from_ref(value).cast::<i8>();
        // Safety: a prefetch is a hint, allowed at any address, and every x86-64 has SSE.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start) };
        if size_of::<T>() > LINE {
            // Safety: as above; the address is also within the value.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(LINE)) };
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = value;
}

/// An inner future, together with the plain data of the future that wraps it.
///
/// When an `async fn` takes a future as an argument, it stores that future twice, so each level of
/// nesting doubles the size. A hand-written future around this struct avoids the copy.
#[derive(Debug)]
pub struct Wrapped<S, F> {
    state: S,
    future: F,
}

impl<S: Unpin, F> Wrapped<S, F> {
    /// Wraps a future.
    pub const fn new(state: S, future: F) -> Self {
        Self { state, future }
    }

    fn parts(self: Pin<&mut Self>) -> (&mut S, Pin<&mut F>) {
        // Safety: nothing is moved out of `this`. The future is only accessed through a pin, here
        // and everywhere else (the field is private, the type has no `Drop`, and it is `Unpin` only
        // if the future is); `state` is `Unpin` and may be borrowed directly.
        unsafe {
            let this = self.get_unchecked_mut();
            (&mut this.state, Pin::new_unchecked(&mut this.future))
        }
    }
}

/// Polls an inner future on behalf of the future that wraps it.
pub trait Wrapper<F>: Unpin {
    /// What the wrapping future returns.
    type Output;

    /// Polls the wrapping future. `future` is the inner one.
    fn poll(&mut self, future: Pin<&mut F>, cx: &mut Context<'_>) -> Poll<Self::Output>;
}

impl<S: Wrapper<F>, F> Future for Wrapped<S, F> {
    type Output = S::Output;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<S::Output> {
        let (state, future) = self.parts();
        state.poll(future, cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;

    use super::*;

    struct Dropped<'a>(&'a Cell<u32>);

    impl Drop for Dropped<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    /// A future that borrows from itself across a suspension, so moving it would change the result.
    async fn twice(value: u64, dropped: &Cell<u32>) -> u64 {
        let _guard = Dropped(dropped);
        let values = [value; 4];
        let third = &values[2];
        let mut polled = false;
        poll_fn(|_| {
            if std::mem::replace(&mut polled, true) {
                Poll::Ready(())
            } else {
                Poll::Pending
            }
        })
        .await;
        *third * 2
    }

    #[test]
    fn futures_keep_their_place_over_many_chunks() {
        let dropped = Cell::new(0);
        let mut arena = Arena::new((0..1000).map(|value| twice(value, &dropped)));
        for slot in 0..1000 {
            assert_eq!(arena.poll(slot), Some(Poll::Pending));
        }
        for slot in (0..1000).rev() {
            assert_eq!(arena.poll(slot), Some(Poll::Ready(slot as u64 * 2)));
            arena.clear(slot);
        }
        assert_eq!(dropped.get(), 1000);
    }

    #[test]
    fn an_empty_slot_is_not_polled() {
        let dropped = Cell::new(0);
        let mut arena = Arena::new((0..3).map(|value| twice(value, &dropped)));
        assert_eq!(arena.poll(1), Some(Poll::Pending));
        arena.clear(1);
        assert_eq!(dropped.get(), 1);
        assert_eq!(arena.poll(1), None);
        assert_eq!(arena.poll(3), None);
        assert_eq!(arena.poll(64), None);
    }

    #[test]
    fn what_is_left_is_dropped_with_the_arena() {
        let dropped = Cell::new(0);
        let mut arena = Arena::new((0..70).map(|value| twice(value, &dropped)));
        assert_eq!(arena.poll(69), Some(Poll::Pending));
        drop(arena);
        assert_eq!(dropped.get(), 1, "a future that never ran has no guard");
    }

    #[test]
    fn memory_is_used_again_where_it_fits() {
        let dropped = Cell::new(0);
        let spare = Spare::default();
        let mut cx = Context::from_waker(Waker::noop());
        let mut places = Vec::new();
        for value in 0..3 {
            let mut future = spare.boxed(|| twice(value, &dropped));
            places.push(std::ptr::from_ref(&*future).addr());
            assert_eq!(future.as_mut().poll(&mut cx), Poll::Pending);
            if value == 1 {
                assert_eq!(future.as_mut().poll(&mut cx), Poll::Ready(2));
            }
            spare.keep(future as Pin<Box<dyn Future<Output = u64> + '_>>);
            assert_eq!(u64::from(dropped.get()), value + 1);
        }
        assert_eq!(places[0], places[1]);
        assert_eq!(places[1], places[2]);
        // A value of another size doesn't use the block. In the end, its own memory replaces the
        // block.
        let other = spare.boxed(|| [7_u8; 3]);
        let again = spare.boxed(|| twice(4, &dropped));
        assert_eq!(std::ptr::from_ref(&*again).addr(), places[0]);
        spare.keep(again);
        spare.keep(other);
        assert_eq!(*spare.boxed(|| [9_u8; 3]), [9; 3]);
        spare.keep(spare.boxed(|| ()));
        assert_eq!(*spare.boxed(|| ()), ());
    }

    #[test]
    fn a_box_outlives_the_spare_memory_that_it_was_made_of() {
        let spare = Spare::default();
        spare.keep(spare.boxed(|| "first".to_owned()));
        let second = spare.boxed(|| "second".to_owned());
        drop(spare);
        assert_eq!(*second, "second");
    }

    #[test]
    fn a_wrapped_future_runs_in_place() {
        let dropped = Cell::new(0);
        let mut wrapped = pin!(Wrapped::new(7, twice(5, &dropped)));
        let mut cx = Context::from_waker(Waker::noop());
        let (state, future) = wrapped.as_mut().parts();
        *state += 1;
        assert_eq!(future.poll(&mut cx), Poll::Pending);
        let (state, future) = wrapped.as_mut().parts();
        assert_eq!(*state, 8);
        assert_eq!(future.poll(&mut cx), Poll::Ready(10));
    }
}
