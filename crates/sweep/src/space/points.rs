//! Represents a sweep's space: its points, and the values of the axes at each point.

#[cfg(test)]
mod tests;

use prophet_text::{Problem, problem};

use super::axis::{Axis, place_at};
use super::sample::Sample;
use super::value::{AxisValue, shown};

/// Maximum number of points in a space. A larger space is a mistake, or needs a sample.
pub const POINTS_MAX: u64 = 1_000_000_000;

/// The points of a sweep: all combinations of the values of its dimensions, or a sample of them.
///
/// Points aren't stored: each is computed from its index. In a grid, the last dimension varies
/// fastest.
///
/// ```
/// use prophet_sweep::Space;
///
/// let space = Space::parse(&["nodes=1,2", "nat=32,64 cutoff=0.5,0.25"], None)?;
/// let shown = |index| -> Vec<String> {
///     space.point(index).iter().map(ToString::to_string).collect()
/// };
/// assert_eq!((space.points(), shown(1)), (4, vec!["1".into(), "64".into(), "0.25".into()]));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    dimensions: Vec<Dimension>,
    sample: Option<Sample>,
    points: u64,
}

/// Axes that vary together: the first values of all these axes, then their second values, and so
/// on.
#[derive(Debug, Clone, PartialEq)]
struct Dimension {
    axes: Vec<Axis>,
}

impl Dimension {
    /// Parses axes separated by spaces.
    fn parse(text: &str) -> Result<Self, Problem> {
        let axes: Result<Vec<Axis>, Problem> = text.split_whitespace().map(Axis::parse).collect();
        let axes = axes?;
        let Some(first) = axes.first() else {
            return Err("an axis is NAME=VALUES, such as nodes=1,2,4..64".into());
        };
        if axes.len() > 1
            && let Some(other) = axes.iter().find(|axis| axis.count() != first.count())
        {
            return Err(problem!(
                "`{}` and `{}` vary together, but one has {} and the other {}",
                shown(&first.name),
                shown(&other.name),
                counted(first),
                counted(other)
            ));
        }
        Ok(Self { axes })
    }

    fn count(&self) -> Option<u64> {
        self.axes.first().map_or(Some(0), Axis::count)
    }
}

fn counted(axis: &Axis) -> String {
    match axis.count() {
        None => "any number of values".to_owned(),
        Some(1) => "1 value".to_owned(),
        Some(count) => format!("{count} values"),
    }
}

impl Space {
    /// Parses dimensions. A dimension is an axis, or several axes, separated by spaces, that vary
    /// together; see [`Axis::parse`]. Without a sample, every combination of values is a point.
    ///
    /// # Errors
    ///
    /// Returns an error if a text is invalid, or if there are too many points.
    pub fn parse(dimensions: &[impl AsRef<str>], sample: Option<Sample>) -> Result<Self, Problem> {
        let dimensions: Result<Vec<Dimension>, Problem> = dimensions
            .iter()
            .map(|text| Dimension::parse(text.as_ref()))
            .collect();
        Self::of(dimensions?, sample)
    }

    /// Parses dimensions for a search. A search chooses its own points, so its axes can be
    /// intervals.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Self::parse`].
    pub fn to_search(dimensions: &[impl AsRef<str>]) -> Result<Self, Problem> {
        let read: Result<Vec<Dimension>, Problem> = dimensions
            .iter()
            .map(|text| Dimension::parse(text.as_ref()))
            .collect();
        let read = read?;
        if read.iter().all(|dimension| dimension.count().is_some()) {
            return Self::of(read, None);
        }
        Self {
            dimensions: read,
            sample: None,
            points: 0,
        }
        .without_repetitions()
    }

    fn of(dimensions: Vec<Dimension>, sample: Option<Sample>) -> Result<Self, Problem> {
        let points = match &sample {
            Some(sample) => {
                sample.check(dimensions.len())?;
                Some(sample.count)
            }
            None => combinations(&dimensions)?,
        };
        let space = Self {
            dimensions,
            sample,
            points: points.filter(|points| *points <= POINTS_MAX).unwrap_or(0),
        };
        if space.points == 0 {
            let many = points.map_or("more than 10^19".to_owned(), |points| points.to_string());
            return Err(problem!(
                "the sweep would have {many} points, but at most {POINTS_MAX} are evaluated; \
                 vary less, or take a sample: --sample sobol:4096"
            ));
        }
        space.without_repetitions()
    }

