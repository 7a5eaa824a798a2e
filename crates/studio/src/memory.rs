//! Returns memory that the allocator keeps after a run to the system.

/// Returns free memory to the system. After runs of a million processes, glibc would keep 900 MB.
/// Other allocators return memory on their own.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back() {
    #[expect(
        unsafe_code,
        reason = "the declaration of malloc_trim(3), which is safe to call"
    )]
    unsafe extern "C" {
        safe fn malloc_trim(pad: usize) -> std::ffi::c_int;
    }
    // It doesn't matter whether memory was returned.
    let _ = malloc_trim(0);
}

/// Does nothing, because this allocator doesn't keep free memory.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) const fn give_back() {}
