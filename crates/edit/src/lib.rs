//! Edits UML model files without changing any byte that an edit doesn't concern.
//!
//! A [`Document`] is the text of an XMI 2 model from any tool. An [`Edit`] changes a few places in
//! this text, and keeps unknown parts, order, layout and comments. Each change can be undone.
//!
//! ```
//! use prophet_edit::{Document, Edit};
//!
//! let text = r#"<uml:Model xmi:version="2.1" xmlns:xmi="http://schema.omg.org/spec/XMI/2.1"
//!   xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmi:id="_m" name="Old"  />"#;
//! let mut document = Document::new(text.to_owned());
//! let name = Edit::Rename { element: "_m".to_owned(), name: "a < b".to_owned() };
//! document.apply("Rename Old", &[name])?;
//! assert_eq!(document.text(), text.replace("Old", "a &lt; b"));
//! document.undo();
//! assert_eq!(document.text(), text);
//! # Ok::<(), prophet_text::Problem>(())
//! ```
//!
//! Each module imports only from modules above it in this table.
//!
//! | module | does |
//! |---|---|
//! | `patch` | replaces ranges of a text |
//! | [`values`] | edits the values of TOML machine files |
//! | `xml` | parses the text into a tree; patches attributes, children and references |
//! | `profile` | reads the stereotypes of profiles |
//! | `edit` | defines the possible edits |
//! | `work` | tracks the text and the undo patches during edits |
//! | `stereotype` | applies stereotypes |
//! | `text` | edits names, tags, code, guards and comments |
//! | `drawing` | draws nodes and flows with UML Diagram Interchange |
//! | `graph` | edits nodes and flows |
//! | `removal` | removes elements and everything that refers to them |
//! | `declaration` | edits activities, variables and functions |
//! | `make` | makes each edit with the module for its kind |
//! | `outline` | lists ids, positions and drawings for a page |
//! | `merge` | merges two changes at different places in a text |
//! | `document` | stores the text with its history for undo and redo |

mod declaration;
mod document;
mod drawing;
mod edit;
mod graph;
mod make;
mod merge;
mod outline;
mod patch;
pub mod profile;
mod removal;
mod stereotype;
mod text;
pub mod values;
mod work;
mod xml;

pub use document::{Document, FileChange};
pub use edit::{CostParameter, Edit, Point};
pub use merge::merge;
pub use outline::{Outline, Spot, Spots};
pub use profile::{Profile, Profiles};
pub use work::Keys;
