//! Lists the formats, the most certain first.

use super::head::{is, is_dumpi};
use super::{FileFormat, FileKind};

/// Declares a format that is recognized by a file's content, or otherwise by these extensions.
macro_rules! known {
    ($kind:ident, $endings:expr, $told:expr) => {
        FileFormat {
            kind: FileKind::$kind,
            told: $told,
            endings: $endings,
            marks: &[],
            is_for_models: false,
            is: Some(|head| is(FileKind::$kind, head)),
        }
    };
}

/// Declares another tool's format, which no command accepts.
const fn foreign(
    endings: &'static [&'static str],
    marks: &'static [&'static str],
    told: &'static str,
) -> FileFormat {
    FileFormat {
        kind: FileKind::Foreign,
        told,
        endings,
        marks,
        is_for_models: true,
        is: None,
    }
}

const MODEL: &str = "it is a model; `check`, `run` and `gen` take it";

/// All formats. Content counts before names, and names before marks; the first match wins.
pub(super) const FORMATS: &[FileFormat] = &[
    known!(Model, &[], MODEL),
    known!(
        Rules,
        &[],
        "it has rules or stereotypes; pass it with `--rules` or `--vocabulary`"
    ),
    known!(
        Dax,
        &["dax"],
        "it is a workflow of Pegasus (DAX); `run` and `sweep` take it"
    ),
    FileFormat {
        is_for_models: true,
        ..known!(
            Mermaid,
            &["mmd", "mermaid"],
            "it is a text of Mermaid, which is a drawing and no UML model; draw the program in a \
             UML tool, or write it as a text of PlantUML (docs/text.md)"
        )
    },
    known!(
        Platform,
        &[],
        "it is a platform of SimGrid, which is a machine; pass it with `--machine`"
    ),
    known!(
        Machine,
        &[],
        "it is a machine file; pass it with `--machine`"
    ),
    known!(
        WorkflowPlan,
        &[],
        "it is a plan of a sweep of a workflow; `sweep work` takes it"
    ),
    known!(Plan, &[], "it is a plan of a sweep; `sweep` takes it"),
    FileFormat {
        is_for_models: false,
        is: Some(|head| head.text.contains("[pytorch|profiler|execution_trace")),
        ..foreign(
            &[],
            &[],
            "it is an execution trace of PyTorch, which has no times; give the profile that \
             PyTorch's profiler exports, or convert it to Chakra (.et)",
        )
    },
    FileFormat {
        kind: FileKind::Kineto,
        is_for_models: false,
        is: Some(|head| head.starts(b"\x1f\x8b")),
        ..foreign(
            &["gz"],
            &[],
            "it is compressed; `run` and `import` read compressed profiles of PyTorch, and no \
             command anything else",
        )
    },
    known!(
        Kineto,
        &[],
        "it is a profile of PyTorch; `run` replays it, and `import` makes a model of it"
    ),
    known!(
        Chakra,
        &["et"],
        "it is a graph of Chakra; `run` replays it, and `import` makes a model of it"
    ),
    known!(
        Benchmark,
        &[],
        "it is a benchmark of Snakemake; `run DAG --with` takes it beside a DAG"
    ),
    known!(
        TaskTimes,
        &[],
        "it is a table of times of tasks; `run WORKFLOW --with` takes it"
    ),
    known!(
        Cwl,
        &[],
        "it is a workflow in CWL; `run` and `sweep` take it"
    ),
    known!(
        Pegasus,
        &[],
        "it is a workflow of Pegasus; `run` and `sweep` take it"
    ),
    known!(
        Statistics,
        &[],
        "it has statistics of Snakemake; `run DAG --with` takes it beside a DAG"
    ),
    known!(
        OutputRecord,
        &[],
        "it is a record of Snakemake; `run DAG --with` takes it beside a DAG"
    ),
    known!(
        Schedule,
        &[],
        "it is a schedule of a workflow; pass it to `run` with `--schedule`"
    ),
    known!(
        Outcome,
        &[],
        "it is the result of a run; `report` and `runs` take it"
    ),
    known!(Measurements, &[], "it has measurements; `fit` takes it"),
    known!(
        WfFormat,
        &[],
        "it is a workflow in WfFormat; `run` and `sweep` take it"
    ),
    known!(
        NextflowTrace,
        &[],
        "it is a trace of Nextflow; `run` takes it, with its DAG after `--with`"
    ),
    known!(
        Dot,
        &[],
        "it is a graph in DOT; `run` takes it, with its times after `--with`"
    ),
    known!(
        Recorded,
        &["arrow"],
        "it is a trace of a prediction; `report`, `trace` and `import` take it"
    ),
    known!(
        Otf2,
        &["otf2"],
        "it is an archive of OTF2; `run` replays it, and `import` makes a model of it"
    ),
    known!(
        Goal,
        &["goal"],
        "it is a schedule of LogGOPSim; `run` replays it, and `import` makes a model of it"
    ),
    known!(
        TimeIndependent,
        &["ti"],
        "it is a trace of SimGrid; `run` replays it, and `import` makes a model of it"
    ),
    FileFormat {
        is_for_models: false,
        is: Some(is_dumpi),
        ..foreign(
            &[],
            &[],
            "it is a text of `dumpi2ascii`, which is not supported; convert the trace to OTF2 with \
             DUMPI's `dumpi2otf2`",
        )
    },
    known!(
        Liballprof,
        &[],
        "it is a trace of liballprof; `run` replays it, and `import` makes a model of it"
    ),
    foreign(
        &["eap", "eapx", "qea", "qeax", "feap"],
        &["Standard Jet DB", "Standard ACE DB"],
        "it is a project of Enterprise Architect; export it there by *Publish, Export XMI* \
               as UML 2.x (XMI 2.1), and give that file",
    ),
    foreign(
        &["vpp", "vpux"],
        &[],
        "it is a project of Visual Paradigm; export it there by *Project, Export, XMI* in \
               version 2.1, and give that file",
    ),
    foreign(
        &["sqlite"],
        &["SQLite format 3\0"],
        "it is a database; a project of Enterprise Architect (.qea) or Visual Paradigm \
               (.vpp) is exported there as XMI 2.1",
    ),
    foreign(
        &["mdj"],
        &["\"_type\": \"Project\"", "\"_type\":\"Project\""],
        "it is a project of StarUML; export it there by *File, Export, XMI Export (v2.1)*, \
               an extension of StarUML, and give that file",
    ),
    foreign(
        &[],
        &["<XPD:PROJECT"],
        "it is a project of StarUML 1; export it there by *File, Export, XMI*, and give that \
               file",
    ),
    foreign(
        &["capella", "melodymodeller"],
        &["org.polarsys.capella"],
        "it is a model of Capella, and not in UML; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    ),
    foreign(
        &["sysml", "kerml"],
        &[],
        "it is a text of SysML 2, which is not supported; draw the program as an activity \
               diagram of UML, or write it as a text of PlantUML (docs/text.md)",
    ),
    foreign(
        &["asta", "jude", "asml"],
        &[],
        "it is a project of astah; save it there as XMI by *Tool, XML Input & Output*, and \
               give that file",
    ),
    foreign(
        &["mdl", "ptl"],
        &["(object Petal"],
        "it is a model of Rational Rose; export it there as XMI, and give that file",
    ),
    foreign(
        &["di", "notation", "aird"],
        &[
            "<notation:Diagram",
            "<di:SashWindowsMngr",
            "<architecture:ArchitectureDescription",
            "<viewpoint:DAnalysis",
        ],
        "it holds only the drawings of a model in Eclipse; give the file `.uml` beside it",
    ),
    foreign(
        &["puml", "plantuml", "iuml", "pu", "wsd"],
        &[],
        "it has no line `@startuml`, with which a model as text begins (docs/text.md)",
    ),
    foreign(
        &["drawio", "dio"],
        &["<mxfile", "<mxGraphModel"],
        "it is a drawing of draw.io, and no UML model; draw the program in a UML tool such \
               as Papyrus, and give the file that it writes",
    ),
    foreign(
        &["vsdx", "vsd", "vdx"],
        &["<VisioDocument"],
        "it is a drawing of Visio, and no UML model; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    ),
    foreign(
        &["uxf"],
        &["<umlet_diagram", "program=\"umlet\""],
        "it is a drawing of UMLet, and no UML model; draw the program in a UML tool such as \
               Papyrus, and give the file that it writes",
    ),
    foreign(
        &["gaphor"],
        &["<gaphor"],
        "it is a model of Gaphor, which exports no activities; draw the program in a UML \
               tool such as Papyrus, and give the file that it writes",
    ),
    foreign(
        &["bpmn"],
        &["omg.org/spec/BPMN"],
        "it is a model in BPMN, and not in UML; draw the program as an activity diagram",
    ),
    foreign(
        &["pdf", "png", "jpg", "jpeg", "svg", "gif"],
        &["%PDF-", "PNG\r\n", "<svg"],
        "it is a picture; export the model as XMI from the tool that it was drawn in",
    ),
    FileFormat {
        is_for_models: false,
        ..foreign(
            &["prv", "pcf"],
            &["#Paraver"],
            "it is a trace of Paraver, which is not supported; record the program with `record`, \
             or convert the trace to OTF2",
        )
    },
    foreign(
        &["wdl"],
        &[],
        "it is a workflow in WDL, which is not supported; draw its tasks (docs/workflows.md), or \
         give it in CWL",
    ),
    FileFormat {
        is_for_models: false,
        ..foreign(
            &["swf"],
            &[],
            "it is a log of jobs; name it as `log` of a site in a machine file (docs/workflows.md)",
        )
    },
    foreign(
        &["smk", "snakefile"],
        &[],
        "it is a workflow of Snakemake; give its DAG, which `snakemake --dag` prints",
    ),
    foreign(
        &["nf"],
        &[],
        "it is a workflow of Nextflow; give the trace of a run (`-with-trace`) and its DAG",
    ),
    foreign(
        &["toml"],
        &[],
        "it is TOML, and neither a machine file, which has `name` and `source`, nor a plan of a \
         sweep, which has `model`",
    ),
    FileFormat {
        kind: FileKind::Measurements,
        is_for_models: false,
        ..foreign(
            &["csv", "tsv", "cali"],
            &[],
            "it is a table, and no model; `fit` takes measurements",
        )
    },
    FileFormat {
        is_for_models: false,
        ..foreign(
            &[],
            &["\u{7f}ELF"],
            "it is a program; `record` runs it and records its calls of MPI",
        )
    },
    FileFormat {
        kind: FileKind::Model,
        is_for_models: false,
        ..foreign(&[], &["<xmi:"], MODEL)
    },
    FileFormat {
        kind: FileKind::Json,
        ..foreign(
            &["json"],
            &[],
            "it is JSON, and no model in XMI; export the model as XMI 2.1 from its tool",
        )
    },
];
