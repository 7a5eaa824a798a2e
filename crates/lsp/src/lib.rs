//! Provides editors with problems, completions, hover texts, names and predictions.
//!
//! [`serve`] speaks the Language Server Protocol 3.17 on a connection. It supports models as text
//! and XML, rule files, and machine files. Text changes are applied as they arrive. A text is
//! checked once no other message is waiting.
//!
//! Modules form layers: each imports only from modules above it in this table.
//!
//! | module | is |
//! |---|---|
//! | `position` | places in a text as the protocol counts them |
//! | `document` | a file as an editor has it |
//! | `problems` | what is wrong with a document |
//! | `names` | the names that a model declares, and where they are used |
//! | `words` | completions |
//! | `prediction` | the prediction of a model, with the shares of its elements |
//! | `meaning` | what is shown where the pointer rests |
//! | `server` | requests and notifications |
//! | `streams` | messages on standard input and output |
//! | `command` | the command `lsp` |

pub mod command;
mod document;
mod meaning;
mod names;
mod position;
mod prediction;
mod problems;
mod server;
mod streams;
mod words;

pub use server::serve;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
