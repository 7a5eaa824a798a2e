//! Implements the studio, in which users draw models in the browser and see predictions next to the
//! drawing.
//!
//! The server stores the document. A page sends edits and gets the whole state back. The server
//! doesn't know how a page draws, and a page doesn't know what a model means.
//!
//! Without the feature `server`, the page stores the model itself, and [`offline`] answers its
//! requests.
//!
//! The modules are layers, lowest first: each imports only from modules above it in this table.
//!
//! | module | is |
//! |---|---|
//! | `answer` | answers to requests of a page |
//! | `language` | rules and stereotypes of models, including the user's own |
//! | `folder` | the models and machine files of a folder, by name |
//! | `dropped` | files that a page sends |
//! | `machines` | machines: their texts, pictures and values |
//! | `words` | what can be drawn, and the flags of predictions, from the profile and the runtime |
//! | `view` | a model as a page sees it |
//! | `convert` | models of other forms as UML 2 |
//! | `tables` | tables of `interpolate`, files beside the model |
//! | `recovery` | what was not saved yet, kept for the next start |
//! | `fixes` | problems mended as their advice says |
//! | `ways` | the flows between elements that follow each other in a run |
//! | `workflow` | drawn workflows: predictions, reports and animations in the forms of programs |
//! | `predict` | predictions: a newer one of a page ends the one before |
//! | `kept` | kept runs: listed, compared, deleted |
//! | `report` | their reports, and the critical path on the diagrams |
//! | `sweep` | predictions over values of flags and parameters, and their page |
//! | `animation` | where each process is at each time of a run, and its variables there |
//! | `runs` | runs of a model, by their kinds |
//! | `reading` | texts read as models, and the reasons why some are only shown |
//! | `session` | the document that is edited, and its file |
//! | `costs` | costs of measurements, written into the model |
//! | `shared` | the state of a model that is open |
//! | `begin` | new models: empty ones, and copies of samples |
//! | `export` | the files of each target, for a download |
//! | `trace_file` | traces of runs in the formats of other tools, likewise |
//! | `memory` | memory that the allocator keeps when a run has ended |
//! | `asked` | requests for runs: predictions, reports, sweeps, animations |
//! | `requests` | requests that read or change a model |
//! | `offline` | a model without a server: its page holds it |
//! | `gate` | who may ask: the page of this server alone |
//! | `connections` | connections, of which none is kept that asks nothing |
//! | `page` | the files of the page, which are part of the program |
//! | `models` | the models of a folder that are open |
//! | `studio` | the state of the whole studio |
//! | `chooser` | answers about the folder |
//! | `imported` | what becomes of dropped files: models of traces, costs, machines |
//! | `validated` | recordings beside predictions |
//! | `copies` | new files of a model |
//! | `server` | the addresses, and what they do |
//! | `command` | the command line |

#![cfg_attr(
    not(feature = "server"),
    allow(dead_code, reason = "only a server has files and folders")
)]

mod animation;
mod answer;
mod asked;
mod begin;
#[cfg(feature = "server")]
mod chooser;
#[cfg(feature = "server")]
pub mod command;
#[cfg(feature = "server")]
mod connections;
mod convert;
#[cfg(feature = "server")]
mod copies;
mod costs;
mod dropped;
mod export;
mod fixes;
mod folder;
#[cfg(feature = "server")]
mod gate;
#[cfg(feature = "server")]
mod imported;
#[cfg(feature = "server")]
mod kept;
pub mod language;
mod machines;
mod memory;
#[cfg(feature = "server")]
mod models;
pub mod offline;
#[cfg(feature = "server")]
mod page;
mod predict;
mod reading;
mod recovery;
mod report;
mod requests;
mod runs;
#[cfg(feature = "server")]
pub mod server;
mod session;
mod shared;
#[cfg(feature = "server")]
mod studio;
#[cfg(feature = "server")]
mod sweep;
mod tables;
#[cfg(feature = "server")]
mod trace_file;
#[cfg(feature = "server")]
mod validated;
mod view;
mod ways;
mod words;
mod workflow;

pub use answer::Answer;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
