//! Tests the first steps exactly as the documentation describes them.

use crate::studio::{CONTROL, ENTER, ESCAPE, Page};

const DOCUMENTATION: &str = include_str!("../../../../docs/studio.md");

/// A step as the documentation words it, and how to perform it here.
type Step = (&'static str, fn(&Page));

const STEPS: &[Step] = &[
    (
        "Start the studio with the name of a new file, and open the address that it prints.",
        |page| page.until("document.querySelector('.canvas svg')"),
    ),
    (
        "Press `a`, type `initial`, and press Enter to mark where the program starts. Press `a` \
         again, type `action+`, press Enter, and give the block a name.",
        |page| {
            page.choose("initial");
            page.until("document.querySelectorAll('.djs-shape').length == 1");
            page.until("document.querySelector('.djs-shape.selected')");
            page.choose("action+");
            page.named("Block");
        },
    ),
    (
        "Press `e`, type the block's cost in seconds, such as `2.5/NUM_PROCESSES`, and press \
         Enter. The predicted time appears at the upper right.",
        |page| {
            page.browser.press("e");
            page.until("document.activeElement.matches('.code-host')");
            page.browser.press("2.5/NUM_PROCESSES");
            page.browser.press(ENTER);
            page.shows("2.5 s");
        },
    ),
    (
        "Press `a`, type `barrier`, and press Enter twice. Then press `a`, type `final`, and press \
         Enter.",
        |page| {
            page.until("document.activeElement.matches('.canvas svg')");
            page.choose("barrier");
            page.until("document.activeElement.matches('.rename')");
            page.browser.press(ENTER);
            page.until("document.activeElement.matches('.canvas svg')");
            page.choose("final");
            page.until("document.querySelectorAll('.djs-shape').length == 4");
            page.shows("No problems");
        },
    ),
    (
        "Press `t` and drag the `nodes` slider. The time, the shares and the process bars update \
         as you drag, and a curve shows the time at each slider position.",
        |page| {
            page.until("document.querySelectorAll('.selected').length == 1");
            page.browser.press("t");
            page.until("document.querySelector('[aria-label=\"nodes, slider\"]')");
            page.slide_to_five();
            page.shows("0.5 s");
            page.until("document.querySelectorAll('.processes li').length == 5");
            page.shows("0.5 s with 5: 5.00 times as fast as with 1");
            page.until("document.querySelectorAll('.time-curve circle').length == 17");
        },
    ),
    (
        "Press Ctrl+S to save. `performance-prophet run model.uml` predicts the same time.",
        |page| {
            page.browser.press(ESCAPE);
            page.browser.press_while(CONTROL, "s");
            page.shows("Saved model.uml.");
        },
    ),
];

impl Page {
    /// Chooses a node to append.
    fn choose(&self, kind: &str) {
        self.browser.press("a");
        self.until("document.activeElement.matches('.chooser input')");
        self.browser.press(kind);
        self.browser.press(ENTER);
    }

    fn named(&self, name: &str) {
        self.until("document.activeElement.matches('.rename')");
        self.browser.press(name);
        self.browser.press(ENTER);
        self.until("document.activeElement.matches('.canvas svg')");
        self.shows(name);
    }

    /// Sets the slider of nodes to 5, as a drag does.
    fn slide_to_five(&self) {
        let right = "\u{e014}";
        let slider = "[aria-label=\"nodes, slider\"]";
        self.browser
            .run(&format!("document.querySelector('{slider}').focus()"));
        for _ in 0..64 {
            if self
                .browser
                .run("return document.body.innerText.includes('5 on 5 nodes')")
                == true
            {
                return;
            }
            self.browser.press(right);
            self.browser.run_async("setTimeout(() => done(true), 150)");
        }
    }
}

#[test]
fn the_first_steps_of_the_documentation_work() {
    let (_, rest) = DOCUMENTATION.split_once("\n## First steps\n").unwrap();
    let (section, _) = rest.split_once("\n## ").unwrap();
    let written = section
        .lines()
        .filter(|it| it.starts_with(|it: char| it.is_ascii_digit()));
    let written: Vec<&str> = written
        .filter_map(|it| Some(it.split_once(". ")?.1))
        .collect();
    let done: Vec<&str> = STEPS.iter().map(|(step, _)| *step).collect();
    assert_eq!(written, done);
    let Some(page) = Page::begin() else {
        return;
    };
    for (step, take) in STEPS {
        take(&page);
        assert_eq!(page.browser.console(), [""; 0], "{step}");
    }
    // The file has four nodes, and the cost of the first step, divided by the number of processes.
    let text = std::fs::read_to_string(page.file()).unwrap();
    assert_eq!(text.matches("<node ").count(), 4, "{text}");
    assert!(text.contains("cost=\"2.5/NUM_PROCESSES\""), "{text}");
}
