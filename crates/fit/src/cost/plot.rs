//! Draws the plots of a page: axes, points and curves.

use std::fmt::Write as _;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;
/// Axes are logarithmic if the ratio of their ends exceeds this.
const LOGARITHMIC: f64 = 20.0;
/// A logarithmic axis needs more labels than powers of ten if the ratio of its ends is below this.
const SHORT: f64 = 500.0;
/// Largest value to draw. On a logarithmic axis, its inverse is the smallest one. Computations have
/// room for larger numbers.
const MOST: f64 = 1e300;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    is_logarithmic: bool,
}

impl Axis {
    /// Returns an axis that includes all values, with some space at both ends.
    pub(crate) fn around(values: impl Iterator<Item = f64>) -> Self {
        let values = values.filter(|it| it.is_finite());
        let values = values.map(|it| it.clamp(-MOST, MOST));
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, it| {
            (ends.0.min(it), ends.1.max(it))
        });
        if low > high {
            return Self::linear(0.0, 1.0);
        }
        if low > 0.0 && high / low >= LOGARITHMIC {
            let low = low.max(MOST.recip());
            // The ratio itself can be infinite.
            let room = (0.05 * (high.ln() - low.ln())).exp().min(1e6);
            return Self {
                low: low / room,
                high: high * room,
                is_logarithmic: true,
            };
        }
        let size = (high - low).max(high.abs() * 0.1).max(f64::MIN_POSITIVE);
        Self::linear(low - 0.06 * size, high + 0.06 * size)
    }

    /// Returns an axis that extends equally far below and above zero.
    pub(crate) fn about_zero(values: impl Iterator<Item = f64>) -> Self {
        let most = values.map(f64::abs).filter(|it| it.is_finite());
        let most = most.fold(1e-3, f64::max).min(MOST) * 1.1;
        Self::linear(-most, most)
    }

    const fn linear(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            is_logarithmic: false,
        }
    }

    /// Returns a value's position on the axis, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let share = if self.is_logarithmic {
            (value.max(self.low).ln() - self.low.ln()) / self.ratio()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(-0.02, 1.02)
    }

    pub(crate) fn value(&self, share: f64) -> f64 {
        if self.is_logarithmic {
            (self.low.ln() + share * self.ratio()).exp()
        } else {
            self.low + share * (self.high - self.low)
        }
    }

    fn ratio(&self) -> f64 {
        self.high.ln() - self.low.ln()
    }

    /// Returns the values to label: multiples of one, two or five units, or powers of ten.
    fn ticks(&self) -> Vec<f64> {
        if self.is_logarithmic {
            return self.powers();
        }
        let raw = (self.high - self.low) / 5.0;
        let power = 10_f64.powf(raw.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * power);
        let step = steps.into_iter().find(|it| *it >= raw).unwrap_or(raw);
        let first = (self.low / step).ceil();
        let all = (0..12_u8).map(|it| (first + f64::from(it)) * step);
        all.filter(|it| *it <= self.high).collect()
    }

    fn powers(&self) -> Vec<f64> {
        let (from, to) = (self.low.log10().floor(), self.high.log10().ceil());
        let stride = ((to - from) / 8.0).ceil().max(1.0);
        let is_short = self.high / self.low <= SHORT;
        let factors: &[f64] = if is_short { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let mut ticks = Vec::new();
        let mut power = from;
        while power <= to {
            ticks.extend(factors.iter().map(|it| it * 10_f64.powf(power)));
            power += stride;
        }
        ticks.retain(|it| (self.low..=self.high).contains(it));
        ticks
    }
}

#[derive(Debug)]
pub(crate) struct Plot {
    x: Axis,
    y: Axis,
    svg: String,
}

impl Plot {
    /// Starts a plot with its axes. `title` describes it to people who can't see it.
    pub(crate) fn new(
        title: &str,
        (x, x_name): (Axis, &str),
        (y, y_name): (Axis, &str),
        y_label: impl Fn(f64) -> String,
    ) -> Self {
        let mut plot = Self {
            x,
            y,
            svg: String::new(),
        };
        let _ = write!(
            plot.svg,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{}</title>",
            escape(title)
        );
        plot.grid(&y_label);
        let (middle, bottom) = (f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 8.0);
        plot.text(middle, bottom, "middle", x_name);
        plot.text(4.0, TOP + 4.0, "start", y_name);
        plot
    }

