//! Lists the CPUs, caches and memory domains of this machine, as the operating system reports them.

use prophet_text::{Problem, problem};
use std::fs;
use std::path::Path;

const CPUS_MAX: usize = 1 << 16;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parts {
    /// Number of CPUs that this process can use.
    pub(crate) cpus: u32,
    pub(crate) sockets: u32,
    pub(crate) domains: u32,
    /// CPUs of each memory domain, as numbered by the system.
    pub(crate) domain_cpus: Vec<Vec<usize>>,
    /// Data caches, nearest first.
    pub(crate) caches: Vec<Cache>,
    /// Bytes of free memory; `None` if the system doesn't report it.
    pub(crate) free_bytes: Option<u64>,
}

/// The caches of a level, which are all equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cache {
    pub(crate) level: u32,
    /// Size of each cache, in bytes.
    pub(crate) bytes: u64,
    /// Number of CPUs that share each cache. It divides the machine's number of CPUs.
    pub(crate) cpus: u32,
}

impl Parts {
    /// Reads the parts of this system.
    ///
    /// # Errors
    ///
    /// Returns an error if the system isn't Linux, and therefore doesn't list caches.
    pub(crate) fn of_system() -> Result<Self, Problem> {
        let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let cpus = u32::try_from(cpus).unwrap_or(1);
        let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        Ok(Self {
            free_bytes: free_bytes(&memory),
            ..Self::in_folder(Path::new("/sys/devices/system"), cpus)?
        })
    }

    /// Reads the parts that Linux lists in a folder, for a process that can use `cpus` CPUs.
    fn in_folder(folder: &Path, cpus: u32) -> Result<Self, Problem> {
        let caches = caches(&folder.join("cpu/cpu0/cache"), cpus);
        if caches.is_empty() {
            let shown = folder.display();
            return Err(problem!(
                "{shown} does not list any caches: `calibrate node` needs Linux, which lists them \
                 there"
            ));
        }
        let divides = |count: usize| {
            let count = u32::try_from(count).unwrap_or(1).max(1);
            if cpus.is_multiple_of(count) { count } else { 1 }
        };
        let sockets = divides(packages(&folder.join("cpu")));
        let last = caches.last().map_or(1, |cache| cache.cpus);
        let sockets = if (cpus / sockets).is_multiple_of(last) {
            sockets
        } else {
            1
        };
        let domains = divides(numbered(&folder.join("node"), "node"));
        Ok(Self {
            cpus,
            sockets,
            domains: if domains.is_multiple_of(sockets) {
                domains
            } else {
                sockets
            },
            domain_cpus: domain_cpus(&folder.join("node")),
            caches,
            free_bytes: None,
        })
    }
}

/// Parses the free memory in Linux's list, which is in KiB, and returns bytes.
fn free_bytes(list: &str) -> Option<u64> {
    let line = list
        .lines()
        .find_map(|it| it.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// Reads the data caches in a CPU's folder, nearest first. Each cache is part of the next one.
fn caches(folder: &Path, cpus: u32) -> Vec<Cache> {
    let read = |index: usize, name: &str| {
        let text = fs::read_to_string(folder.join(format!("index{index}")).join(name));
        text.map(|text| text.trim().to_owned()).ok()
    };
    let mut caches: Vec<Cache> = Vec::new();
    for index in 0..16 {
        let Some(kind) = read(index, "type") else {
            break;
        };
        let level = read(index, "level").and_then(|it| it.parse().ok());
        let bytes = read(index, "size").and_then(|it| size(&it));
        let sharing = read(index, "shared_cpu_list").map_or(1, |it| listed(&it).len().max(1));
        let sharing = u32::try_from(sharing).unwrap_or(1);
        if let (Some(level), Some(bytes)) = (level, bytes)
            && kind != "Instruction"
        {
            let nearer = caches.last().map_or(1, |cache| cache.cpus);
            let fits = |count: &u32| cpus.is_multiple_of(*count) && count.is_multiple_of(nearer);
            let shared = (nearer..=sharing.min(cpus)).rev().find(fits);
            caches.push(Cache {
                level,
                bytes,
                cpus: shared.unwrap_or(nearer),
            });
        }
    }
    caches
}

/// Parses a size such as `48K`, and returns bytes.
fn size(text: &str) -> Option<u64> {
    let (digits, factor) = match text.strip_suffix('K') {
        Some(digits) => (digits, 1 << 10),
        None => match text.strip_suffix('M') {
            Some(digits) => (digits, 1 << 20),
            None => (text, 1),
        },
    };
    let size: u64 = digits.parse().ok()?;
    size.checked_mul(factor).filter(|size| *size > 0)
}

/// Parses a list of CPUs such as `0-3,8`.
fn listed(text: &str) -> Vec<usize> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let pair = first.parse().ok().zip(last.parse().ok());
        let pair = pair.filter(|(_, last): &(usize, usize)| *last < CPUS_MAX);
        pair.map_or(0..0, |(first, last)| first..last + 1)
    };
    text.split(',').flat_map(range).collect()
}

