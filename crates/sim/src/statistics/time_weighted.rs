//! Computes statistics of a value that changes over time, such as the length of a queue.

/// Statistics of a value that changes in steps, where each value counts for as long as it lasts.
///
/// ```
/// use prophet_sim::statistics::TimeWeighted;
///
/// let mut queue = TimeWeighted::new(0.0, 0.0);
/// queue.set(1.0, 3.0); // At 1 s it is 3.
/// queue.set(2.0, 1.0);
/// assert_eq!(queue.mean(4.0), 5.0 / 4.0);
/// assert_eq!((queue.min(), queue.max(), queue.value()), (0.0, 3.0, 1.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeWeighted {
    start_s: f64,
    last_s: f64,
    value: f64,
    area: f64,
    squares_area: f64,
    min: f64,
    max: f64,
}

impl TimeWeighted {
    /// Creates statistics of a value that is `value` at `start_s`, in seconds.
    pub const fn new(start_s: f64, value: f64) -> Self {
        Self {
            start_s,
            last_s: start_s,
            value,
            area: 0.0,
            squares_area: 0.0,
            min: value,
            max: value,
        }
    }

    /// Sets the value from `now_s` on. Times must not decrease.
    #[inline]
    pub fn set(&mut self, now_s: f64, value: f64) {
        let passed_s = now_s - self.last_s;
        if passed_s > 0.0 {
            self.area += self.value * passed_s;
            self.squares_area += self.value * self.value * passed_s;
            self.last_s = now_s;
        }
        self.value = value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Adds `change` to the value at `now_s`.
    #[inline]
    pub fn add(&mut self, now_s: f64, change: f64) {
        self.set(now_s, self.value + change);
    }

    /// Returns the current value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns the smallest value.
    pub fn min(&self) -> f64 {
        self.min
    }

    /// Returns the largest value.
    pub fn max(&self) -> f64 {
        self.max
    }

    /// Returns the mean up to `now_s`, or up to the last change if that was later. If no time has
    /// passed, returns the value itself.
    pub fn mean(&self, now_s: f64) -> f64 {
        self.over_time(now_s, self.area, self.value)
    }

    /// Returns the variance up to `now_s`, or up to the last change if that was later.
    pub fn variance(&self, now_s: f64) -> f64 {
        let mean = self.mean(now_s);
        let squares = self.over_time(now_s, self.squares_area, self.value * self.value);
        (squares - mean * mean).max(0.0)
    }

    fn over_time(&self, now_s: f64, area: f64, height: f64) -> f64 {
        let now_s = now_s.max(self.last_s);
        let observed_s = now_s - self.start_s;
        if observed_s > 0.0 {
            (area + height * (now_s - self.last_s)) / observed_s
        } else {
            height
        }
    }

    /// Restarts the statistics at `now_s` with the current value, for example after a warm-up.
    pub fn reset(&mut self, now_s: f64) {
        *self = Self::new(now_s, self.value);
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "the sums are exact")]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_time_than_the_last_change_is_that() {
        let mut value = TimeWeighted::new(0.0, 1.0);
        value.set(4.0, 3.0);
        assert_eq!((value.mean(1.0), value.variance(1.0)), (1.0, 0.0));
        assert_eq!(value.mean(8.0), 2.0);
    }

    #[test]
    fn a_value_weighs_as_long_as_it_stays() {
        let mut value = TimeWeighted::new(10.0, 2.0);
        assert_eq!((value.mean(10.0), value.variance(10.0)), (2.0, 0.0));
        value.add(11.0, 2.0);
        value.set(11.0, 6.0);
        assert_eq!(value.mean(12.0), 4.0);
        assert_eq!(value.variance(12.0), 4.0);
        assert_eq!(value.max(), 6.0);
        value.reset(12.0);
        assert_eq!((value.mean(20.0), value.min()), (6.0, 6.0));
    }
}
