//! Renders a sweep's page: one HTML file that shows curves, maps, fronts and points, and works
//! offline.
//!
//! [`PageData`] describes the sweep. [`PageRows`] takes the sweep's rows one by one, in order, and
//! keeps as many as fit on a page. [`render`] creates the page.
//!
//! ```
//! use prophet_sweep::page::{Measure, PageData, PageRows, Parameter, render};
//! use prophet_sweep::{AxisValue, METRICS, PointResults, SweepRow};
//!
//! let parameters = vec![Parameter::new("nodes", "--nodes ")];
//! let mut rows = PageRows::new(2, parameters, vec![Measure::new("time_s", "s")]);
//! for (index, nodes) in ["1", "2"].into_iter().enumerate() {
//!     let value = AxisValue::read(nodes);
//!     let time_s = 8.0 / value.number().unwrap_or(1.0);
//!     let metrics = [time_s; METRICS.len()];
//!     let found = PointResults { metrics, half_width_s: f64::NAN, seeds: 1 };
//!     let row = SweepRow { index: index as u64, values: vec![value], found: Ok(found) };
//!     rows.push(&row, &[time_s]);
//! }
//! let data = PageData {
//!     model: "Jacobi".to_owned(),
//!     command: "performance-prophet run jacobi.uml".to_owned(),
//!     table: rows.finish(),
//!     ..PageData::default()
//! };
//! assert!(render(&data).contains("<title>Jacobi: sweep</title>"));
//! ```
//!
//! | module | is |
//! |---|---|
//! | `data` | a page's data, as its scripts read it |
//! | `rows` | collecting points, and which to keep if there are many |

mod data;
mod rows;

use prophet_page::Page;

pub use data::{Fact, Influence, MarkedPoints, Measure, PageData, Parameter, Sensitivity, Table};
pub use rows::{CELLS_MAX, PageRows};

/// Page of a sweep. A test checks its content security policy, and rewrites it if
/// `UPDATE_EXPECT=1`.
const PAGE: Page = Page {
    styles: &[include_str!("page/sweep.css")],
    scripts: &[
        include_str!("page/data.js"),
        include_str!("page/filter.js"),
        include_str!("page/point.js"),
        include_str!("page/scale.js"),
        include_str!("page/plot.js"),
        include_str!("page/slice.js"),
        include_str!("page/curves.js"),
        include_str!("page/scaling.js"),
        include_str!("page/heat.js"),
        include_str!("page/front.js"),
        include_str!("page/found.js"),
        include_str!("page/influence.js"),
        include_str!("page/parallel.js"),
        include_str!("page/grid.js"),
        include_str!("page/overview.js"),
        include_str!("page/main.js"),
    ],
    policy: include_str!("page/policy.txt"),
};

pub fn render(data: &PageData) -> String {
    PAGE.render(&format!("{}: sweep", data.model), data)
}

/// Returns the content security policy of every page. It lets a page run its own script, but not
/// load anything.
pub fn policy() -> &'static str {
    PAGE.policy()
}

#[cfg(test)]
mod tests;
