//! Finds functions that compute between a program's MPI calls but don't call MPI themselves.
//! `objdump` and `addr2line` (GNU binutils) read the program's machine code and debug information.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;

const FILE_MAX: u64 = 1 << 26;
/// Maximum number of call sites of a function to follow, and maximum number of levels of callers.
const CALLERS_MAX: usize = 4;

/// A function that contains an instruction, and the instruction's line in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Frame {
    function: String,
    line: u32,
}

#[derive(Debug)]
struct Instruction {
    address: u64,
    /// Name of the called function in the linker's symbols.
    callee: Option<String>,
    /// Target of a backward jump: the start of a loop.
    loop_from: Option<u64>,
    /// The frames, innermost first. Each one encloses those before it.
    frames: Vec<Frame>,
}

#[derive(Debug, Default)]
pub(crate) struct Code {
    functions: BTreeMap<String, Vec<Instruction>>,
    /// Functions that call MPI directly or through other functions.
    with_calls: BTreeSet<String>,
    /// Names of these functions in the source code.
    named_with_calls: BTreeSet<String>,
    /// Where each of these functions is called: the caller, and the index of the instruction.
    callers: BTreeMap<String, Vec<(String, usize)>>,
    /// Addresses to which MPI calls return.
    sites: BTreeSet<u64>,
}

impl Code {
    /// Reads the code of a file whose MPI calls return to `sites`; empty if the file can't be read.
    pub(crate) fn of(path: &str, sites: impl Iterator<Item = u64>) -> Self {
        let size = std::fs::metadata(path).map_or(u64::MAX, |it| it.len());
        if size > FILE_MAX {
            return Self::default();
        }
        let mut command = Command::new("objdump");
        command.args(["--disassemble", "--no-show-raw-insn", "--", path]);
        let output = command.stdin(Stdio::null()).output();
        let text = output.map_or(String::new(), |it| {
            String::from_utf8_lossy(&it.stdout).into()
        });
        let mut code = Self {
            functions: disassembled(&text),
            sites: sites.collect(),
            ..Self::default()
        };
        code.find_calls();
        code.find_frames(path);
        code
    }

    /// Finds the functions that call MPI, directly or through other functions.
    fn find_calls(&mut self) {
        let is_site = |it: &[Instruction]| self.sites.contains(&it[1].address);
        let with_sites = |it: &(&String, &Vec<Instruction>)| it.1.windows(2).any(is_site);
        let direct = self.functions.iter().filter(with_sites);
        self.with_calls = direct.map(|it| it.0.clone()).collect();
        loop {
            let known = &self.with_calls;
            let calls = |it: &Instruction| it.callee.as_ref().is_some_and(|it| known.contains(it));
            let more = { self.functions.iter() }
                .filter(|it| !known.contains(it.0) && it.1.iter().any(calls));
            let more: Vec<_> = more.map(|it| it.0.clone()).collect();
            if more.is_empty() {
                break;
            }
            self.with_calls.extend(more);
        }
        for caller in &self.with_calls {
            for (at, instruction) in self.functions[caller].iter().enumerate() {
                if let Some(callee) = instruction.callee.as_ref().filter(|it| *it != caller) {
                    let callers = self.callers.entry(callee.clone()).or_default();
                    callers.push((caller.clone(), at));
                }
            }
        }
    }

    /// Finds the frames of instructions in functions with MPI calls, and the starts of other
    /// functions.
    fn find_frames(&mut self, path: &str) {
        let with_calls = &self.with_calls;
        let mut wanted: BTreeMap<u64, &mut Instruction> = BTreeMap::new();
        for (name, instructions) in &mut self.functions {
            let count = if with_calls.contains(name) {
                usize::MAX
            } else {
                1
            };
            wanted.extend(
                instructions
                    .iter_mut()
                    .take(count)
                    .map(|it| (it.address, it)),
            );
        }
        let addresses: Vec<_> = wanted.keys().map(|it| format!("{it:#x}")).collect();
        let text = frames(path, addresses.join("\n").into_bytes()).unwrap_or_default();
        let mut lines = text.lines().peekable();
        while let Some(address) = lines.next() {
            let address = address.strip_prefix("0x").unwrap_or(address);
            let found = u64::from_str_radix(address, 16).ok();
            let mut found = found.and_then(|it| wanted.get_mut(&it));
            while let Some(function) = lines.next_if(|it| !it.starts_with("0x")) {
                let place = lines.next().unwrap_or_default();
                let line = place.rsplit_once(':').map_or("", |it| it.1);
                let line = line.split(' ').next().and_then(|it| it.parse().ok());
                if let Some(found) = &mut found {
                    let function = without_arguments(function);
                    let line = line.unwrap_or(0);
                    found.frames.push(Frame { function, line });
                }
            }
        }
        for (name, instructions) in &self.functions {
            for pair in instructions.windows(2) {
                let is_site = self.sites.contains(&pair[1].address);
                let known = pair[0].frames.iter().filter(|_| is_site);
                self.named_with_calls
                    .extend(known.map(|it| it.function.clone()));
            }
            if self.with_calls.contains(name) {
                let last = instructions[0].frames.last();
                self.named_with_calls
                    .extend(last.map(|it| it.function.clone()));
            }
        }
    }

