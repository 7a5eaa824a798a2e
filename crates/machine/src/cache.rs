//! Describes the caches of nodes.

use std::fmt;

use crate::quantity::engineering;
use crate::saturation::{QUEUE_MAX, Saturation};

/// A level of a node's caches: identical caches, each shared by the same number of neighboring
/// CPUs.
///
/// The bytes of an `action+` that has a working set move through the nearest level whose caches can
/// hold the working sets of all units that share them.
#[derive(Debug, Clone, PartialEq)]
pub struct Cache {
    /// The level; 1 is nearest to the CPU.
    pub level: u32,
    /// Size of each cache, in bytes.
    pub size: u64,
    /// Number of CPUs that share each cache.
    pub cpus: u32,
    /// Bandwidth available to a single CPU, in bytes per second.
    pub core_bandwidth: f64,
    /// Limit on the total bandwidth of the CPUs that share a cache, in bytes per second; `None` for
    /// no limit.
    pub bandwidth: Option<f64>,
    /// How the total bandwidth grows with the number of CPUs that use a cache.
    pub saturation: Saturation,
}

impl Cache {
    /// Explains why this level can't follow `nearer`, the next nearer level, in a socket with
    /// `cpus` CPUs (if known); `None` if it can.
    ///
    /// CPUs that share a cache must also share every cache farther away. Otherwise, caches would
    /// overlap.
    pub fn problem(&self, nearer: Option<&Self>, cpus: Option<u32>) -> Option<String> {
        let (level, count) = (self.level, self.cpus);
        if !(1..=9).contains(&level) {
            return Some(format!("`level`: {level} is out of range (1 to 9)"));
        }
        if self.size == 0 || count == 0 {
            return Some(format!(
                "`size`: the L{level} cache needs a size above 0 and at least one CPU"
            ));
        }
        for rate in [Some(self.core_bandwidth), self.bandwidth]
            .into_iter()
            .flatten()
        {
            if !(rate > 0.0 && rate.is_finite()) {
                return Some(format!(
                    "`bandwidth`: {rate} B/s is not a valid cache bandwidth"
                ));
            }
        }
        if let Some(cpus) = cpus.filter(|cpus| !cpus.is_multiple_of(count)) {
            return Some(format!(
                "`cpus`: the {cpus} CPUs of a socket cannot be divided evenly among L{level} \
                 caches of {count} CPUs"
            ));
        }
        if self.saturation == Saturation::Queueing && self.bandwidth.is_none() {
            let message = "`saturation`: queueing needs the total bandwidth of a cache";
            return Some(message.to_owned());
        }
        if count > QUEUE_MAX && self.saturation == Saturation::Queueing {
            return Some(format!(
                "`cpus`: queueing supports at most {QUEUE_MAX} CPUs per cache"
            ));
        }
        let nearer = nearer?;
        let near = nearer.level;
        if level <= near {
            return Some(format!(
                "`level`: L{level} is listed after L{near}: list each level once, nearest first"
            ));
        }
        if !count.is_multiple_of(nearer.cpus) {
            return Some(format!(
                "`cpus`: caches overlap: the {} CPUs of an L{near} cache belong to more than one \
                 L{level} cache of {count} CPUs",
                nearer.cpus
            ));
        }
        (self.size < nearer.size).then(|| {
            format!(
                "`size`: the L{level} cache is smaller than the L{near} cache, which is nearer to \
                 the CPU"
            )
        })
    }
}

impl fmt::Display for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_precision_loss, reason = "it is shown with few digits")]
        let size = engineering(self.size as f64, "B");
        let core = engineering(self.core_bandwidth, "B/s");
        write!(
            f,
            "L{}: {size} for {} CPUs, {core} each",
            self.level, self.cpus
        )?;
        if let Some(all) = self.bandwidth {
            write!(f, ", {} together", engineering(all, "B/s"))?;
        }
        Ok(())
    }
}
