//! Parses the conditions in rules.

use super::declare::Reading;
use super::language::{
    Absent, Condition, Count, FlowSelection, GuardKind, GuardState, RuleSubject, Unit,
    VariableKind, Wrong,
};
use super::words::CONDITIONS;
use prophet_model::diagnostic::catalogue::rules;
use prophet_model::xml::Xml;

/// Parses the conditions in `xml`, and reports those that can't apply to the subject.
pub(super) fn read_all(
    reading: &mut Reading<'_>,
    xml: &Xml,
    subject: Option<RuleSubject>,
) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for child in &xml.children {
        reading.check_words(child);
        if let Some(subject) = subject
            && !fits(&child.name, subject)
        {
            let message = format!("`{}` does not apply to {}", child.name, name_of(subject));
            reading.report(&rules::BAD_VALUE, child.span, message, "");
        }
        conditions.extend(read(reading, child, subject));
    }
    conditions
}

fn name_of(subject: RuleSubject) -> &'static str {
    match subject {
        RuleSubject::Element(_) => "an element",
        RuleSubject::Flow(_) => "a flow",
        RuleSubject::Tag(_) => "a tag",
        RuleSubject::Diagram(_) => "a diagram",
        RuleSubject::Variable(_) => "a variable",
        RuleSubject::Function => "a function",
    }
}

/// Returns `true` if a condition can apply to a subject.
fn fits(name: &str, subject: RuleSubject) -> bool {
    let is_element = matches!(subject, RuleSubject::Element(_) | RuleSubject::Tag(_));
    match name {
        "all" | "any" | "not" | "exists" | "program-reaches" | "program-ends" => true,
        "in" => matches!(subject, RuleSubject::Flow(_) | RuleSubject::Diagram(_)) || is_element,
        "empty" | "contains" | "never-ends" => {
            matches!(subject, RuleSubject::Diagram(_)) || is_element
        }
        "guard" => matches!(subject, RuleSubject::Flow(_)),
        "varies" | "is" => matches!(subject, RuleSubject::Flow(_)) || is_element,
        "wrong-tag" => matches!(subject, RuleSubject::Tag(_)),
        "used" | "assigned" | "default" | "parameter" => {
            matches!(subject, RuleSubject::Variable(_))
        }
        "called" => matches!(subject, RuleSubject::Function | RuleSubject::Diagram(_)),
        _ if CONDITIONS.iter().any(|word| word.name == name) => is_element,
        // Unknown conditions are reported when they're parsed.
        _ => true,
    }
}

fn read(reading: &mut Reading<'_>, xml: &Xml, subject: Option<RuleSubject>) -> Option<Condition> {
    let inside = |reading: &mut Reading<'_>| read_all(reading, xml, subject);
    Some(match xml.name.as_str() {
        "all" => Condition::All(inside(reading)),
        "any" => Condition::Any(inside(reading)),
        "not" => Condition::Not(inside(reading)),
        "in" => {
            reading.required(xml, "diagram")?;
            Condition::Diagram(reading.diagram_kind(xml, "diagram")?)
        }
        "empty" => Condition::Empty,
        "named" => Condition::Named,
        "same-name" => Condition::SameName,
        "implied" => Condition::Implied,
        "unreachable" => Condition::Unreachable,
        "endless" => Condition::Endless,
        "never-ends" => Condition::NeverEnds,
        "can-all-fail" => Condition::CanAllFail,
        "used" => Condition::Used,
        "assigned" => Condition::Assigned,
        "default" => Condition::Default,
        "parameter" => Condition::Parameter,
        "called" => Condition::Called,
        "code" => Condition::Code,
        "branch" => Condition::Branch {
            on: unit(reading, xml, "on")?,
            balanced: reading.elements(xml, "balanced"),
        },
        "loop" => Condition::Loop(unit(reading, xml, "on")?),
        "wrong-tag" => {
            let states = [
                ("type", Wrong::Type),
                ("range", Wrong::Range),
                ("missing", Wrong::Missing),
            ];
            reading.required(xml, "is")?;
            Condition::Wrong(reading.choice(xml, "is", &states)?)
        }
        "guard" => {
            let states = [
                ("never", GuardState::Never),
                ("always", GuardState::Always),
                ("repeated", GuardState::Repeated),
                ("else", GuardState::Else),
                ("condition", GuardState::Condition),
            ];
            reading.required(xml, "is")?;
            Condition::Guard(reading.choice(xml, "is", &states)?)
        }
        "is" | "next" | "inside" | "contains" | "flows" | "exists" | "leads-to" | "follows"
        | "from-start" | "program-reaches" | "program-ends" => return about_elements(reading, xml),
        _ => return about_tags(reading, xml),
    })
}

