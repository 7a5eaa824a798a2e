"""Runs Calculon on the iterations and the search that this project predicts.

Calculon (https://github.com/calculon-ai/calculon, commit caa4b11) needs numpy, pandas and psutil.
In the folder of the project, with Calculon's folder as the first argument:

    python3 xtask/accuracy/src/training/calculon.py CALCULON > calculon.tsv
    python3 xtask/accuracy/src/training/calculon.py CALCULON search 100000

The first line writes predicted seconds of each row, or `-` where Calculon refuses a layout. The
second line times Calculon's search on two cores. Systems are those that Calculon ships.
"""

import csv
import itertools
import json
import logging
import multiprocessing
import pathlib
import random
import sys
import time

CALCULON = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(CALCULON))
from calculon.llm import AllExecutions, Llm  # noqa: E402
from calculon.system import System  # noqa: E402

HERE = pathlib.Path("xtask/accuracy/src/training")
MEASURED = pathlib.Path("../shared/measurements/llm")

# Hidden size, layers and heads of MPT (llm-foundry, scripts/train/yamls).
MPT = {
    "760m": (1536, 24, 12),
    "1b": (2048, 24, 16),
    "3b": (2560, 32, 20),
    "7b": (4096, 32, 32),
    "13b": (5120, 40, 40),
    "30b": (7168, 48, 56),
    "70b": (8192, 80, 64),
}


def system(name):
    return json.loads((CALCULON / "systems" / f"{name}.json").read_text())


def application(hidden, layers, heads, sequence):
    return {
        "hidden": hidden,
        "feedforward": 4 * hidden,
        "seq_size": sequence,
        "attn_heads": heads,
        "attn_size": hidden // heads,
        "num_blocks": layers,
    }


def execution(gpus, tensor, stages, batch, micro_batch, recompute, **others):
    """Ranks lie as in Megatron-LM: tensor groups, replicas, stages; a node has eight GPUs."""
    data = gpus // (tensor * stages)
    return {
        "num_procs": gpus,
        "tensor_par": tensor,
        "pipeline_par": stages,
        "data_par": data,
        "tensor_par_net": int(tensor > 8),
        "pipeline_par_net": int(gpus > 8),
        "data_par_net": int(tensor * data > 8),
        "batch_size": batch,
        "microbatch_size": micro_batch,
        "datatype": "float16",
        "fused_activation": False,
        "attention_type": "multihead",
        "activation_recompute": recompute,
        "pipeline_interleaving": 1,
        "optimizer_sharding": False,
        "tensor_par_comm_type": "ar",
        "tensor_par_overlap": "none",
        "seq_par_ag_redo": False,
        "data_par_overlap": False,
        "weight_offload": False,
        "activations_offload": False,
        "optimizer_offload": False,
        "training": True,
        **others,
    }


def sequence_parallel(on, recompute):
    comm = "rs_ag" if on else "ar"
    return {"tensor_par_comm_type": comm, "seq_par_ag_redo": on and recompute != "full"}


def seconds(system, application, execution):
    """The time of an iteration, or None for a layout that Calculon refuses."""
    model = Llm(Llm.Application(application), logging.getLogger("quiet"))
    try:
        model.compile(system, Llm.Execution.from_json(execution))
        model.run(system)
    except Llm.Error:
        return None
    return model.get_total_time()


def rows(file, delimiter=","):
    with open(file, encoding="utf-8-sig", newline="") as text:
        for row in csv.DictReader(text, delimiter=delimiter):
            yield row, lambda *names, row=row: [int(row[name]) for name in names]


def table_5():
    machine = System(system("a100_80g"))
    for row, count in rows(MEASURED / "megatron_seqsel_table5.tsv", "\t"):
        model = application(*count("hidden", "layers", "heads", "seq"))
        recompute = "full" if row["recompute"] == "full" else "attn_only"
        parallel = sequence_parallel(row["tp_comm"] == "rs_ag", recompute)
        layout = count("gpus", "tp", "pp", "global_batch", "microbatch")
        chunks = int(row["interleave"])
        layout = execution(*layout, recompute, pipeline_interleaving=chunks, **parallel)
        yield seconds(machine, model, layout)


def vtrain(file):
    machine = System(system("a100_80g"))
    names = ["hidden size", "# layers", "attention heads", "sequence length"]
    others = ["# GPUs", "tensor parallelism", "pipeline parallelism", "global batch", "micro batch"]
    for _, count in rows(file):
        model = application(*count(*names))
        yield seconds(machine, model, execution(*count(*others), "full"))


def foundry():
    """Calculon has no FSDP: its nearest is an optimizer that replicas share."""
    machine = System(system("h100_80g_nvl8"))
    for row, count in rows(MEASURED / "llm_foundry_h100.csv"):
        gpus, sequence, micro_batch, steps = count(
            "# GPUs", "SeqLen (T)", "MicroBatchSize", "GradAccum"
        )
        recompute = "full" if row["Activation Checkpointing"] == "True" else "none"
        layout = execution(
            *(gpus, 1, 1, gpus * micro_batch * steps, micro_batch, recompute),
            datatype="float8" if row["Precision"] == "amp_fp8" else "float16",
            optimizer_sharding=True,
            data_par_overlap=True,
        )
        yield seconds(machine, application(*MPT[row["Model"]], sequence), layout)


