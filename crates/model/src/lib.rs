//! Reads UML models from any dialect of XMI, and records where each part is in the file.
//!
//! This crate doesn't interpret models: other crates handle costs, control flow and targets. Each
//! module imports only from the modules above it in this table.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `source` | the bytes of a file | text, and places in it |
//! | `diagnostic` | problems from all stages | text, JSON or SARIF, with code, place and help |
//! | `chance` | weights of flows | conditions that take each flow with its probability |
//! | `vocabulary` | a stereotype, built-in or custom | its tags, and its type in the runtime |
//! | `model` | | the content of a file, without types |
//! | `xml` | small XML files | a tree with places |
//! | `used_resources` | descriptions of used resources | tags in the cost language |
//! | `marte_values` | MARTE values | expressions of the cost language, with units |
//! | `path` | names | short element paths for messages |
//! | `xml_form` | | names in our own XML format |
//! | `plantuml` | `PlantUML` text | our own XML format, with places in the text |
//! | `xmi` | a file of any dialect, packed or not | `model` |
//! | `xmi::uml14` | UML 1.4 activity graphs | the same `model` |
//! | `xmi::structured` | our own XML format | the same `model` |
//! | `xmi::summary` | the reader's result | counts of what was read and skipped |

pub mod chance;
pub mod diagnostic;
mod marte_values;
pub mod model;
pub mod path;
pub mod plantuml;
pub mod source;
mod used_resources;
pub mod vocabulary;
pub mod xmi;
pub mod xml;
pub mod xml_form;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
