//! Text in lines, indented by blocks.

/// The deepest indentation, so that a deep program is no long text.
const DEEPEST: usize = 20;

/// Lines of C text.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    /// Nothing yet, in so many blocks.
    pub fn new(depth: usize) -> Self {
        Self {
            text: String::new(),
            depth,
        }
    }

    /// Adds a line at the current depth.
    pub fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text
                .extend(std::iter::repeat_n("    ", self.depth.min(DEEPEST)));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Adds `{` and goes a block deeper.
    pub fn open(&mut self) {
        self.line("{");
        self.depth += 1;
    }

    /// Leaves the block and adds `close`: `}`, and what stands behind it.
    pub fn close(&mut self, close: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(close);
    }

    /// Adds finished lines as they are.
    pub fn append(&mut self, lines: &Self) {
        self.text.push_str(&lines.text);
    }

    /// All lines.
    pub fn finish(self) -> String {
        self.text
    }
}
