//! Exports the functions that the page's worker calls.
//!
//! The worker calls [`room`] to get space for a request, writes the request there, and calls
//! [`answer`]. The answer starts at [`place`] and has the length that [`answer`] returns. Nothing
//! here dereferences a pointer.

use std::cell::RefCell;

use crate::Studio;

thread_local! {
    /// The state of this instance. Each worker has its own.
    static STUDIO: RefCell<(Studio, Vec<u8>)> = const { RefCell::new((Studio::new(), Vec::new())) };
}

/// Makes room for a request of this length, and returns its address.
#[expect(unsafe_code, reason = "the name by which the worker finds it")]
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    STUDIO.with_borrow_mut(|(_, bytes)| {
        *bytes = vec![0; length];
        bytes.as_mut_ptr()
    })
}

/// Answers the request, and returns the length of the answer.
#[expect(unsafe_code, reason = "the name by which the worker finds it")]
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    STUDIO.with_borrow_mut(|(studio, bytes)| {
        *bytes = studio.answer(bytes);
        bytes.len()
    })
}

#[expect(unsafe_code, reason = "the name by which the worker finds it")]
#[unsafe(no_mangle)]
extern "C" fn place() -> *const u8 {
    STUDIO.with_borrow(|(_, bytes)| bytes.as_ptr())
}
