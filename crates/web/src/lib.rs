//! Runs the studio in a browser, without a server: the page stores the model, and checks and
//! predicts it.
//!
//! A worker in the page sends requests and receives answers as bytes:
//!
//! | | first line | rest |
//! |---|---|---|
//! | request | method and address: `POST api/edit` | the body of a `POST` |
//! | answer | JSON: `{"status": 200, "headers": {…}}` | the body |
//!
//! | request | is |
//! |---|---|
//! | `POST beside/NAME` | puts a machine file or rules beside models that are opened from then on |
//! | `POST open/REVISION/NAME` | opens the model of a file with that name |
//! | `GET samples`, `GET sample/NAME`, `GET empty/FILE` | models to begin with |
//! | `api/…` | as the studio's server answers them |
//!
//! | module | is |
//! |---|---|
//! | `studio` | answers to requests |
//! | `calls` | the functions that the worker calls |

#[cfg(target_family = "wasm")]
mod calls;
mod studio;

pub use studio::Studio;

#[cfg(test)]
mod tests {
    #[test]
    fn layers_hold() {
        prophet_testing::assert_documented_layers();
    }
}
