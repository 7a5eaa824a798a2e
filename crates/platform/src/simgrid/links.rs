//! Reads links, and the spokes that connect hosts to the center of their zone.

use prophet_text::Problem;

use super::reader::{HostLink, Kind, Reader, Wires};
use super::tag::Tag;
use super::units;
use crate::change::Quantity;
use crate::cluster::LinkSpeed;
use crate::platform::{Link, Sharing};

use crate::refuse::refuse;
use crate::site::plain;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    Shared,
    Fatpipe,
    Split,
}

impl Policy {
    pub(super) fn parse(text: &str, element: &str) -> Result<Self, Problem> {
        match text {
            "SHARED" => Ok(Policy::Shared),
            "FATPIPE" => Ok(Policy::Fatpipe),
            "SPLITDUPLEX" | "FULLDUPLEX" => Ok(Policy::Split),
            "WIFI" => refuse!(
                "{element} is a WIFI link, which is not supported: replace it by a link with a \
                 fixed bandwidth"
            ),
            _ => refuse!(
                "unknown sharing policy `{text}` of {element}; use SHARED, FATPIPE or SPLITDUPLEX"
            ),
        }
    }
}

impl Reader<'_> {
    pub(super) fn link(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        self.zone("link")?;
        let policy = tag.optional("sharing_policy");
        let policy = policy.as_deref().unwrap_or("SHARED");
        let policy = Policy::parse(policy, &format!("link `{id}`"))?;
        let wire = LinkSpeed {
            bytes_per_s: units::bandwidth(&tag.required("bandwidth")?)?,
            latency_s: units::time(tag.optional("latency").as_deref().unwrap_or("0"))?,
        };
        let add =
            |reader: &mut Self, name: String, sharing| reader.add_link(plain(name, wire, sharing));
        let wires = match policy {
            Policy::Shared => Wires::One(add(self, id.clone(), Sharing::Shared)?),
            Policy::Fatpipe => Wires::One(add(self, id.clone(), Sharing::Fatpipe)?),
            Policy::Split => {
                let up = add(self, format!("{id}_UP"), Sharing::Shared)?;
                let down = add(self, format!("{id}_DOWN"), Sharing::Shared)?;
                let wires = Wires::Split { up, down };
                self.name_link(&id, wires)?;
                wires
            }
        };
        if let Some(file) = tag.filled("bandwidth_file") {
            let profile = self.profile_in(&file)?;
            self.change_links(&profile, wires, Quantity::Bandwidth)?;
        }
        if let Some(file) = tag.filled("latency_file") {
            let profile = self.profile_in(&file)?;
            self.change_links(&profile, wires, Quantity::Latency)?;
        }
        if tag.filled("state_file").is_some() {
            self.warn_of_state(&id);
        }
        Ok(())
    }

    pub(super) fn add_link(&mut self, link: Link) -> Result<u32, Problem> {
        let name = link.name.clone();
        let at = self.builder.link(link)?;
        self.name_link(&name, Wires::One(at))?;
        Ok(at)
    }

    fn name_link(&mut self, name: &str, wires: Wires) -> Result<(), Problem> {
        if self.links.insert(name.to_owned(), wires).is_some() {
            refuse!("two links are named `{name}`: choose different names");
        }
        Ok(())
    }

    /// Finds the link with this name. Reports a name that refers to two links.
    pub(super) fn one_link(&self, name: &str) -> Result<u32, Problem> {
        match self.links.get(name) {
            Some(Wires::One(link)) => Ok(*link),
            Some(Wires::Split { .. }) => {
                refuse!("link `{name}` consists of two links: write `{name}_UP` or `{name}_DOWN`")
            }
            None => refuse!("link `{name}` is not described before this line: describe it first"),
        }
    }

    pub(super) fn backbone(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let id = tag.required("id")?;
        let wire = LinkSpeed {
            bytes_per_s: units::bandwidth(&tag.required("bandwidth")?)?,
            latency_s: units::time(&tag.required("latency")?)?,
        };
        let line = self.line;
        let zone = self.zone("backbone")?;
        if zone.kind != Kind::Cluster {
            refuse!("backbone `{id}` is in a zone without Cluster routing: move it");
        }
        let link = plain(id, wire, Sharing::Shared);
        if let Some((_, other)) = zone.backbone.replace((line, link)) {
            refuse!("the zone has two backbones: remove `{}`", other.name);
        }
        Ok(())
    }

    pub(super) fn host_link(&mut self, tag: &mut Tag) -> Result<(), Problem> {
        let line = self.line;
        let link = HostLink {
            line,
            host: tag.required("id")?,
            up: tag.required("up")?,
            down: tag.required("down")?,
        };
        let zone = self.zone("host_link")?;
        if zone.kind != Kind::Cluster {
            refuse!("`host_link` is in a zone without Cluster routing: use `route` instead");
        }
        zone.host_links.push(link);
        Ok(())
    }
}
