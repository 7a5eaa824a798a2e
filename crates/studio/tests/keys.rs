//! Tests random sequences of keys, pressed as fast as a keyboard sends them. The model must contain
//! what was typed.

use std::collections::BTreeMap;
use std::time::Duration;

use prophet_testing::Random;
use serde_json::Value;

use crate::studio::{LAPW0, Page};

const ENTER: char = '\u{e007}';
const ESCAPE: char = '\u{e00c}';
const CONTROL: char = '\u{e009}';

/// Number of sequences in the gate, and the variable that overrides it.
const SEQUENCES: u64 = 12;
const SET_SEQUENCES: &str = "PROPHET_KEY_SEQUENCES";
/// The variable that selects the first sequence.
const SET_FIRST: &str = "PROPHET_KEY_FIRST";
const ACTIONS: u64 = 8;
const SFT: &str = "SFT";
const NODES: [&str; 4] = ["_SFT", "_ETOTAL", "_Calculate_Multipolmoments", "_Output3"];
/// Pauses after a key in milliseconds; most are short.
const PAUSES_MS: [u64; 20] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 5, 5, 8, 15, 60, 150, 300,
];

/// The state of a model: the names and costs of its nodes, and all flows with their ends.
#[derive(Debug, Clone, PartialEq)]
struct Typed {
    nodes: BTreeMap<String, (String, String)>,
    flows: BTreeMap<(String, String), usize>,
}

impl Typed {
    fn of(state: &Value) -> Self {
        let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
        let diagram = &state["diagrams"][0];
        let nodes = diagram["nodes"].as_array().unwrap().iter();
        let nodes = nodes.filter(|it| NODES.contains(&it["id"].as_str().unwrap()));
        let of = |it: &Value| (text(&it["name"]), text(&it["stereotype"]["tags"]["cost"]));
        let mut flows = BTreeMap::new();
        for flow in diagram["flows"].as_array().unwrap() {
            let ends = (text(&flow["source"]), text(&flow["target"]));
            *flows.entry(ends).or_default() += 1;
        }
        Self {
            nodes: nodes.map(|it| (text(&it["id"]), of(it))).collect(),
            flows,
        }
    }
}

/// Keys, and the state that they should lead to.
struct Sequence<'r> {
    random: &'r mut Random,
    keys: String,
    now: Typed,
    /// The state before each undo step.
    before: Vec<Typed>,
    selected: &'static str,
    /// A number that makes each text unique.
    fresh: u64,
}

impl Sequence<'_> {
    fn name(&self, node: &str) -> String {
        self.now.nodes[node].0.clone()
    }

    fn changes(&mut self) -> &mut Typed {
        self.before.push(self.now.clone());
        self.fresh += 1;
        &mut self.now
    }

    fn select(&mut self) {
        self.selected = *self.random.pick(&NODES);
        let name = self.name(self.selected);
        self.keys.extend(['/']);
        self.keys.push_str(&name);
        self.keys.push(ENTER);
    }

    fn cost(&mut self) {
        // Some of these names are undeclared, so the list of completions offers different ones.
        let form = *self.random.pick(&[
            "", "*3", "/(NAT+1)", "+0.25", " + 1e-3", "*n", "/P", " + N", "*nu", "-pi", "*NA",
        ]);
        let text = format!("{}{form}", self.fresh);
        let selected = self.selected;
        let nodes = &mut self.changes().nodes;
        nodes.get_mut(selected).unwrap().1.clone_from(&text);
        self.keys.push('e');
        self.keys.push_str(&text);
        let end = *self.random.pick(&[ENTER, ENTER, ESCAPE]);
        self.keys.push(end);
    }

    fn rename(&mut self) {
        let word = *self.random.pick(&["Fourier", "add", "E", "cube"]);
        let name = format!("N{:06}{word}", self.fresh);
        let selected = self.selected;
        let nodes = &mut self.changes().nodes;
        nodes.get_mut(selected).unwrap().0.clone_from(&name);
        self.keys.push(ENTER);
        self.keys.push_str(&name);
        self.keys.push(ENTER);
    }

    fn connect(&mut self) {
        // There is at most one flow between two nodes.
        let is_free = |it: &&&str| {
            let ends = (self.selected.to_owned(), (**it).to_owned());
            **it != self.selected && !self.now.flows.contains_key(&ends)
        };
        let others: Vec<_> = NODES.iter().filter(is_free).collect();
        if others.is_empty() {
            return self.undo();
        }
        let target = **self.random.pick(&others);
        let name = self.name(target);
        let ends = (self.selected.to_owned(), target.to_owned());
        *self.changes().flows.entry(ends).or_default() += 1;
        self.keys.push('c');
        self.keys.push_str(&name);
        self.keys.push(ENTER);
    }

    fn undo(&mut self) {
        if let Some(before) = self.before.pop() {
            self.now = before;
            self.keys.extend([CONTROL, 'z']);
        }
    }

    fn act(&mut self) {
        match self.random.below(10) {
            0 | 1 => self.select(),
            2..=5 => self.cost(),
            6 | 7 => self.rename(),
            8 => self.connect(),
            _ => self.undo(),
        }
    }
}

