//! Reads Caliper's own files (`.cali`): profiles that contain one record per line.
//!
//! A node has an attribute, a value and a parent; attributes are nodes too. A record with measured
//! values refers to nodes. Those with nested attributes name the record's region and the regions
//! around it.

use std::collections::BTreeMap;

use prophet_text::Problem;

use crate::measurements::caliper::{DEPTH_MAX, REGION_MAX, parameters};
use crate::measurements::collector::{Collector, MeasuredRow, content, is_named, number};
use crate::measurements::scalar::Globals;
use crate::measurements::unit::{metric, seconds};

/// First characters of each record.
const RECORD: &str = "__rec=";
/// Maximum number of nodes on a path to the root.
const STEPS_MAX: usize = 4096;
/// The two attributes that exist before any record: an attribute's name and its properties.
const NAME: u64 = 8;
const PROPERTIES: u64 = 10;
/// The attribute of an attribute that specifies the unit of its values.
const UNIT: &str = "attribute.unit";
/// Bits in an attribute's properties.
const HIDDEN: u64 = 128;
const NESTED: u64 = 256;
const GLOBAL: u64 = 512;

#[derive(Debug)]
struct CaliNode {
    attribute: u64,
    value: String,
    parent: Option<usize>,
}

#[derive(Debug, Clone, Default)]
struct Attribute {
    name: String,
    properties: u64,
    /// The unit of the values in seconds; `None` if they aren't times.
    unit: Option<f64>,
}

impl Attribute {
    const fn is(&self, property: u64) -> bool {
        self.properties & property != 0
    }
}

#[derive(Debug)]
struct Record {
    line: usize,
    region: usize,
    values: Vec<(u64, String)>,
}

#[derive(Debug, Default)]
struct CaliRecords {
    nodes: Vec<CaliNode>,
    places: BTreeMap<u64, usize>,
    attributes: BTreeMap<u64, Attribute>,
    records: Vec<Record>,
    globals: Globals,
}

pub(crate) fn is_record(line: &str) -> bool {
    line.starts_with(RECORD)
}

pub(crate) fn add(collector: &mut Collector<'_>, text: &str) -> Result<(), Problem> {
    let mut profile = CaliRecords::default();
    for (line, record) in content(text) {
        let told = |why: String| collector.told(line, &why);
        profile.record(line, record).map_err(told)?;
    }
    let at = parameters(collector, &profile.globals)?;
    for record in &profile.records {
        let told = |why: String| collector.told(record.line, why);
        let region = profile.path(record.region).map_err(told)?;
        let mut rows = Vec::new();
        for (id, value) in &record.values {
            let Some(attribute) = profile.attributes.get(id) else {
                return Err(told(format!(
                    "no earlier record defines the attribute {id}"
                )));
            };
            let Some(unit) = measured(collector, attribute) else {
                continue;
            };
            let number = number(value).ok_or_else(|| {
                let name = &attribute.name;
                told(format!(
                    "expected a number in `{name}` in `{region}`, found `{value}`"
                ))
            })?;
            rows.push((attribute.name.as_str(), unit, number));
        }
        for (metric, unit, value) in rows {
            let row = MeasuredRow {
                region: &region,
                metric,
                unit: Some(unit),
                at: &at,
                value,
            };
            collector.add(record.line, &row)?;
        }
    }
    Ok(())
}

/// Returns an attribute's unit in seconds, if it is a time or the metric that the user chose.
fn measured(collector: &Collector<'_>, attribute: &Attribute) -> Option<f64> {
    let chosen = collector.choice().metric.as_ref();
    let is_chosen = chosen.is_some_and(|it| is_named(it, &attribute.name));
    if attribute.is(HIDDEN) && !is_chosen {
        return None;
    }
    let time = attribute.unit.or_else(|| metric(&attribute.name).seconds);
    time.or_else(|| is_chosen.then_some(1.0))
}

impl CaliRecords {
    fn record(&mut self, line: usize, text: &str) -> Result<(), String> {
        let fields = fields(text);
        let list = |key: &str| {
            let mut found = fields.iter().filter(|(it, _)| it == key);
            found.next().map_or(&[][..], |(_, values)| values)
        };
        let first = |key: &str| list(key).first().map(String::as_str);
        let (refs, ids) = (integers(list("ref"))?, integers(list("attr"))?);
        match first("__rec") {
            Some("node") => {
                let [id] = integers(list("id"))?[..] else {
                    return Err("a node has no `id`".to_owned());
                };
                let [attribute] = ids[..] else {
                    return Err(format!("the node {id} has no attribute"));
                };
                let parent = integers(list("parent"))?.first().copied();
                let value = first("data").unwrap_or_default().to_owned();
                self.node(id, attribute, value, parent)
            }
            Some("ctx") => {
                let values = ids.into_iter().zip(list("data").iter().cloned());
                let values = values.collect();
                for id in refs {
                    let place = self.place(id)?;
                    if self.regions(place).next().is_some() {
                        self.records.push(Record {
                            line,
                            region: place,
                            values,
                        });
                        break;
                    }
                }
                Ok(())
            }
            Some("globals") => {
                for (id, value) in ids.into_iter().zip(list("data")) {
                    self.global(id, value);
                }
                for id in refs {
                    let place = self.place(id)?;
                    let about: Vec<usize> = self.walk(place).collect();
                    for place in about {
                        let CaliNode {
                            attribute, value, ..
                        } = &self.nodes[place];
                        let (attribute, value) = (*attribute, value.clone());
                        self.global(attribute, &value);
                    }
                }
                Ok(())
            }
            other => Err(format!("`{}` is not a Caliper record", other.unwrap_or(""))),
        }
    }

