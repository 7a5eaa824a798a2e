//! Explains a run in a single HTML file that doesn't need a network, other files or libraries.
//!
//! The file's frame comes from `prophet_page`, which makes sure that untrusted text doesn't become
//! markup.

use prophet_page::Page;

mod data;
mod file;
pub mod network;
mod what_if;

pub use data::*;
pub use file::write_page;
pub use prophet_page::Column;

/// The page of a run.
///
/// The content security policy contains digests of the style sheet and the script. A test checks
/// it, and rewrites it if `UPDATE_EXPECT=1`.
const PAGE: Page = Page {
    styles: &[
        include_str!("page/views.css"),
        include_str!("page/media.css"),
    ],
    scripts: SCRIPTS,
    policy: include_str!("page/policy.txt"),
};

const SCRIPTS: &[&str] = &[
    include_str!("page/data.js"),
    include_str!("page/selection.js"),
    include_str!("page/studio.js"),
    include_str!("page/search.js"),
    include_str!("page/chart.js"),
    include_str!("page/table.js"),
    include_str!("page/places.js"),
    include_str!("page/range.js"),
    include_str!("page/overview.js"),
    include_str!("page/bars.js"),
    include_str!("page/processes.js"),
    include_str!("page/answers.js"),
    include_str!("page/raster.js"),
    include_str!("page/timeline.js"),
    include_str!("page/timeline_colors.js"),
    include_str!("page/timeline_paint.js"),
    include_str!("page/timeline_view.js"),
    include_str!("page/critical_path.js"),
    include_str!("page/what_if.js"),
    include_str!("page/drawing.js"),
    include_str!("page/animator.js"),
    include_str!("page/matrix.js"),
    include_str!("page/utilization.js"),
    include_str!("page/topology.js"),
    include_str!("page/availability.js"),
    include_str!("page/knee.js"),
    include_str!("page/network.js"),
    include_str!("page/compare.js"),
    include_str!("page/main.js"),
];

/// Renders the page that explains a run.
///
/// ```
/// use prophet_report::page::{Data, render};
///
/// let mut data = Data::default();
/// data.run.model = "</script><b>Bold".to_owned();
/// let html = render(&data);
/// assert!(html.contains("<title>&lt;/script&gt;&lt;b&gt;Bold: prediction</title>"));
/// assert!(!html.contains("<b>Bold"));
/// ```
pub fn render(data: &Data) -> String {
    PAGE.render(&format!("{}: prediction", data.run.model), data)
}

/// Returns the content security policy of every page. It lets a page run its own script, but not
/// load anything.
pub fn policy() -> &'static str {
    PAGE.policy()
}

#[cfg(test)]
mod tests;
