//! Writes a fitted network as a machine file.

use prophet_runtime::Network;
use prophet_text::Align;

use super::fitted::{Fitted, Overhead, error};
use super::measured::Measured;
use crate::document::Document;

impl Fitted {
    /// Returns the text of a machine file that uses this network, both between nodes and within a
    /// node.
    pub fn machine(&self, name: &str, measured: &Measured) -> String {
        let document = Document {
            name: name.to_owned(),
            source: self.source(measured),
            entries: vec![format!("network = \"{}\"", self.flag())],
            comment: self.table(),
        };
        document.toml()
    }

    /// Returns the network in the notation of `--network`.
    pub fn flag(&self) -> String {
        let eager = self.eager.map(|it| format!(",eager={}", it.bytes));
        format!("{}{}", self.network, eager.unwrap_or_default())
    }

    fn source(&self, measured: &Measured) -> Vec<String> {
        let mut source: Vec<String> = measured.origins.clone();
        source.push(self.quality());
        if let Some(eager) = self.eager {
            let (limit, above) = (eager.bytes, eager.above);
            source.push(if eager.is_seen {
                format!("Senders of {above} bytes waited; senders of {limit} bytes did not.")
            } else {
                format!("The times jump between {limit} and {above} bytes: the eager limit.")
            });
        }
        source.extend(self.overhead.map(|overhead| {
            match overhead {
                Overhead::Sends => "The overhead o is the time a send of a short message takes.",
                Overhead::Streams => "The overhead o is the time between messages in a stream.",
            }
            .to_owned()
        }));
        source
    }

    fn quality(&self) -> String {
        let model = match self.network {
            Network::Hockney { .. } => "hockney",
            Network::LogGp { .. } => "loggp",
        };
        let percent = |share: f64| prophet_text::percent(share.abs());
        let worst = self
            .worst()
            .map(|(bytes, error)| format!(", the largest {} at {bytes} bytes", percent(error)));
        format!(
            "Fitted as {model} to medians of {}, with a mean error of {}{}.",
            prophet_text::counted(self.times.len() as u64, "size", "sizes"),
            percent(self.mean_error()),
            worst.unwrap_or_default()
        )
    }

    fn table(&self) -> Vec<String> {
        let heading = [
            ("bytes", Align::Right),
            ("measured", Align::Right),
            ("predicted", Align::Right),
            ("error", Align::Right),
        ];
        let row = |&(bytes, measured_s, predicted_s): &(u64, f64, f64)| {
            vec![
                bytes.to_string(),
                prophet_text::time(measured_s),
                prophet_text::time(predicted_s),
                prophet_text::signed_percent(error((bytes, measured_s, predicted_s))),
            ]
        };
        let rows: Vec<Vec<String>> = self.times.iter().map(row).collect();
        let table = prophet_text::table(&heading, &rows);
        table.lines().map(str::to_owned).collect()
    }
}