    fn grid(&mut self, y_label: impl Fn(f64) -> String) {
        for tick in self.x.ticks() {
            let x = self.across(tick);
            let (top, bottom) = (TOP, HEIGHT - BOTTOM);
            let _ = write!(self.svg, "<path class=\"g\" d=\"M{x:.1} {top}V{bottom}\"/>");
            self.text(
                x,
                bottom + 16.0,
                "middle",
                &crate::cost::fitted::number(tick),
            );
        }
        for tick in self.y.ticks() {
            let (left, right) = (LEFT, WIDTH - RIGHT);
            let y = self.down(tick);
            let _ = write!(self.svg, "<path class=\"g\" d=\"M{left} {y:.1}H{right}\"/>");
            self.text(left - 6.0, y + 4.0, "end", &y_label(tick));
        }
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escape(text);
        let _ = write!(
            self.svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }

    fn across(&self, value: f64) -> f64 {
        LEFT + self.x.share(value) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.share(value) * (HEIGHT - TOP - BOTTOM)
    }

    pub(crate) fn band(&mut self, points: &[(f64, f64, f64)]) {
        let lower = points.iter().map(|it| (it.0, it.1));
        let upper = points.iter().rev().map(|it| (it.0, it.2));
        let path = self.path(lower.chain(upper));
        let _ = write!(self.svg, "<path class=\"b\" d=\"{path}Z\"/>");
    }

    /// Draws a curve. `class` is a class in the style sheet.
    pub(crate) fn curve(&mut self, class: &str, points: &[(f64, f64)]) {
        let path = self.path(points.iter().copied());
        let _ = write!(self.svg, "<path class=\"{class}\" d=\"{path}\"/>");
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (x, y) in points {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{:.1} {:.1}", self.across(x), self.down(y));
        }
        path
    }

    /// Draws a point. Hovering over it shows its numbers.
    pub(crate) fn point(&mut self, class: &str, (x, y): (f64, f64), told: &str) {
        let (x, y, told) = (self.across(x), self.down(y), escape(told));
        let _ = write!(
            self.svg,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"><title>{told}</title>\
             </circle>"
        );
    }

    pub(crate) fn finish(mut self) -> String {
        self.svg.push_str("</svg>");
        self.svg
    }
}

/// Escapes text for HTML content and attributes.
pub(crate) fn escape(text: &str) -> String {
    prophet_text::markup::escaped(&prophet_text::plain::line(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let linear = Axis::around([0.0, 10.0].into_iter());
        assert_eq!(linear.ticks(), [0.0, 5.0, 10.0]);
        let decades = Axis::around([1.0, 1e6].into_iter());
        assert_eq!(decades.ticks(), [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        let short = Axis::around([20.0, 512.0].into_iter());
        assert_eq!(short.ticks(), [20.0, 50.0, 100.0, 200.0, 500.0]);
        assert!((3..8).contains(&Axis::around([7.0].into_iter()).ticks().len()));
    }

    #[test]
    fn axes_of_extreme_values_end() {
        for ends in [
            [2.0, 1e308],
            [1e-308, 1e308],
            [-1e308, 1e308],
            [5e-324, 1.0],
        ] {
            let axis = Axis::around(ends.into_iter());
            assert!(axis.low.is_finite() && axis.high.is_finite(), "{ends:?}");
            assert!((2..16).contains(&axis.ticks().len()), "{ends:?}");
            assert!(axis.value(0.5).is_finite() && axis.share(ends[1]) <= 1.02);
        }
        assert!(Axis::about_zero([1e308].into_iter()).high.is_finite());
    }

    #[test]
    fn texts_are_no_markup() {
        assert_eq!(escape("<b>&\"\u{202e}"), "&lt;b&gt;&amp;&quot;\\u{202e}");
    }
}