    /// Returns the function that does most of the computing before the call that returns to `site`;
    /// empty if there is none.
    pub(crate) fn computing_before(&self, site: u64) -> &str {
        let found = self.call_before(site);
        found.map_or("", |(name, at)| self.computing_in(name, at, CALLERS_MAX))
    }

    /// Returns the functions and lines of the call that returns to `site`; empty if unknown.
    pub(crate) fn lines_of(&self, site: u64) -> String {
        let Some((name, at)) = self.call_before(site) else {
            return String::new();
        };
        let frames = &self.functions[name][at].frames;
        if frames.iter().any(|it| it.line == 0) {
            return String::new();
        }
        let lines = frames
            .iter()
            .map(|it| format!("{}:{}", it.function, it.line));
        lines.collect::<Vec<_>>().join(" ")
    }

    fn call_before(&self, site: u64) -> Option<(&String, usize)> {
        self.with_calls.iter().find_map(|name| {
            let at = self.functions[name].binary_search_by_key(&site, |it| it.address);
            Some((name, at.ok()?.checked_sub(1)?))
        })
    }

    /// Returns the function that computes before a call. It is found in the function that makes the
    /// call, or otherwise in all callers of that function.
    fn computing_in(&self, name: &str, at: usize, depth: usize) -> &str {
        let instructions = &self.functions[name];
        let mut levels = 0..instructions[at].frames.len();
        if let Some(found) = levels.find_map(|it| self.computing_at(instructions, at, it)) {
            return found;
        }
        let callers = self.callers.get(name);
        let Some(callers) = callers.filter(|it| depth > 0 && it.len() <= CALLERS_MAX) else {
            return "";
        };
        let of = |(name, at): &(String, usize)| self.computing_in(name, *at, depth - 1);
        let first = of(&callers[0]);
        if callers[1..].iter().all(|it| of(it) == first) {
            first
        } else {
            ""
        }
    }

    /// Returns the function that computes before a call, based on one of the functions around the
    /// call: first on the loops around the call, from the inside out, then on the code since the
    /// previous call. Returns `None` if there is no previous call, because then the code before the
    /// function counts too.
    fn computing_at<'c>(
        &'c self,
        instructions: &'c [Instruction],
        at: usize,
        level: usize,
    ) -> Option<&'c str> {
        let call = &instructions[at];
        let done = self.done(instructions, &call.frames[level + 1..]);
        let loops = { instructions.iter() }.filter_map(|it| Some((it.loop_from?, it.address)));
        let is_around = |it: &(u64, u64)| (it.0..=it.1).contains(&call.address);
        let mut loops: Vec<_> = loops.filter(is_around).collect();
        loops.sort_by_key(|it| it.1 - it.0);
        let here = call.frames[level].line;
        for within in loops {
            let done = || {
                done.iter()
                    .filter(|it| within.0 <= it.address && it.address <= within.1)
            };
            let calls = || done().filter(|it| it.has_calls).map(|it| it.line);
            let found = if let Some(before) = calls().filter(|it| *it < here).max() {
                heaviest(done(), |line| before < line && line <= here)
            } else {
                // The last call of the previous iteration. It can be this one.
                let before = calls().max()?;
                heaviest(done(), |line| before < line || line <= here)
            };
            if !found.is_empty() {
                return Some(found);
            }
        }
        let calls = done.iter().filter(|it| it.has_calls && it.line < here);
        let before = calls.map(|it| it.line).max()?;
        Some(heaviest(done.iter(), |line| before < line && line <= here))
    }

    /// Returns what the instructions of a function with these outer frames do.
    fn done<'c>(&'c self, instructions: &'c [Instruction], outer: &[Frame]) -> Vec<Done<'c>> {
        let mut done = Vec::new();
        for pair in instructions.windows(2) {
            let inner = pair[0].frames.strip_suffix(outer);
            let Some((own, inlined)) = inner.and_then(<[Frame]>::split_last) else {
                continue;
            };
            let callee = pair[0].callee.as_ref();
            let called = callee.and_then(|it| Some((it, self.functions.get(it)?)));
            let (name, weight, has_calls) = if let Some(inlined) = inlined.last() {
                let has_calls = self.named_with_calls.contains(&inlined.function);
                (&*inlined.function, 1, has_calls)
            } else if let Some((callee, code)) = called {
                let name = code[0].frames.last().map_or("", |it| &*it.function);
                (name, code.len(), self.with_calls.contains(callee))
            } else {
                ("", 1, self.sites.contains(&pair[1].address))
            };
            done.push(Done {
                address: pair[0].address,
                line: own.line,
                name,
                weight,
                has_calls,
            });
        }
        done
    }
}