/// Returns the CPUs of each memory domain, in the order of the domains' numbers.
fn domain_cpus(folder: &Path) -> Vec<Vec<usize>> {
    let count = numbered(folder, "node");
    let of_domain = |number| {
        let text = fs::read_to_string(folder.join(format!("node{number}/cpulist")));
        listed(text.unwrap_or_default().trim())
    };
    (0..count).map(of_domain).collect()
}

/// Counts the entries of a folder whose names consist of `word` and a number.
fn numbered(folder: &Path, word: &str) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let is_one = |name: &String| {
        let number = name.strip_prefix(word);
        number.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
    };
    names.filter(is_one).count()
}

fn packages(folder: &Path) -> usize {
    let count = numbered(folder, "cpu");
    let mut packages: Vec<String> = (0..count)
        .filter_map(|cpu| {
            let file = folder.join(format!("cpu{cpu}/topology/physical_package_id"));
            fs::read_to_string(file).ok()
        })
        .collect();
    packages.sort_unstable();
    packages.dedup();
    packages.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, file: &str, text: &str) {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    #[test]
    fn parts_are_those_that_linux_lists() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        for (index, (level, kind, size, cpus)) in [
            ("1", "Data", "48K", "0"),
            ("1", "Instruction", "32K", "0"),
            ("2", "Unified", "2048K", "0,4"),
            ("3", "Unified", "32M", "0-3"),
        ]
        .into_iter()
        .enumerate()
        {
            let file = |name| format!("cpu/cpu0/cache/index{index}/{name}");
            write(folder, &file("level"), level);
            write(folder, &file("type"), &format!("{kind}\n"));
            write(folder, &file("size"), size);
            write(folder, &file("shared_cpu_list"), cpus);
        }
        for cpu in 0..8 {
            let file = format!("cpu/cpu{cpu}/topology/physical_package_id");
            write(folder, &file, &(cpu / 4).to_string());
        }
        for node in 0..4 {
            let cpus = format!("{}-{}\n", 2 * node, 2 * node + 1);
            write(folder, &format!("node/node{node}/cpulist"), &cpus);
        }
        let parts = Parts::in_folder(folder, 8).expect("parts");
        assert_eq!((parts.sockets, parts.domains), (2, 4));
        assert_eq!(parts.domain_cpus[2], [4, 5]);
        let cache = |level, bytes, cpus| Cache { level, bytes, cpus };
        let expected = [
            cache(1, 48 << 10, 1),
            cache(2, 2 << 20, 2),
            cache(3, 32 << 20, 4),
        ];
        assert_eq!(parts.caches, expected);
        // This process can use three CPUs, and only 1 and 3 divide three.
        let parts = Parts::in_folder(folder, 3).expect("parts");
        let shared: Vec<u32> = parts.caches.iter().map(|cache| cache.cpus).collect();
        assert_eq!(
            (parts.sockets, parts.domains, shared),
            (1, 1, vec![1, 1, 3])
        );
    }

    #[test]
    fn a_system_without_a_list_is_refused() {
        let error = Parts::in_folder(Path::new("/nowhere"), 2).expect_err("no list");
        let message = "/nowhere does not list any caches: `calibrate node` needs Linux, which \
                       lists them there";
        assert_eq!(error, message);
        assert_eq!(
            free_bytes("MemFree: 1 kB\nMemAvailable:   7 kB\n"),
            Some(7168)
        );
        assert_eq!((size("x"), size("0K")), (None, None));
        assert_eq!(listed("0-2,5,?,0-99999999"), [0, 1, 2, 5]);
    }
}
