//! Lists which attributes and children each element of a rule file can have. A test compares the
//! lists with the schema `rules/mcl.xsd`.

pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) attributes: &'static [&'static str],
    children: &'static [&'static str],
    has_conditions: bool,
}

impl Word {
    pub(super) fn has_child(&self, name: &str) -> bool {
        self.children().any(|child| child == name)
    }

    pub(super) fn children(&self) -> impl Iterator<Item = &'static str> {
        let conditions = CONDITIONS.iter().map(|word| word.name);
        let conditions = conditions.filter(|_| self.has_conditions);
        self.children.iter().copied().chain(conditions)
    }
}

const fn word(
    name: &'static str,
    attributes: &'static [&'static str],
    children: &'static [&'static str],
) -> Word {
    Word {
        name,
        attributes,
        children,
        has_conditions: false,
    }
}

const fn combination(name: &'static str) -> Word {
    Word {
        name,
        attributes: &[],
        children: &[],
        has_conditions: true,
    }
}

pub(super) const PARTS: &[Word] = &[
    word(
        "mcl",
        &["name"],
        &["vocabulary", "hardware", "diagrams", "elements", "rules"],
    ),
    word("vocabulary", &["profile", "crate", "path"], &["stereotype"]),
    word("hardware", &["crate", "path", "models"], &[]),
    word("stereotype", &["name", "type", "price"], &["argument"]),
    word("argument", &["tag", "type", "required"], &[]),
    word("diagrams", &[], &["diagram"]),
    word("elements", &[], &["element"]),
    word("rules", &[], &["rule", "set"]),
    word("diagram", &["name", "is"], &[]),
    word("element", &["name", "node", "stereotype", "any"], &["tag"]),
    word(
        "tag",
        &["name", "type", "one-of", "required", "min", "max", "or"],
        &[],
    ),
    word("set", &["code", "severity"], &[]),
    word(
        "rule",
        &[
            "code", "severity", "report", "for", "element", "flow", "tag", "diagram", "variable",
            "function",
        ],
        &[
            "summary", "why", "message", "help", "when", "wrong", "right",
        ],
    ),
    word("summary", &[], &[]),
    word("why", &[], &[]),
    word("message", &[], &[]),
    word("help", &[], &[]),
    word("wrong", &[], &[]),
    word("right", &[], &[]),
    combination("when"),
];

pub(super) const CONDITIONS: &[Word] = &[
    combination("all"),
    combination("any"),
    combination("not"),
    word("is", &["element"], &[]),
    word("in", &["diagram"], &[]),
    word(
        "flows",
        &["way", "guard", "element", "to-itself", "min", "max"],
        &[],
    ),
    word("next", &["element", "through"], &[]),
    word("inside", &["element", "until", "same"], &[]),
    word("contains", &["element", "depth", "min", "max"], &[]),
    word("empty", &[], &[]),
    word("has", &["tag"], &[]),
    word("value", &["tag", "below", "above", "equals"], &[]),
    word("text", &["tag", "equals"], &[]),
    word("varies", &["tag", "by"], &[]),
    word("offset", &["tag"], &[]),
    word("fraction", &["tag"], &[]),
    word("below", &["tag", "element"], &[]),
    word("mismatch", &["tag", "element", "partner"], &[]),
    word("chain", &["element"], &[]),
    word("wrong-tag", &["is"], &[]),
    word("named", &[], &[]),
    word("same-name", &[], &[]),
    word("implied", &[], &[]),
    word("unreachable", &[], &[]),
    word("endless", &[], &[]),
    word("never-ends", &[], &[]),
    word("can-all-fail", &[], &[]),
    word("guard", &["is"], &[]),
    word("branch", &["on", "balanced"], &[]),
    word("loop", &["on"], &[]),
    word("exists", &["element", "tag", "absent"], &[]),
    word("leads-to", &["element", "without"], &[]),
    word("follows", &["element"], &[]),
    word("from-start", &["without"], &[]),
    word("program-reaches", &["element", "without"], &[]),
    word("program-ends", &["without"], &[]),
    word("used", &[], &[]),
    word("assigned", &[], &[]),
    word("default", &[], &[]),
    word("parameter", &[], &[]),
    word("called", &[], &[]),
    word("code", &[], &[]),
    word("assigns", &["variable"], &[]),
    word("mentions", &["name"], &[]),
];

pub(super) fn word_of(name: &str) -> Option<&'static Word> {
    PARTS
        .iter()
        .chain(CONDITIONS)
        .find(|word| word.name == name)
}
