//! The studio: models drawn in the browser, with their predictions beside the drawing.
//!
//! The server keeps the document; a page sends edits and gets the whole state back. Nothing here
//! knows how a page draws, and no page knows what a model means.
//!
//! | module | is |
//! |---|---|
//! | `language` | rules and stereotypes of models, those of the user's own among them |
//! | `page` | the files of the page, which are part of the program |
//! | `words` | what can be drawn, and the flags of predictions, from the profile and the runtime |
//! | `view` | a model as a page sees it |
//! | `predict` | predictions: a newer one of a page ends the one before |
//! | `runs` | requests for runs: predictions, reports, animations |
//! | `report` | their reports, and the critical path on the diagrams |
//! | `ways` | the flows between elements that follow each other in a run |
//! | `animation` | where each process is at each time of a run, and its variables there |
//! | `fixes` | problems mended as their advice says |
//! | `tables` | tables of `interpolate`, files beside the model |
//! | `recovery` | what was not saved yet, kept for the next start |
//! | `folder` | the models and machine files of a folder, by name |
//! | `begin` | new models: empty ones, and copies of samples |
//! | `convert` | models of other forms as UML 2 |
//! | `models` | the models of a folder that are open |
//! | `export` | the files of each target, for a download |
//! | `copies` | new files of a model, and downloads |
//! | `chooser` | answers about the folder |
//! | `session` | the document that is edited, and its file |
//! | `gate` | who may ask: the page of this server alone |
//! | `connections` | connections, of which none is kept that asks nothing |
//! | `server` | the addresses, and what they do |
//! | `command` | the command line |

mod animation;
mod begin;
mod chooser;
pub mod command;
mod connections;
mod convert;
mod copies;
mod export;
mod fixes;
mod folder;
mod gate;
pub mod language;
mod models;
mod page;
mod predict;
mod recovery;
mod report;
mod runs;
pub mod server;
mod session;
mod tables;
mod view;
mod ways;
mod words;
