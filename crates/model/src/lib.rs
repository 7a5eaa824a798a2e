//! Reads UML models from any dialect of XMI, with the place of each part.
//!
//! Nothing here knows what a model means: no costs, no flow, no target. Each module imports only
//! modules above it in this table.
//!
//! | module | turns | into |
//! |---|---|---|
//! | `source` | the bytes of a file | text, and places in it |
//! | `diagnostic` | problems from all stages | text, JSON or SARIF, with code, place, help |
//! | `chance` | weights of flows | conditions that take each with its probability |
//! | `vocabulary` | a stereotype, also of the user's own | its tags, its type in the runtime |
//! | `model` | | what a file says, untyped |
//! | `xml` | small XML | a tree, with places |
//! | `used_resources` | descriptions of used resources | tags in the cost language |
//! | `marte_values` | values of MARTE | expressions of the cost language, with units |
//! | `path` | names | paths of elements for messages, which stay short |
//! | `xml_form` | | names in our own XML form |
//! | `plantuml` | a text of `PlantUML` | our own XML form, with places in the text |
//! | `xmi` | a file of any dialect, packed or not | `model` |
//! | `xmi::uml14` | activity graphs of UML 1.4 | the same `model` |
//! | `xmi::structured` | our own XML form | the same `model` |
//! | `xmi::summary` | what the reader made | counts of what was read and skipped |

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
