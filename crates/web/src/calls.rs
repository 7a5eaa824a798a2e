//! Functions that the worker of the page calls.
//!
//! The worker asks for [`room`], writes a request there, and calls [`answer`]; the answer has that
//! length, and begins at [`place`]. Nothing here dereferences a pointer.

use std::cell::RefCell;

use crate::Studio;

thread_local! {
    /// State of this instance, of which a worker has one.
    static STUDIO: RefCell<(Studio, Vec<u8>)> = const { RefCell::new((Studio::new(), Vec::new())) };
}

/// Makes room for a request of that length, and tells where.
#[expect(unsafe_code, reason = "the name by which the worker finds it")]
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    STUDIO.with_borrow_mut(|(_, bytes)| {
        *bytes = vec![0; length];
        bytes.as_mut_ptr()
    })
}

/// Answers the request; returns the length of the answer.
#[expect(unsafe_code, reason = "the name by which the worker finds it")]
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    STUDIO.with_borrow_mut(|(studio, bytes)| {
        *bytes = studio.answer(bytes);
        bytes.len()
    })
}

/// The place of the answer.
#[expect(unsafe_code, reason = "the name by which the worker finds it")]
#[unsafe(no_mangle)]
extern "C" fn place() -> *const u8 {
    STUDIO.with_borrow(|(_, bytes)| bytes.as_ptr())
}
