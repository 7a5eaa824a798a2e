//! Measures this machine with `calibrate node` and `calibrate cpu`, and derives times from the
//! results.

use std::fs;
use std::path::Path;

use prophet_runtime::{Cache, Machine};
use prophet_text::Context as _;

/// Bytes of a cache line, of a memory page, and of a double.
pub(crate) const LINE: u64 = 64;
const PAGE: u64 = 4096;
pub(crate) const DOUBLE: u64 = 8;

pub(crate) struct Here {
    pub(crate) node: Machine,
    /// Seconds of an addition that waits for another.
    pub(crate) chain_s: f64,
}

impl Here {
    pub(crate) fn measure(folder: &Path) -> Result<Self, String> {
        let read = |name: &str, text: String| {
            let file = folder.join(name);
            fs::write(&file, text).told()?;
            Machine::read(&file.display().to_string())
        };
        let cpu = read("cpu.toml", prophet_calibrate::cpu::measure("cpu"))?;
        let text = prophet_calibrate::node::measure("node", &|_| ())?;
        Ok(Self {
            node: read("node.toml", text)?,
            chain_s: of(&cpu, "AFDL")?,
        })
    }

    pub(crate) fn nearest(&self) -> Result<&Cache, String> {
        let caches = &self.node.memory.caches;
        let nearest = caches.first();
        nearest.ok_or_else(|| "`calibrate node` measures caches".to_owned())
    }

    /// Returns an operation's time in seconds.
    pub(crate) fn price(&self, name: &str) -> Result<f64, String> {
        of(&self.node, name)
    }

    /// Returns the seconds at the powers of 2 where an operation was measured; values in between
    /// are interpolated.
    fn curve(&self, name: &str) -> Result<Vec<(f64, f64)>, String> {
        let at = |power: u32| self.node.prices.get(&format!("{name}{power}"));
        let point = |power| at(power).map(|time_s| (f64::from(power), time_s));
        let points: Vec<(f64, f64)> = (0..u64::BITS).filter_map(point).collect();
        if points.is_empty() {
            return Err(format!("the machine has no price for `{name}`"));
        }
        Ok(points)
    }

    /// Returns the time to access one of `pages` pages in turn; 0 if there are few.
    pub(crate) fn page_s(&self, pages: u64) -> Result<f64, String> {
        let points = self.curve("PAGE")?;
        let power = (pages.max(1) as f64).log2();
        Ok(if power <= points[0].0 {
            0.0
        } else {
            between(&points, power)
        })
    }

    /// Returns the time to access a column of `n` doubles in a working set with `n` such columns. A
    /// cache line is loaded once from where the working set is, and then from the nearest cache
    /// that has room for the column's lines. If rows are long enough, each element is in its own
    /// page.
    pub(crate) fn column_s(&self, n: u64, working_set: u64) -> Result<f64, String> {
        let caches = &self.node.memory.caches;
        let line_s = |bytes| {
            let level = caches.iter().find(|cache| cache.size >= bytes);
            let level = level.map_or("M".to_owned(), |cache| cache.level.to_string());
            self.price(&format!("LINE{level}"))
        };
        let page_s = self.page_s((DOUBLE * n * n / PAGE).min(n))?;
        let again_s = line_s(room_of_column(n, n))?.max(page_s);
        let first_s = line_s(working_set)?.max(again_s);
        let part = DOUBLE as f64 / LINE as f64;
        Ok(part * first_s + (1.0 - part) * again_s)
    }

    /// Returns the time of a store down the columns of a block of `rows` rows, with `stride`
    /// doubles per row. `written` bytes are written before the block is written again.
    ///
    /// If a column's lines compete for few sets of the nearest cache, each store waits for the next
    /// cache. The first store to a line also waits for the level that contains the line.
    pub(crate) fn turned_s(&self, rows: u64, stride: u64, written: u64) -> Result<f64, String> {
        let (columns, strides) = (self.curve("COLUMN")?, self.curve("STRIDE")?);
        let least_s = columns.iter().map(|it| it.1).fold(f64::MAX, f64::min);
        let far_s = between(&columns, (written.max(1) as f64).log2()) - least_s;
        let divides = f64::from((DOUBLE * stride).trailing_zeros());
        let competes = room_of_column(rows, stride) > self.nearest()?.size;
        let again_s = if competes {
            between(&strides, divides).max(least_s)
        } else {
            least_s
        };
        Ok(again_s + far_s)
    }

    /// Returns the time to access random places; each cache contains its share of them.
    pub(crate) fn anywhere_s(&self, bytes: u64) -> Result<f64, String> {
        let (mut seconds, mut nearer) = (0.0, 0.0);
        for cache in self.node.memory.caches.iter() {
            let part = (cache.size as f64 / bytes as f64).min(1.0);
            let price_s = self.price(&format!("LINE{}", cache.level))?;
            seconds += (part - nearer) * price_s;
            nearer = part;
        }
        Ok(seconds + (1.0 - nearer) * self.price("LINEM")?)
    }
}

/// Returns the cache space in bytes that a column's lines need if rows have `stride` doubles.
///
/// A line's position in its page helps to select its cache set; pages are spread over sets at
/// random. If a column's lines are at few positions in their pages, they compete for few sets.
fn room_of_column(n: u64, stride: u64) -> u64 {
    let stride = DOUBLE * stride;
    let places = (PAGE >> stride.trailing_zeros().min(PAGE.trailing_zeros())).min(PAGE / LINE);
    n * LINE * (PAGE / LINE) / places.max(1)
}

/// Interpolates a curve linearly between its points; it is constant beyond them.
fn between(points: &[(f64, f64)], at: f64) -> f64 {
    let place = points.partition_point(|it| it.0 < at);
    match (place.checked_sub(1).map(|it| points[it]), points.get(place)) {
        (Some(before), Some(after)) => {
            let part = (at - before.0) / (after.0 - before.0);
            before.1 + part * (after.1 - before.1)
        }
        (before, after) => before.or(after.copied()).map_or(0.0, |it| it.1),
    }
}

fn of(machine: &Machine, name: &str) -> Result<f64, String> {
    let price_s = machine.prices.get(name);
    price_s.ok_or_else(|| format!("the machine has no price for `{name}`"))
}

#[cfg(test)]
mod tests {
    use super::{between, room_of_column};

    #[test]
    fn curves_are_linear_between_their_points() {
        let points = [(4.0, 1.0), (6.0, 3.0), (7.0, 3.0)];
        for (at, value) in [(1.0, 1.0), (4.0, 1.0), (5.5, 2.5), (6.0, 3.0), (9.0, 3.0)] {
            assert!((between(&points, at) - value).abs() < 1e-12, "{at}");
        }
    }

    #[test]
    fn lines_of_a_column_compete_for_sets_if_its_stride_divides_pages() {
        // Strides of a multiple of 8 B, of 256 B and of a page.
        for (n, of_all) in [
            (11_585, 1),
            (5_792, 4),
            (8_192, 64),
            (512, 64),
            (140, 1),
            (4, 1),
        ] {
            assert_eq!(room_of_column(n, n), n * 64 * of_all, "{n}");
        }
    }
}
