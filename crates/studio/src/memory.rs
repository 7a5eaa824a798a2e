//! Memory that the allocator keeps when a run has ended.

/// Gives the memory that is free to the system: runs of a million processes leave 900 MB, which
/// glibc keeps for later ones. Other allocators give it back by themselves.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back() {
    #[expect(
        unsafe_code,
        reason = "the declaration of malloc_trim(3), which is safe to call"
    )]
    unsafe extern "C" {
        safe fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // Nothing depends on whether there was any.
    let _ = malloc_trim(0);
}

/// Does nothing: this allocator keeps no memory.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) const fn give_back() {}
