//! Edits the file of a UML model, and leaves every other byte unchanged.
//!
//! A [`Document`] is the text of a model in XMI 2, as any tool wrote it. An [`Edit`] changes a few
//! places of the text: unknown parts are kept, and so are order, layout and comments. Each change
//! can be undone.
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
//! Modules form layers: each imports only from modules above it in this table.
//!
//! | module | is |
//! |---|---|
//! | `patch` | a replaced range of a text |
//! | [`values`] | values of a machine's file in TOML |
//! | `xml` | the text as a tree, and patches for attributes, children, references |
//! | `profile` | the stereotypes of profiles: what they may be applied to, their tags |
//! | `edit` | what may be done |
//! | `work` | edits under way: the text, and what takes them back |
//! | `stereotype` | applications of stereotypes |
//! | `text` | names, tags, code, guards, comments |
//! | `drawing` | places of nodes and flows: UML Diagram Interchange |
//! | `graph` | nodes and flows |
//! | `removal` | what goes, and all that speaks of it |
//! | `declaration` | activities, variables, functions |
//! | `make` | edits made, each by the module of its kind |
//! | `outline` | what a page must know of the text: ids, places, drawings |
//! | `merge` | two changes of one text, where they touch different places |
//! | `document` | the text, with what was done and undone |

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