/// Parses a condition on where an element is, relative to other elements.
fn about_elements(reading: &mut Reading<'_>, xml: &Xml) -> Option<Condition> {
    Some(match xml.name.as_str() {
        "is" => Condition::Is(reading.some_elements(xml, "element")?),
        "next" => Condition::Next {
            set: reading.some_elements(xml, "element")?,
            through: reading.elements(xml, "through"),
        },
        "inside" => Condition::Inside {
            set: reading.some_elements(xml, "element")?,
            until: reading.elements(xml, "until"),
            same: xml.attribute("same").map(|text| text.value.clone()),
        },
        "contains" => {
            let deep = reading.choice(xml, "depth", &[("all", true), ("own", false)]);
            Condition::Contains {
                set: reading.some_elements(xml, "element")?,
                deep: deep.unwrap_or(true),
                count: count(reading, xml),
            }
        }
        "flows" => {
            let guards = [
                ("none", GuardKind::None),
                ("condition", GuardKind::Condition),
                ("else", GuardKind::Else),
            ];
            let itself = reading.choice(xml, "to-itself", &[("yes", true), ("no", false)]);
            reading.required(xml, "way")?;
            Condition::Flows {
                way: reading.choice(
                    xml,
                    "way",
                    &[("in", FlowSelection::In), ("out", FlowSelection::Out)],
                )?,
                guard: reading.choice(xml, "guard", &guards),
                other: reading.elements(xml, "element"),
                to_itself: itself.unwrap_or(false),
                count: count(reading, xml),
            }
        }
        "exists" => {
            let tag = xml.attribute("tag").map(|text| text.value.clone());
            let absent = match xml.attribute("absent").map(|text| text.value.trim()) {
                None | Some("any") => Absent::Anything,
                Some(value) => Absent::Default(value.to_owned()),
            };
            Condition::Exists {
                set: reading.some_elements(xml, "element")?,
                partner: tag.map(|tag| (tag, absent)),
            }
        }
        "leads-to" => Condition::LeadsTo {
            set: match xml.attribute("element").map(|text| text.value.trim()) {
                Some("itself") => None,
                _ => Some(reading.some_elements(xml, "element")?),
            },
            without: reading.elements(xml, "without"),
        },
        "follows" => Condition::Follows(reading.some_elements(xml, "element")?),
        "from-start" => Condition::FromStart(reading.some_elements(xml, "without")?),
        "program-reaches" => Condition::ProgramReaches {
            set: reading.some_elements(xml, "element")?,
            without: reading.some_elements(xml, "without")?,
        },
        _ => Condition::ProgramEnds(reading.some_elements(xml, "without")?),
    })
}

fn about_tags(reading: &mut Reading<'_>, xml: &Xml) -> Option<Condition> {
    let mut tag = |name| Some(reading.required(xml, name)?.value.clone());
    Some(match xml.name.as_str() {
        "has" => Condition::Has(tag("tag")?),
        "offset" => Condition::Offset(tag("tag")?),
        "fraction" => Condition::Fraction(tag("tag")?),
        "below" => Condition::Below {
            tag: tag("tag")?,
            set: reading.some_elements(xml, "element")?,
        },
        "mismatch" => Condition::Mismatch {
            tag: tag("tag")?,
            partner: tag("partner")?,
            set: reading.some_elements(xml, "element")?,
        },
        "chain" => Condition::Chain(reading.some_elements(xml, "element")?),
        "mentions" => Condition::Mentions(tag("name")?),
        "text" => Condition::Text {
            tag: tag("tag")?,
            equals: tag("equals")?,
        },
        "value" => Condition::Value {
            tag: tag("tag")?,
            below: reading.number(xml, "below"),
            above: reading.number(xml, "above"),
            equals: reading.number(xml, "equals"),
        },
        "varies" => Condition::Varies {
            tag: xml.attribute("tag").map(|text| text.value.clone()),
            by: unit(reading, xml, "by")?,
        },
        "assigns" => {
            reading.required(xml, "variable")?;
            reading.choice(xml, "variable", &[("global", VariableKind::Global)])?;
            Condition::AssignsGlobal
        }
        // The caller has reported the unknown condition.
        _ => return None,
    })
}

fn unit(reading: &mut Reading<'_>, xml: &Xml, name: &str) -> Option<Unit> {
    reading.required(xml, name)?;
    let units = [("pid", Unit::Process), ("tid", Unit::Thread)];
    reading.choice(xml, name, &units)
}

/// Parses the bounds `min` and `max`. Without bounds, at least one element is required.
fn count(reading: &mut Reading<'_>, xml: &Xml) -> Count {
    let (min, max) = (reading.count(xml, "min"), reading.count(xml, "max"));
    Count {
        min: min.unwrap_or(usize::from(max.is_none())),
        max: max.unwrap_or(usize::MAX),
    }
}
