//! Lists the formats, those that are recognized most reliably first.

use super::head::{is, is_dumpi, is_utf16_text};
use super::{FileFormat, FileKind};

/// Declares a format. It is recognized by its content or one of these extensions.
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

/// Declares a format of another tool that no command accepts.
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

const MODEL: &str = "it is a model; use it with `check`, `run` or `gen`";

/// All formats. Contents are compared first, then extensions, and then marks. The first match
/// counts.
pub(super) const FORMATS: &[FileFormat] = &[
    FileFormat {
        is_for_models: false,
        is: Some(is_utf16_text),
        ..foreign(
            &[],
            &[],
            "it is UTF-16 text; save it as UTF-8, for example with `iconv -f UTF-16 -t UTF-8`",
        )
    },
    known!(Model, &[], MODEL),
    known!(
        Rules,
        &[],
        "it contains rules or stereotypes; pass it with `--rules` or `--vocabulary`"
    ),
    known!(
        Dax,
        &["dax"],
        "it is a Pegasus workflow (DAX); use it with `run` or `sweep`"
    ),
    FileFormat {
        is_for_models: true,
        ..known!(
            Mermaid,
            &["mmd", "mermaid"],
            "it is a Mermaid drawing, not a UML model; draw the program in a UML tool, or write it \
             as PlantUML text (docs/text.md)"
        )
    },
    known!(
        Platform,
        &[],
        "it is a SimGrid platform, which describes a machine; use it with `run MODEL --machine`"
    ),
    known!(
        Machine,
        &[],
        "it is a machine file; use it with `run MODEL --machine`"
    ),
    known!(
        WorkflowPlan,
        &[],
        "it is the plan of a workflow sweep; use it with `sweep work`"
    ),
    known!(Plan, &[], "it is the plan of a sweep; use it with `sweep`"),
    FileFormat {
        is_for_models: false,
        is: Some(|head| head.text.contains("[pytorch|profiler|execution_trace")),
        ..foreign(
            &[],
            &[],
            "it is a PyTorch execution trace, which has no times; use the profile that PyTorch's \
             profiler exports, or convert the trace to Chakra (.et)",
        )
    },
    FileFormat {
        kind: FileKind::Kineto,
        is_for_models: false,
        is: Some(|head| head.starts(b"\x1f\x8b")),
        ..foreign(
            &["gz"],
            &[],
            "it is compressed; only `run` and `import` read compressed files, and only PyTorch \
             profiles",
        )
    },
    known!(
        Kineto,
        &[],
        "it is a PyTorch profile; replay it with `run`, or create a model from it with `import`"
    ),
    known!(
        Chakra,
        &["et"],
        "it is a Chakra graph; replay it with `run`, or create a model from it with `import`"
    ),
    known!(
        Benchmark,
        &[],
        "it is a Snakemake benchmark; use it with a DAG: `run DAG --with`"
    ),
    known!(
        TaskTimes,
        &[],
        "it is a table of task times; use it with a workflow: `run WORKFLOW --with`"
    ),
    known!(
        Cwl,
        &[],
        "it is a CWL workflow; use it with `run` or `sweep`"
    ),
    known!(
        Pegasus,
        &[],
        "it is a Pegasus workflow; use it with `run` or `sweep`"
    ),
    known!(
        Statistics,
        &[],
        "it contains Snakemake statistics; use it with a DAG: `run DAG --with`"
    ),
    known!(
        OutputRecord,
        &[],
        "it is a Snakemake record; use it with a DAG: `run DAG --with`"
    ),
    known!(
        Schedule,
        &[],
        "it is the schedule of a workflow; pass it to `run` with `--schedule`"
    ),
    known!(
        Outcome,
        &[],
        "it is the result of a run; use it with `report` or `runs`"
    ),
    known!(
        Measurements,
        &[],
        "it contains measurements; use it with `fit`"
    ),
    known!(
        WfFormat,
        &[],
        "it is a WfFormat workflow; use it with `run` or `sweep`"
    ),
    known!(
        NextflowTrace,
        &[],
        "it is a Nextflow trace; use it with `run`, and pass its DAG with `--with`"
    ),
    known!(
        Dot,
        &[],
        "it is a DOT graph; use it with `run`, and pass its times with `--with`"
    ),
    known!(
        Recorded,
        &["arrow"],
        "it is a trace of a prediction; use it with `report`, `trace` or `import`"
    ),
    known!(
        Otf2,
        &["otf2"],
        "it is an OTF2 archive; replay it with `run`, or create a model from it with `import`"
    ),
    known!(
        Goal,
        &["goal"],
        "it is a LogGOPSim schedule; replay it with `run`, or create a model from it with `import`"
    ),
    known!(
        TimeIndependent,
        &["ti"],
        "it is a SimGrid trace; replay it with `run`, or create a model from it with `import`"
    ),
    FileFormat {
        is_for_models: false,
        is: Some(is_dumpi),
        ..foreign(
            &[],
            &[],
            "it is the output of `dumpi2ascii`, which is not supported; convert the trace to OTF2 \
             with DUMPI's `dumpi2otf2`",
        )
    },
    known!(
        Liballprof,
        &[],
        "it is a liballprof trace; replay it with `run`, or create a model from it with `import`"
    ),
    foreign(
        &["eap", "eapx", "qea", "qeax", "feap"],
        &["Standard Jet DB", "Standard ACE DB"],
        "it is an Enterprise Architect project; export it there with *Publish, Export XMI* as UML \
               2.x (XMI 2.1), and use that file",
    ),
    foreign(
        &["vpp", "vpux"],
        &[],
        "it is a Visual Paradigm project; export it there with *Project, Export, XMI* in version \
               2.1, and use that file",
    ),
    foreign(
        &["sqlite"],
        &["SQLite format 3\0"],
        "it is a database; if it is a project of Enterprise Architect (.qea) or Visual Paradigm \
               (.vpp), export it there as XMI 2.1",
    ),
    foreign(
        &["mdj"],
        &["\"_type\": \"Project\"", "\"_type\":\"Project\""],
        "it is a StarUML project; export it there with *File, Export, XMI Export (v2.1)*, an \
               extension of StarUML, and use that file",
    ),
    foreign(
        &[],
        &["<XPD:PROJECT"],
        "it is a StarUML 1 project; export it there with *File, Export, XMI*, and use that file",
    ),
    foreign(
        &["capella", "melodymodeller"],
        &["org.polarsys.capella"],
        "it is a Capella model, not a UML model; draw the program in a UML tool such as Papyrus, \
               and use the file that it writes",
    ),
    foreign(
        &["sysml", "kerml"],
        &[],
        "it is SysML 2 text, which is not supported; draw the program as a UML activity diagram, \
               or write it as PlantUML text (docs/text.md)",
    ),
    foreign(
        &["asta", "jude", "asml"],
        &[],
        "it is an astah project; save it there as XMI with *Tool, XML Input & Output*, and use \
               that file",
    ),
    foreign(
        &["mdl", "ptl"],
        &["(object Petal"],
        "it is a Rational Rose model; export it there as XMI, and use that file",
    ),
    foreign(
        &["di", "notation", "aird"],
        &[
            "<notation:Diagram",
            "<di:SashWindowsMngr",
            "<architecture:ArchitectureDescription",
            "<viewpoint:DAnalysis",
        ],
        "it contains only the drawings of an Eclipse model; use the `.uml` file next to it",
    ),
    foreign(
        &["puml", "plantuml", "iuml", "pu", "wsd"],
        &[],
        "it has no line `@startuml`, which starts a model as text (docs/text.md)",
    ),
    foreign(
        &["drawio", "dio"],
        &["<mxfile", "<mxGraphModel"],
        "it is a draw.io drawing, not a UML model; draw the program in a UML tool such as Papyrus, \
               and use the file that it writes",
    ),
    foreign(
        &["vsdx", "vsd", "vdx"],
        &["<VisioDocument"],
        "it is a Visio drawing, not a UML model; draw the program in a UML tool such as Papyrus, \
               and use the file that it writes",
    ),
    foreign(
        &["uxf"],
        &["<umlet_diagram", "program=\"umlet\""],
        "it is a UMLet drawing, not a UML model; draw the program in a UML tool such as Papyrus, \
               and use the file that it writes",
    ),
    foreign(
        &["gaphor"],
        &["<gaphor"],
        "it is a Gaphor model, and Gaphor does not export activities; draw the program in a UML \
               tool such as Papyrus, and use the file that it writes",
    ),
    foreign(
        &["bpmn"],
        &["omg.org/spec/BPMN"],
        "it is a BPMN model, not a UML model; draw the program as an activity diagram",
    ),
    foreign(
        &["pdf", "png", "jpg", "jpeg", "svg", "gif"],
        &["%PDF-", "PNG\r\n", "<svg"],
        "it is a picture; export the model as XMI from the tool that drew it",
    ),
    FileFormat {
        is_for_models: false,
        ..foreign(
            &["prv", "pcf"],
            &["#Paraver"],
            "it is a Paraver trace, which is not supported; record the program with `record`, or \
             convert the trace to OTF2",
        )
    },
    foreign(
        &["wdl"],
        &[],
        "it is a WDL workflow, which is not supported; draw its tasks (docs/workflows.md), or use \
         CWL",
    ),
    FileFormat {
        is_for_models: false,
        ..foreign(
            &["swf"],
            &[],
            "it is a log of jobs; set it as the `log` of a site in a machine file \
             (docs/workflows.md)",
        )
    },
    foreign(
        &["smk", "snakefile"],
        &[],
        "it is a Snakemake workflow; use its DAG, which `snakemake --dag` prints",
    ),
    foreign(
        &["nf"],
        &[],
        "it is a Nextflow workflow; use the trace of a run (`-with-trace`) and its DAG",
    ),
    foreign(
        &["toml"],
        &[],
        "it is TOML, but neither a machine file (with `name` and `source`) nor the plan of a sweep \
         (with `model`)",
    ),
    FileFormat {
        kind: FileKind::Measurements,
        is_for_models: false,
        ..foreign(
            &["csv", "tsv", "cali"],
            &[],
            "it is a table; use measurements with `fit`",
        )
    },
    FileFormat {
        is_for_models: false,
        ..foreign(
            &[],
            &["\u{7f}ELF"],
            "it is a program; record its MPI calls with `record`",
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
            "it is JSON, not an XMI model; export the model as XMI 2.1 from its tool",
        )
    },
];