/// What an instruction on a line of a function does. It belongs to an inlined callee, or to the
/// function itself.
#[derive(Debug)]
struct Done<'c> {
    address: u64,
    line: u32,
    name: &'c str,
    weight: usize,
    has_calls: bool,
}

/// Returns the function with the most instructions on some lines; empty if that is the enclosing
/// function.
fn heaviest<'d, 'c: 'd>(
    done: impl Iterator<Item = &'d Done<'c>>,
    is_between: impl Fn(u32) -> bool,
) -> &'c str {
    let mut weights: BTreeMap<&str, usize> = BTreeMap::new();
    for it in done.filter(|it| !it.has_calls && is_between(it.line)) {
        *weights.entry(it.name).or_default() += it.weight;
    }
    let all: usize = weights.values().sum();
    let heaviest = weights.into_iter().max_by_key(|it| it.1);
    let named = heaviest.filter(|it| is_named(it.0) && 2 * it.1 >= all);
    named.map_or("", |it| it.0)
}

/// Returns `false` for functions of compilers and their libraries.
fn is_named(function: &str) -> bool {
    function.starts_with(|it: char| it.is_ascii_alphabetic()) && !function.starts_with("std::")
}

fn jump(text: &str) -> Option<u64> {
    let (words, target) = text.rsplit_once(" <")?;
    let address = u64::from_str_radix(words.rsplit([' ', ',']).next()?, 16).ok();
    let is_jump = words.starts_with(['j', 'b', 'c', 't']) && !words.starts_with("call");
    address.filter(|_| is_jump && target.contains('+'))
}

/// Parses the output of `objdump`, and returns functions with their instructions.
fn disassembled(text: &str) -> BTreeMap<String, Vec<Instruction>> {
    let mut functions: BTreeMap<String, Vec<Instruction>> = BTreeMap::new();
    let mut name = "";
    for line in text.lines() {
        if let Some(begun) = line.strip_suffix(">:").and_then(|it| it.split_once(" <")) {
            name = begun.1;
            continue;
        }
        let Some((address, text)) = line.trim_start().split_once(":\t") else {
            continue;
        };
        let Ok(address) = u64::from_str_radix(address, 16) else {
            continue;
        };
        if name.ends_with("@plt") {
            continue;
        }
        let target = text.rsplit_once(" <").and_then(|it| it.1.strip_suffix('>'));
        let target = target.filter(|it| !it.contains('+') && *it != name);
        functions
            .entry(name.to_owned())
            .or_default()
            .push(Instruction {
                address,
                callee: target.map(str::to_owned),
                loop_from: jump(text).filter(|it| *it <= address),
                frames: Vec::new(),
            });
    }
    functions
}

/// Returns the functions and lines at these addresses, as `addr2line` prints them.
fn frames(path: &str, addresses: Vec<u8>) -> Option<String> {
    let mut command = Command::new("addr2line");
    command.args([
        "--addresses",
        "--functions",
        "--inlines",
        "--demangle",
        "--exe",
        path,
    ]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.stderr(Stdio::null()).spawn().ok()?;
    let mut input = child.stdin.take()?;
    let writer = thread::spawn(move || input.write_all(&addresses));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the name of a C++ function without its arguments, and without what the compiler adds.
pub(crate) fn without_arguments(name: &str) -> String {
    let name = name.split('(').next().unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_compilers_add() {
        for (name, expected) in [
            ("relax", "relax"),
            ("exchange.constprop.0", "exchange"),
            ("halo::swap(double*, int)", "halo::swap"),
        ] {
            assert_eq!(without_arguments(name), expected);
        }
    }
}
