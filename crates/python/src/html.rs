//! Formats text and tables for notebooks.

use std::fmt::Write as _;

use prophet_text::markup::escaped;

/// Writes a table with a header. A line below the table says how many `more` rows there are.
pub(crate) fn table(head: &[String], rows: &[Vec<String>], more: usize) -> String {
    let mut html = "<table><thead><tr>".to_owned();
    for name in head {
        let _ = write!(html, "<th>{}</th>", escaped(name));
    }
    html.push_str("</tr></thead><tbody>");
    for row in rows {
        html.push_str("<tr>");
        for cell in row {
            let _ = write!(html, "<td>{}</td>", escaped(cell));
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table>");
    if more > 0 {
        let _ = write!(html, "<p>{more} more rows</p>");
    }
    html
}
