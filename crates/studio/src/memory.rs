//! Releases memory that the allocator has kept after a run.

/// Returns free memory to the system. Runs of a million processes leave 900 MB that glibc would
/// keep for later; other allocators return it on their own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back() {
    #[expect(
        unsafe_code,
        reason = "the declaration of malloc_trim(3), which is safe to call"
    )]
    unsafe extern "C" {
        safe fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // It doesn't matter whether there was any.
    let _ = malloc_trim(0);
}

/// Does nothing, because this allocator keeps no memory.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) const fn give_back() {}
