//! Lists the keywords of the text format, so that editors can highlight and complete them.

prophet_text::named_enum! {
    /// The words that statements start with, in any case.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Statement {
        Backward = "backward",
        Break = "break",
        Card = "card",
        Case = "case",
        Detach = "detach",
        Else = "else",
        ElseIf = "elseif",
        End = "end",
        EndFork = "endfork",
        EndGroup = "endgroup",
        EndIf = "endif",
        EndMerge = "endmerge",
        EndSplit = "endsplit",
        EndSwitch = "endswitch",
        EndWhile = "endwhile",
        Floating = "floating",
        Fork = "fork",
        ForkAgain = "forkagain",
        Goto = "goto",
        Group = "group",
        If = "if",
        Kill = "kill",
        Label = "label",
        Legend = "legend",
        Note = "note",
        Package = "package",
        Partition = "partition",
        Rectangle = "rectangle",
        Repeat = "repeat",
        RepeatWhile = "repeatwhile",
        Split = "split",
        SplitAgain = "splitagain",
        Start = "start",
        Stop = "stop",
        Switch = "switch",
        Title = "title",
        While = "while",
    }
}

prophet_text::named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Ended {
        Fork = "fork",
        Group = "group",
        If = "if",
        Merge = "merge",
        Split = "split",
        Switch = "switch",
        While = "while",
    }
}

prophet_text::named_enum! {
    /// The words that legend lines start with.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Declaration {
        Global = "global",
        Local = "local",
        Main = "main",
        Model = "model",
        Parameter = "parameter",
    }
}

/// The words of statements that only affect a drawing's style.
pub const STYLES: [&str; 16] = [
    "skinparam",
    "skin",
    "scale",
    "hide",
    "show",
    "header",
    "footer",
    "caption",
    "mainframe",
    "center",
    "left",
    "right",
    "top",
    "rotate",
    "newpage",
    "sprite",
];

/// Returns the words that statements start with, including `end` with each word that can follow it.
pub fn statements() -> impl Iterator<Item = String> {
    let first = Statement::ALL.into_iter().map(|it| it.name().to_owned());
    let ended = Ended::ALL.into_iter();
    first.chain(ended.map(|it| format!("end {}", it.name())))
}

/// Returns the words that legend lines start with.
pub fn declarations() -> impl Iterator<Item = &'static str> {
    Declaration::ALL.into_iter().map(Declaration::name)
}
