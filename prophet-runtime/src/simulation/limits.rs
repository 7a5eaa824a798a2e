//! Checks the available memory, so that a run that doesn't fit is rejected before it starts.

use std::fs;
use std::path::Path;

/// Runs that need less memory than this, in bytes, aren't checked. Most runs are that small.
const LEAST: u64 = 256 << 20;

pub(crate) fn shortage(need_bytes: u64) -> Option<String> {
    if need_bytes < LEAST {
        return None;
    }
    let limits = [
        ("the address space has only", address_space()),
        ("the control group allows only", control_group()),
        ("this computer has only", free()),
    ];
    let limits = limits
        .into_iter()
        .filter_map(|(what, bytes)| Some((what, bytes?)));
    let (what, bytes) = limits.min_by_key(|(_, bytes)| *bytes)?;
    (bytes < need_bytes).then(|| format!("{what} {} MiB more", bytes >> 20))
}

/// Returns how much address space `ulimit -v` still allows, in bytes.
fn address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = { limits.lines() }.find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?;
    let used = kibibytes("/proc/self/status", "VmSize:").unwrap_or(0);
    Some(limit.saturating_sub(used << 10))
}

/// Returns the lowest memory limit of this process's control group and the groups above it, in
/// bytes.
fn control_group() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let limit = |line: &str| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return None,
        };
        let folders = Path::new(path).ancestors().filter_map(|folder| {
            let inside = folder.strip_prefix("/").ok()?;
            let text = fs::read_to_string(Path::new(root).join(inside).join(file)).ok()?;
            text.trim().parse::<u64>().ok()
        });
        folders.min()
    };
    groups.lines().filter_map(limit).min()
}

/// Returns how much memory the computer has left without taking any from other programs, in bytes.
fn free() -> Option<u64> {
    let available = kibibytes("/proc/meminfo", "MemAvailable:")?;
    let swap = kibibytes("/proc/meminfo", "SwapFree:").unwrap_or(0);
    Some((available + swap) << 10)
}

/// Reads the number after `name` in a file that has a name and a number on each line.
fn kibibytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_computer_has_is_refused_and_little_is_not() {
        assert_eq!(shortage(LEAST - 1), None);
        let told = fs::read_to_string("/proc/meminfo").is_ok();
        let refused = shortage(u64::MAX);
        assert_eq!(refused.is_some(), told);
        assert!(refused.is_none_or(|text| text.ends_with(" MiB more")));
    }
}
