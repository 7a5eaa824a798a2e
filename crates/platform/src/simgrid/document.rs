//! Reads the elements of a document in order, and its traces (availability profiles).

use prophet_text::Problem;

use super::profile;
use super::reader::{Connection, OpenTrace, Reader};
use super::tag::{Tag, TagPart, TagReader};
use super::units;
use crate::change::{Quantity, Target};

use crate::refuse::refuse;

impl Reader<'_> {
    pub(super) fn document(&mut self, text: &str) -> Result<(), Problem> {
        let mut parts = TagReader::new(text);
        loop {
            let part = parts.next();
            self.line = parts.line();
            match part? {
                None => break,
                Some(TagPart::Start(tag)) => self.start(tag, parts.parent())?,
                Some(TagPart::End(name)) => self.end(&name)?,
                Some(TagPart::Text(text)) => self.text(&text)?,
            }
        }
        for connection in std::mem::take(&mut self.connections) {
            self.line = connection.line;
            self.connect(&connection)?;
        }
        if self.builder.platform.hosts.is_empty() {
            refuse!("the file does not describe any hosts: is it a SimGrid platform?");
        }
        Ok(())
    }

    fn start(&mut self, mut tag: Tag, parent: &str) -> Result<(), Problem> {
        if (tag.name == "platform") != parent.is_empty() {
            refuse!(
                "`{}` is misplaced: `platform` must be the outermost element, and the only one",
                tag.name
            );
        }
        match tag.name.as_str() {
            "platform" => version(&mut tag)?,
            "config" => drop(tag.optional("id")),
            "prop" => self.property(&mut tag, parent)?,
            "AS" | "zone" => self.open_zone(&mut tag)?,
            "host" => self.host(&mut tag)?,
            "router" => self.router(&mut tag)?,
            "peer" => self.peer(&mut tag)?,
            "cluster" => self.cluster(&mut tag)?,
            "cabinet" => self.cabinet(&mut tag)?,
            "link" => self.link(&mut tag)?,
            "backbone" => self.backbone(&mut tag)?,
            "host_link" => self.host_link(&mut tag)?,
            "link_ctn" => self.link_of_route(&mut tag)?,
            "trace" => self.open_trace(&mut tag)?,
            "trace_connect" => self.trace_connect(&mut tag)?,
            "include" => {
                refuse!("`include` is not supported: copy the included file into this file")
            }
            "disk" | "storage" | "storage_type" | "mount" => {
                self.warn(&format!(
                    "`{}` is ignored: disks take no time in this model",
                    tag.name
                ));
                return Ok(());
            }
            "process" | "actor" | "argument" => {
                let once = "deployment";
                self.warn_once(once, "the model decides what runs where, not this file");
                return Ok(());
            }
            "random" | "model_prop" => {
                self.warn(&format!("`{}` has no meaning here: remove it", tag.name));
                return Ok(());
            }
            _ if tag.name.to_lowercase().ends_with("route") => self.open_route(&mut tag)?,
            name => refuse!("`{name}` is not a SimGrid element: correct or remove it"),
        }
        tag.finish()
    }

    fn end(&mut self, name: &str) -> Result<(), Problem> {
        match name {
            "AS" | "zone" => self.close_zone(),
            "trace" => self.close_trace(),
            _ if self.route.as_ref().is_some_and(|it| it.element == name) => self.close_route(),
            _ => Ok(()),
        }
    }

    fn text(&mut self, text: &str) -> Result<(), Problem> {
        match &mut self.trace {
            Some(trace) => trace.text.push_str(text),
            None if text.trim().is_empty() => {}
            None => refuse!(
                "unexpected text `{}`: only elements have a meaning here",
                text.trim()
            ),
        }
        Ok(())
    }

    fn property(&mut self, tag: &mut Tag, parent: &str) -> Result<(), Problem> {
        let (id, value) = (tag.required("id")?, tag.required("value")?);
        match (parent, id.as_str()) {
            ("config", "network/loopback-bw") => {
                self.loopback.0.bytes_per_s = units::bandwidth(&value)?;
            }
            ("config", "network/loopback-lat") => self.loopback.0.latency_s = units::time(&value)?,
            ("config", _) => {
                self.warn(&format!(
                    "`{id}` is ignored: set it with flags or in a machine file"
                ));
            }
            ("host" | "cluster", "wattage_per_state" | "watt_per_state") => self.watts(&value)?,
            // Machines are always on, so these properties don't matter.
            ("host" | "cluster", "wattage_off" | "watt_off") => {}
            _ => {
                let message = format!("the property `{id}` is not supported");
                self.warn_once(&format!("prop {id}"), &message);
            }
        }
        Ok(())
    }

    fn open_trace(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        let periodicity = tag.required("periodicity")?;
        let Ok(periodicity_s) = periodicity.trim().parse() else {
            refuse!("the periodicity `{periodicity}` of trace `{id}` is not a number of seconds");
        };
        if let Some(file) = tag.filled("file") {
            let profile = self.profile_in(&file)?;
            self.traces.insert(id, profile);
            return Ok(());
        }
        self.trace = Some(OpenTrace {
            id,
            periodicity_s,
            text: String::new(),
        });
        Ok(())
    }

    fn close_trace(&mut self) -> Result<(), Problem> {
        let Some(OpenTrace {
            id,
            periodicity_s,
            text,
        }) = self.trace.take()
        else {
            return Ok(());
        };
        match profile::read(&text, Some(periodicity_s)) {
            Ok(profile) => self.traces.insert(id, profile),
            Err((line, problem)) => {
                refuse!("line {} of the trace `{id}`: {problem}", line + 1)
            }
        };
        Ok(())
    }

    fn trace_connect(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let connection = Connection {
            line: self.line,
            kind: tag
                .optional("kind")
                .unwrap_or_else(|| "HOST_AVAIL".to_owned()),
            trace: tag.required("trace")?,
            element: tag.required("element")?,
        };
        self.connections.push(connection);
        Ok(())
    }

    fn connect(&mut self, it: &Connection) -> Result<(), Problem> {
        let Connection {
            kind,
            trace,
            element,
            ..
        } = it;
        let Some(profile) = self.traces.get(trace).cloned() else {
            refuse!("`trace_connect` names the unknown trace `{trace}`");
        };
        match kind.as_str() {
            "HOST_AVAIL" | "LINK_AVAIL" => self.warn_of_state(element),
            "SPEED" => {
                let host = self.builder.platform.host(element);
                let Some(host) = host else {
                    refuse!("`trace_connect` names the unknown host `{element}`");
                };
                self.change(&profile, Target::Host(host), Quantity::Speed)?;
            }
            "BANDWIDTH" | "LATENCY" => {
                let Some(wires) = self.links.get(element).copied() else {
                    refuse!("`trace_connect` names the unknown link `{element}`");
                };
                let latency = kind == "LATENCY";
                let quantity = if latency {
                    Quantity::Latency
                } else {
                    Quantity::Bandwidth
                };
                self.change_links(&profile, wires, quantity)?;
            }
            _ => refuse!("unknown trace kind `{kind}`; use SPEED, BANDWIDTH or LATENCY"),
        }
        Ok(())
    }
}

fn version(tag: &mut Tag) -> Result<(), Problem> {
    let version = tag.required("version")?;
    match version.parse::<f64>() {
        Ok(number) if (4.0..=4.1).contains(&number) => Ok(()),
        _ => refuse!(
            "version {version} is not supported, only 4 and 4.1: convert the file with \
             `simgrid_update_xml`"
        ),
    }
}