    /// Rounds the intervals of the axes for which `is_whole` returns `true` to integers.
    #[must_use]
    pub fn rounded(mut self, is_whole: impl Fn(&Axis) -> bool) -> Self {
        for axis in self.dimensions.iter_mut().flat_map(|it| &mut it.axes) {
            if is_whole(axis) {
                *axis = axis.clone().rounded();
            }
        }
        self
    }

    fn without_repetitions(self) -> Result<Self, Problem> {
        let names: Vec<&str> = self.axes().map(|axis| axis.name.as_str()).collect();
        let is_twice = |(at, name): &(usize, &&str)| names[..*at].contains(*name);
        if let Some((_, name)) = names.iter().enumerate().find(is_twice) {
            return Err(problem!("`{}` is varied twice", shown(name)));
        }
        Ok(self)
    }

    /// Returns the number of points that have an index; 0 for a space with
    /// [intervals](Self::interval).
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Returns the first axis that is an interval; `None` if no axis is an interval, or if a sample
    /// chooses the values.
    pub fn interval(&self) -> Option<&Axis> {
        let mut axes = self.axes().filter(|_| self.sample.is_none());
        axes.find(|axis| axis.count().is_none())
    }

    pub fn axes(&self) -> impl Iterator<Item = &Axis> {
        self.dimensions.iter().flat_map(|dimension| &dimension.axes)
    }

    /// Returns the axes of each dimension. The axes of a dimension vary together, and the last
    /// dimension varies fastest.
    pub fn dimensions(&self) -> impl Iterator<Item = &[Axis]> {
        self.dimensions
            .iter()
            .map(|dimension| dimension.axes.as_slice())
    }

    /// Returns `true` if the points are a sample of the combinations.
    pub const fn is_sample(&self) -> bool {
        self.sample.is_some()
    }

    /// Returns the values of the axes at the point with this index, which must be less than
    /// [`Self::points`].
    pub fn point(&self, index: u64) -> Vec<AxisValue> {
        self.values(&self.places(index))
    }

    /// Returns the values at these places on the axes.
    pub fn values(&self, places: &[AxisPlace]) -> Vec<AxisValue> {
        let values = self.axes().zip(places).map(|(axis, place)| match *place {
            AxisPlace::At(place) => axis.value(place),
            AxisPlace::Share(share) => axis.value_at(share),
        });
        values.collect()
    }

    pub(crate) fn places(&self, index: u64) -> Vec<AxisPlace> {
        let mut rest = index;
        let mut places = Vec::new();
        for (number, dimension) in self.dimensions.iter().enumerate().rev() {
            let count = dimension.count();
            let place = match (&self.sample, count) {
                (Some(sample), None) => AxisPlace::Share(sample.share(index, number)),
                (Some(sample), Some(count)) => {
                    AxisPlace::At(place_at(sample.share(index, number), count))
                }
                (None, count) => {
                    let count = count.unwrap_or(1).max(1);
                    let place = rest % count;
                    rest /= count;
                    AxisPlace::At(place)
                }
            };
            places.extend(dimension.axes.iter().map(|_| place));
        }
        places.reverse();
        places
    }
}

/// A place on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AxisPlace {
    At(u64),
    /// A share of an interval's length, from its start.
    Share(f64),
}

fn combinations(dimensions: &[Dimension]) -> Result<Option<u64>, Problem> {
    let mut product = Some(1_u64);
    for dimension in dimensions {
        let Some(count) = dimension.count() else {
            let name = dimension.axes.first().map_or("", |axis| &axis.name);
            return Err(problem!(
                "`{}` is an interval: add a number of values, such as `0.1..0.9:5`, or take a \
                 sample: --sample sobol:1024",
                shown(name)
            ));
        };
        product = product.and_then(|product| product.checked_mul(count));
    }
    Ok(product)
}