/// Waits until the expected state is reached and stays. Returns the last state.
fn reached(page: &Page, expected: &Typed) -> Typed {
    let mut now = Typed::of(&page.state());
    let mut stayed = 0;
    for _ in 0..300 {
        page.browser.run_async("setTimeout(done, 100)");
        let next = Typed::of(&page.state());
        // A state on the way can equal the last one.
        stayed = if next == now && next == *expected {
            stayed + 1
        } else {
            0
        };
        now = next;
        if stayed == 3 {
            break;
        }
    }
    now
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn what_was_typed_is_in_the_model() {
    let Some(page) = Page::open(LAPW0) else {
        return;
    };
    let first = number(SET_FIRST).unwrap_or(0);
    let sequences = number(SET_SEQUENCES).unwrap_or(SEQUENCES);
    for sequence in first..first + sequences {
        let mut random = Random(sequence);
        if random.below(8) == 0 {
            // The first keys on a page, before everything is loaded.
            page.browser.open_address(&page.address);
            page.until("document.querySelector('.canvas svg')");
        }
        let pause = *random.pick(&PAUSES_MS);
        let mut typed = Sequence {
            now: Typed::of(&page.state()),
            random: &mut random,
            keys: String::from(ESCAPE),
            before: Vec::new(),
            selected: NODES[0],
            fresh: 10_000 + 100 * sequence,
        };
        typed.select();
        for _ in 0..ACTIONS {
            typed.act();
        }
        page.browser
            .type_keys(&typed.keys, Duration::from_millis(pause));
        let shown = typed.keys.escape_debug();
        let place = format!("sequence {sequence}, {pause} ms a key: {shown}");
        assert_eq!(reached(&page, &typed.now), typed.now, "{place}");
        if sequence % 50 == 49 {
            eprintln!("{sequence}");
        }
        assert_eq!(page.browser.console(), [""; 0], "{place}");
    }
}

#[test]
fn keys_wait_for_the_answer_of_a_busy_studio() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    page.browser.run(
        "const real = window.fetch;
         window.fetch = async (...asked) => {
             if (asked[0] === 'api/undo') await new Promise((go) => setTimeout(go, 3000));
             return real(...asked);
         }",
    );
    let keys =
        format!("{ESCAPE}/{SFT}{ENTER}{ENTER}Fourier{ENTER}{CONTROL}z/{SFT}{ENTER}e7{ENTER}");
    let mut expected = Typed::of(&page.state());
    page.browser.type_keys(&keys, Duration::ZERO);
    let typed = (SFT.to_owned(), "7".to_owned());
    expected.nodes.insert("_SFT".to_owned(), typed);
    assert_eq!(reached(&page, &expected), expected);
}

#[test]
fn keys_that_replace_a_cost_keep_no_style_of_it() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    let cost = |keys: String, expected: &str| {
        page.browser.type_keys(&keys, Duration::ZERO);
        let expected = (SFT.to_owned(), expected.to_owned());
        let mut now = Typed::of(&page.state());
        now.nodes.insert("_SFT".to_owned(), expected);
        assert_eq!(reached(&page, &now), now);
        assert_eq!(page.browser.console(), [""; 0]);
    };
    // The digits are typed only after the undo was answered.
    cost(
        format!("{ESCAPE}/{SFT}{ENTER}e12{ENTER}{CONTROL}ze34{ENTER}"),
        "34",
    );
    // A bracket encloses the selection. Without a selection, it gets its counterpart.
    cost(format!("e({ENTER}"), "(34)");
    cost(format!("e5*({ENTER}"), "5*()");
}

/// Tests that a cost contains what was typed, whether Enter or Escape ends it, and whether or not
/// the list of completions opens between two keys.
#[test]
fn names_not_yet_declared_stay_at_any_speed() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    let before = Typed::of(&page.state());
    let cases = [20, 100, 300]
        .map(|pause| [("n", ENTER), ("P", ESCAPE), ("2*N", ENTER)].map(|it| (pause, it)));
    for (pause, (cost, end)) in cases.into_iter().flatten() {
        // The keys after the cost are for the drawing again.
        let keys = format!("{ESCAPE}/{SFT}{ENTER}e{cost}{end}{ENTER}Next{ENTER}");
        let mut expected = before.clone();
        let typed = ("Next".to_owned(), cost.to_owned());
        expected.nodes.insert("_SFT".to_owned(), typed);
        page.browser.type_keys(&keys, Duration::from_millis(pause));
        let place = format!("{cost} and {pause} ms a key");
        assert_eq!(reached(&page, &expected), expected, "{place}");
        let keys = format!("{CONTROL}z{CONTROL}z");
        page.browser.type_keys(&keys, Duration::from_millis(20));
        assert_eq!(reached(&page, &before), before, "{place}");
    }
    assert_eq!(page.browser.console(), [""; 0]);
}

#[test]
fn completions_are_taken_by_tab_or_by_enter_after_an_arrow() {
    let Some(page) = Page::lapw0() else {
        return;
    };
    for (keys, expected) in [("\u{e004}", "pid"), ("\u{e015}\u{e007}", "pid")] {
        page.browser
            .type_keys(&format!("{ESCAPE}/{SFT}{ENTER}e2*pi"), Duration::ZERO);
        let list = "document.querySelector('[data-label=cost]').shadowRoot\
             .querySelector('.cm-tooltip-autocomplete')";
        page.until(list);
        let text = page.browser.run(&format!("return {list}.innerText"));
        assert!(
            text.as_str().unwrap().contains("this process, from 0"),
            "{text}"
        );
        page.browser.run_async("setTimeout(done, 200)");
        page.browser.type_keys(keys, Duration::from_millis(100));
        let mut cost = Typed::of(&page.state());
        cost.nodes.get_mut("_SFT").unwrap().1 = format!("2*{expected}");
        assert_eq!(reached(&page, &cost), cost);
    }
}