def nemo():
    """Rows of GPT alone: Calculon has neither grouped queries nor SwiGLU."""
    machine = System(system("h100_80g_nvl8"))
    for row, count in rows(HERE / "nemo.tsv", "\t"):
        if row["GATED"] == "1":
            yield None
            continue
        gpus, tensor = count("gpus", "TENSOR")
        layout = execution(
            *(gpus, tensor, *count("processes", "BATCH", "MICRO_BATCH"), "attn_only"),
            datatype="float8",
            optimizer_sharding=True,
            data_par_overlap=True,
            pipeline_interleaving=int(row["INTERLEAVE"]),
            tensor_par_overlap="pipe" if tensor > 1 else "none",
            **sequence_parallel(tensor > 1, "attn_only"),
        )
        model = application(*count("HIDDEN", "LAYERS", "HEADS", "SEQUENCE"))
        yield seconds(machine, model, layout)


def write_rows():
    tables = {
        "llm/megatron_seqsel_table5.tsv": table_5(),
        "llm/vtrain_multi.csv": vtrain(MEASURED / "vtrain_multi.csv"),
        "llm/llm_foundry_h100.csv": foundry(),
        "nemo.tsv": nemo(),
        "llm/vtrain_single.csv": vtrain(MEASURED / "vtrain_single.csv"),
    }
    print("file\trow\tcalculon_s")
    for file, all_s in tables.items():
        for row, each_s in enumerate(all_s):
            print(f"{file}\t{row}\t{'-' if each_s is None else f'{each_s:.6g}'}")


# The search of sample-models/megatron.md.
MODEL = application(25600, 128, 160, 2048)
GPUS, BATCH = 4096, 4096


def b200():
    machine = system("h100_80g_nvl8")
    machine["matrix"]["float16"]["tflops"] = 2250
    machine["mem1"].update(GiB=180e9 / 2**30, GBps=8000)
    machine["networks"][0]["bandwidth"] = 900
    return System(machine)


def same_space():
    """The points of `sweep` that divide; Calculon has no zero-bubble schedules."""
    stages, tensor, chunks = range(1, 129), (1, 2, 4, 8), (1, 2, 4, 8, 16)
    recompute = ("none", "attn_only", "full")
    points = itertools.product(stages, tensor, chunks, (1, 2, 4), recompute, (False, True))
    for p, t, v, b, again, sequence in points:
        data, left = divmod(GPUS, t * p)
        divides = left == 0 and 128 % (p * v) == 0 and BATCH % (data * b) == 0
        if divides and not (p == 1 < v or t == 1 and sequence):
            parallel = sequence_parallel(sequence, again)
            yield execution(GPUS, t, p, BATCH, b, again, pipeline_interleaving=v, **parallel)


def own_space(count):
    """So many of the layouts that Calculon's own search enumerates, by chance."""
    arguments = (Llm.Application(MODEL), b200(), GPUS, BATCH, "float16", [True])
    layouts = list(AllExecutions.all_executions(*arguments))
    chosen = random.Random(1).sample(layouts, min(count, len(layouts)))
    fields = Llm.Execution.fields()
    return len(layouts), [dict(zip(fields, layout)) for layout in chosen]


def timed(layouts):
    """Predicts all in one process; gives the least time, how many fit, and seconds of CPU."""
    begin_s = time.process_time()
    machine = b200()
    found = [(seconds(machine, MODEL, layout), index) for index, layout in enumerate(layouts)]
    fits = [it for it in found if it[0] is not None]
    best = min(fits, default=(float("inf"), None))
    return best[0], best[1] and layouts[best[1]], len(fits), time.process_time() - begin_s


def search(count):
    all_own, own = own_space(count)
    spaces = [("layouts of `sweep` that divide", list(same_space()))]
    spaces.append((f"of {all_own:,} layouts of its own search", own))
    for name, layouts in spaces:
        begin_s = time.monotonic()
        with multiprocessing.Pool(2) as pool:
            parts = pool.map(timed, [layouts[0::2], layouts[1::2]], chunksize=1)
        wall_s = time.monotonic() - begin_s
        cpu_s = sum(part[3] for part in parts)
        best = min(parts, key=lambda part: part[0])
        fits = sum(part[2] for part in parts)
        print(f"{len(layouts):,} {name}: {wall_s:.1f} s, {cpu_s:.1f} s of CPU; {fits:,} fit")
        print(f"  least {best[0]:.3f} s: {json.dumps(best[1])}")


if sys.argv[2:3] == ["search"]:
    search(int(sys.argv[3]))
else:
    write_rows()
