//! Tables of `interpolate` with more points than the code lists: they become data in a file.

use std::fmt::Write as _;

use crate::output::MARKER;
use crate::text::plain;
use prophet_frontend::program::Table;

/// Maximum number of points that are listed in the code; more are in their own file.
pub(super) const LISTED_MAX: usize = 1_000;

/// The name and the text of the file that `prophet_runtime::Table::written` reads.
pub(super) fn written(constant: &str, table: &Table, points: &[(f64, f64)]) -> (String, String) {
    let mut text = format!(
        "# {MARKER} from {}. Do not edit.\n\
         # The bits of x and y of each point, in hexadecimal.\n",
        plain(&table.file)
    );
    for (x, y) in points {
        let (x, y) = (x.to_bits(), y.to_bits());
        writeln!(text, "{x:016x} {y:016x}").expect("text can always grow");
    }
    (format!("{}.table", constant.to_lowercase()), text)
}
