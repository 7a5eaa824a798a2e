//! The studio: models drawn in the browser, with their predictions beside the drawing.
//!
//! The server keeps the document; a page sends edits and gets the whole state back. Nothing here
//! knows how a page draws, and no page knows what a model means.
//!
//! The modules are layers, the lowest first: each imports only from modules above it in this table.
//!
//! | module | is |
//! |---|---|
//! | `language` | rules and stereotypes of models, including the user's own |
//! | `page` | the files of the page, which are part of the program |
//! | `gate` | who may ask: the page of this server alone |
//! | `connections` | connections, of which none is kept that asks nothing |
//! | `answer` | answers to requests of a page |
//! | `folder` | the models and machine files of a folder, by name |
//! | `words` | what can be drawn, and the flags of predictions, from the profile and the runtime |
//! | `view` | a model as a page sees it |
//! | `convert` | models of other forms as UML 2 |
//! | `tables` | tables of `interpolate`, files beside the model |
//! | `recovery` | what was not saved yet, kept for the next start |
//! | `fixes` | problems mended as their advice says |
//! | `ways` | the flows between elements that follow each other in a run |
//! | `workflow` | drawn workflows: predictions, reports and animations in the forms of programs |
//! | `predict` | predictions: a newer one of a page ends the one before |
//! | `report` | their reports, and the critical path on the diagrams |
//! | `animation` | where each process is at each time of a run, and its variables there |
//! | `runs` | runs of a model, by their kinds |
//! | `reading` | texts read as models, and the reasons why some are only shown |
//! | `session` | the document that is edited, and its file |
//! | `shared` | the state of a model that is open |
//! | `begin` | new models: empty ones, and copies of samples |
//! | `models` | the models of a folder that are open |
//! | `studio` | the state of the whole studio |
//! | `chooser` | answers about the folder |
//! | `export` | the files of each target, for a download |
//! | `copies` | new files of a model, and downloads |
//! | `memory` | memory that the allocator keeps when a run has ended |
//! | `asked` | requests for runs: predictions, reports, animations |
//! | `server` | the addresses, and what they do |
//! | `command` | the command line |

mod animation;
mod answer;
mod asked;
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
mod memory;
mod models;
mod page;
mod predict;
mod reading;
mod recovery;
mod report;
mod runs;
pub mod server;
mod session;
mod shared;
mod studio;
mod tables;
mod view;
mod ways;
mod words;
mod workflow;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