    /// Adds a node, which can be an attribute.
    fn node(
        &mut self,
        id: u64,
        attribute: u64,
        value: String,
        parent: Option<u64>,
    ) -> Result<(), String> {
        // The types of values exist before any record, and don't matter here.
        let parent = parent.filter(|it| self.places.contains_key(it) || *it > PROPERTIES);
        let parent = parent.map(|it| self.place(it)).transpose()?;
        let place = self.nodes.len();
        if attribute == NAME {
            let mut about = Attribute {
                name: value.clone(),
                ..Attribute::default()
            };
            for node in parent.into_iter().flat_map(|it| self.walk(it)) {
                let node = &self.nodes[node];
                if node.attribute == PROPERTIES {
                    about.properties = node.value.parse().unwrap_or(0);
                }
                let kind = self.attributes.get(&node.attribute);
                if kind.is_some_and(|it| it.name == UNIT) {
                    about.unit = seconds(&node.value);
                }
            }
            self.attributes.insert(id, about);
        }
        self.places.insert(id, place);
        self.nodes.push(CaliNode {
            attribute,
            value,
            parent,
        });
        Ok(())
    }

    fn place(&self, id: u64) -> Result<usize, String> {
        let place = self.places.get(&id).copied();
        place.ok_or_else(|| format!("no earlier record defines the node {id}"))
    }

    /// Iterates over the indices of a node and its ancestors, up to the root.
    fn walk(&self, place: usize) -> impl Iterator<Item = usize> {
        // Parents come before their children, so each walk ends.
        let all = std::iter::successors(Some(place), |it| self.nodes[*it].parent);
        all.take(STEPS_MAX)
    }

    /// Iterates over a node's region and the regions around it, innermost first.
    fn regions(&self, place: usize) -> impl Iterator<Item = &str> {
        let nodes = self.walk(place).map(|it| &self.nodes[it]);
        let is_nested = |it: &&CaliNode| {
            let kind = self.attributes.get(&it.attribute);
            kind.is_some_and(|it| it.is(NESTED))
        };
        nodes.filter(is_nested).map(|it| it.value.as_str())
    }

    /// Returns the path of a node's region.
    fn path(&self, place: usize) -> Result<String, String> {
        let mut labels = Vec::new();
        let mut length = 0;
        for label in self.regions(place).take(DEPTH_MAX) {
            length += label.len() + 1;
            if length > REGION_MAX {
                return Err(format!(
                    "names of regions longer than {REGION_MAX} bytes are not supported"
                ));
            }
            labels.push(label);
        }
        labels.reverse();
        Ok(labels.join("/"))
    }

    fn global(&mut self, id: u64, value: &str) {
        let attribute = self.attributes.get(&id).filter(|it| it.is(GLOBAL));
        if let Some((attribute, number)) = attribute.zip(number(value)) {
            self.globals.insert(attribute.name.clone(), number);
        }
    }
}

/// Splits a record into fields and their values. In a value, `\` escapes a separator.
fn fields(text: &str) -> Vec<(String, Vec<String>)> {
    let mut fields = vec![Vec::new()];
    let mut word = String::new();
    let mut characters = text.chars();
    loop {
        let c = characters.next();
        match c {
            Some('\\') => match characters.next() {
                Some('n') => word.push('\n'),
                Some(other) => word.push(other),
                None => {}
            },
            Some('=' | ',') | None => {
                let word = std::mem::take(&mut word);
                fields
                    .last_mut()
                    .into_iter()
                    .for_each(|it| it.push(word.clone()));
                match c {
                    Some(',') => fields.push(Vec::new()),
                    Some(_) => {}
                    None => break,
                }
            }
            Some(c) => word.push(c),
        }
    }
    let keyed = fields.into_iter().map(|mut it| (it.remove(0), it));
    keyed.collect()
}

/// Parses the ids of nodes or attributes.
fn integers(words: &[String]) -> Result<Vec<u64>, String> {
    let number = |word: &String| {
        let number = word.parse();
        number.map_err(|_| format!("`{word}` is not a node number"))
    };
    words.iter().map(number).collect()
}
