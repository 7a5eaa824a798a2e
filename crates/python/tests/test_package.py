"""Tests the package with nothing but Python; tests of other packages are skipped without them."""

from __future__ import annotations

import doctest
import importlib.util
import json
import os
import pickle
import signal
import tempfile
import threading
import time
import unittest
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import performance_prophet as pp
from performance_prophet import _fit

TEXT = """
@startuml
legend
  model Ring
  parameter int N = 1000
  parameter bool FAST = false
end legend
start
:<<action+>> Compute
cost = FAST ? 1.0 : 2e-3 * N / NUM_PROCESSES;
:<<allreduce>> Sum
size = 8 * N;
stop
@enduml
"""
ENDLESS = """
@startuml
title Main
start
partition "<<loop+>> Forever\\niterations = 1000000000" {
  :<<action+>> Work
  cost = 1e-3;
}
stop
@enduml
"""


def ring() -> pp.Model:
    return pp.Model.from_text(TEXT, name="ring.puml")


def has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


class Models(unittest.TestCase):
    def test_a_text_is_a_model_with_parameters(self) -> None:
        model = ring()
        self.assertEqual(model.check(), model.problems)
        self.assertEqual(model.name, "Ring")
        self.assertEqual(model.parameters, {"N": 1000, "FAST": False})
        self.assertIn("<svg", model._repr_html_())

    def test_a_file_is_the_same_model(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "ring.puml"
            path.write_text(TEXT)
            model = pp.Model.open(path)
        self.assertEqual(model.predict(N=10).time_s, ring().predict(N=10).time_s)

    def test_a_missing_file_is_an_error_of_the_system(self) -> None:
        with self.assertRaisesRegex(FileNotFoundError, "^cannot read .*: there is no such file"):
            pp.Model.open("no/such.uml")

    def test_problems_have_places(self) -> None:
        model = pp.Model.from_text(TEXT.replace("2e-3 * N", "2e-3 * M"), name="bad.puml")
        with self.assertRaises(pp.ModelError) as raised:
            model.predict()
        problem = raised.exception.problems[0]
        self.assertEqual((problem.severity, problem.file, problem.line), ("error", "bad.puml", 10))
        self.assertIn("`M`", problem.message)
        self.assertIn(f"bad.puml:10:{problem.column}: error {problem.code}", str(raised.exception))
        self.assertIn("bad.puml:10", model._repr_html_())
        with self.assertRaises(pp.ModelError):
            model.check()


class Predictions(unittest.TestCase):
    def test_keywords_are_flags_and_parameters(self) -> None:
        model = ring()
        one = model.predict(N=4000)
        four = model.predict(nodes=2, cpus_per_node=2, N=4000)
        self.assertEqual((one.processes, four.processes), (1, 4))
        self.assertAlmostEqual(one.time_s, 8.0)
        self.assertAlmostEqual(four.time_s, 2.0, places=3)
        self.assertEqual(float(model.predict(FAST=True)), 1.0)
        self.assertEqual(model.predict(parameters={"N": 4000}).time_s, one.time_s)

    def test_a_result_is_a_plain_object(self) -> None:
        result = ring().predict(nodes=2)
        whole = result.to_dict()
        self.assertEqual(whole, json.loads(result.to_json()))
        self.assertEqual(whole["predicted_time_s"], result.time_s)
        self.assertEqual(whole["system"]["nodes"], 2)
        elements = result.elements().to_rows()
        self.assertEqual([it["name"] for it in elements], ["Compute", "Sum"])
        self.assertEqual([it["count"] for it in elements], [2, 2])
        self.assertEqual(result.process_times()["pid"], [0, 1])
        self.assertIn("Compute", result._repr_html_())
        self.assertIn("2 processes on 2 nodes", repr(result))

    def test_what_is_pickled_is_the_same(self) -> None:
        def again(it: Any) -> Any:
            return pickle.loads(pickle.dumps(it))

        model = again(ring())
        self.assertEqual((model.name, model.parameters), ("Ring", {"N": 1000, "FAST": False}))
        prediction = ring().predict(nodes=2)
        self.assertEqual(model.predict(nodes=2).time_s, prediction.time_s)
        pickled = again(prediction)
        self.assertEqual(pickled.to_dict(), prediction.to_dict())
        self.assertEqual(repr(pickled), repr(prediction))
        for of in (pp.Prediction.elements, pp.Prediction.process_times):
            self.assertEqual(of(pickled).to_rows(), of(prediction).to_rows())
        machine = again(pp.Machine("gescher"))
        self.assertEqual((str(machine), machine.nodes), ("gescher", 16))
        for table in (ring().sweep({"nodes": [1, 2], "network.latency": ["1us", "5us"]}), ring().trace()):
            self.assertEqual(again(table).to_dict(), table.to_dict())

    def test_files_and_rules_are_pickled_by_their_paths(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "m.toml"
            path.write_text('name = "mine"\nsource = "a test"\nnodes = 3\n')
            here = os.getcwd()
            os.chdir(folder)
            try:
                machine = pickle.dumps(pp.Machine("m.toml"))
            finally:
                os.chdir(here)
            self.assertEqual(pickle.loads(machine).nodes, 3)

    def test_a_sweep_on_several_processes_has_equal_rows(self) -> None:
        model = ring()
        with ProcessPoolExecutor(2) as pool:
            points = [pool.submit(model.predict, nodes=n) for n in range(1, 9)]
            times = [point.result().time_s for point in points]
        self.assertEqual(times, model.sweep({"nodes": "1..8"})["predicted_time_s"])

    def test_joblib_and_dask_give_equal_rows(self) -> None:
        model = ring()
        chunks = [range(first, 9, 2) for first in (1, 2)]
        expected = [model.sweep({"nodes": chunk}).to_rows() for chunk in chunks]
        if has("joblib"):
            joblib = importlib.import_module("joblib")
            call = joblib.delayed(model.sweep)
            tables = joblib.Parallel(n_jobs=2)(call({"nodes": chunk}, jobs=1) for chunk in chunks)
            self.assertEqual([table.to_rows() for table in tables], expected)
        if has("distributed"):
            dask = importlib.import_module("distributed")
            with dask.LocalCluster(
                n_workers=2, threads_per_worker=1, dashboard_address=None
            ) as cluster, dask.Client(cluster) as client:
                found = [client.submit(model.sweep, {"nodes": it}, jobs=1) for it in chunks]
                self.assertEqual([it.result().to_rows() for it in found], expected)

    def test_wrong_keywords_are_told(self) -> None:
        with self.assertRaisesRegex(TypeError, "`noddes` is neither .*did you mean `nodes`"):
            ring().predict(noddes=2)
        with self.assertRaisesRegex(TypeError, "`trace` is neither"):
            ring().predict(trace="file")
        with self.assertRaisesRegex(pp.RunError, "^invalid value '0' for 'nodes': expected a whole"):
            ring().predict(nodes=0)
        with self.assertRaisesRegex(pp.RunError, "^invalid value 'x' for 'N': "):
            ring().sweep({"nodes": [1]}, N="x")
        with self.assertRaisesRegex(pp.RunError, "unknown machine `m`, and no such file"):
            ring().predict(machine="m")
        with self.assertRaisesRegex(pp.RunError, "^invalid value 'x' for '--fold <FOLD>'"):
            ring().predict(fold="x")
        with self.assertRaisesRegex(pp.RunError, "'--nodes <N>' cannot be used multiple times$"):
            ring().predict(nodes=[1, 2])
        with self.assertRaisesRegex(pp.RunError, "^--engine local cannot run this: "):
            ring().predict(engine="local", threads=2)

    def test_machines_have_names_or_files(self) -> None:
        self.assertIn("gescher", pp.machines())
        machine = pp.Machine("gescher")
        there = ring().predict(nodes=2, machine=machine)
        self.assertEqual(there.machine, ring().predict(nodes=2, machine="gescher").machine)
        self.assertIn(machine.name, machine._repr_html_())
        with self.assertRaisesRegex(pp.ProphetError, "unknown machine `x`, and no such file"):
            pp.Machine("x")

    def test_ctrl_c_ends_a_run(self) -> None:
        model = pp.Model.from_text(ENDLESS, name="endless.puml")
        # Shells let programs in the background ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        begun = threading.Event()

        def interrupt() -> None:
            begun.wait()
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            with self.assertRaises(KeyboardInterrupt):
                begun.set()
                model.predict(repetition="off")
        finally:
            thread.join()

    def test_ctrl_c_is_pythons_own_after_a_report(self) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        ring().explain()
        with self.assertRaises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        # Whoever else listened would end the program now.
        time.sleep(0.3)

    def test_other_threads_go_on(self) -> None:
        model = ring()
        times: list[float] = []
        threads = [
            threading.Thread(target=lambda: times.append(model.predict(nodes=8).time_s))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(times, [ring().predict(nodes=8).time_s] * 4)


class Tables(unittest.TestCase):
    def test_a_sweep_has_a_row_for_each_point(self) -> None:
        seen: list[tuple[int, int]] = []
        table = ring().sweep(
            {"cpus_per_node": [1, 2], "N": "10,20"},
            jobs=2,
            nodes=2,
            progress=lambda done, total: seen.append((done, total)),
        )
        self.assertEqual(table["cpus_per_node"], [1, 1, 2, 2])
        self.assertEqual(table["N"], [10, 20, 10, 20])
        self.assertEqual(repr(table["nodes"]), "[2, 2, 2, 2]")
        rows = str(table).splitlines()
        self.assertEqual(len(rows), 5)
        self.assertRegex(rows[0], "^cpus_per_node   N  predicted_time_s")
        self.assertRegex(rows[4], r"^            2  20  .* 2 ")
        self.assertRegex(repr(table), "^<Table of 4 rows: cpus_per_node, N, ")
        self.assertEqual(table["error"], [None] * 4)
        alone = ring().predict(nodes=2, cpus_per_node=2, N=20)
        self.assertEqual(table["predicted_time_s"][3], alone.time_s)
        self.assertEqual(seen[-1], (4, 4))
        self.assertIn("<th>N</th>", table._repr_html_())

    def test_an_exception_of_the_progress_ends_the_sweep(self) -> None:
        def stop(done: int, total: int) -> None:
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            ring().sweep({"N": [1, 2]}, progress=stop)

    def test_wrong_axes_are_told(self) -> None:
        with self.assertRaisesRegex(pp.RunError, "no parameter `M`"):
            ring().sweep({"M": [1]})
        with self.assertRaisesRegex(KeyError, "unknown column `M`"):
            ring().sweep({"N": [1]})["M"]

    def test_a_trace_has_the_activities(self) -> None:
        trace = ring().trace(nodes=2)
        rows = [it for it in trace.to_rows() if it["element"] == "Compute"]
        self.assertEqual([it["pid"] for it in rows], [0, 1])
        self.assertEqual({it["state"] for it in rows}, {"compute"})
        self.assertAlmostEqual(rows[0]["end"], 1.0)

    def test_a_run_is_explained(self) -> None:
        explained = ring().explain(nodes=2)
        self.assertEqual(explained.time_s, ring().predict(nodes=2).time_s)
        path = explained.critical_path()
        self.assertEqual(path["element"][0], "Compute")
        self.assertEqual(path["state"][0], "compute")
        self.assertAlmostEqual(sum(path["time_s"]), explained.time_s)
        self.assertAlmostEqual(sum(path["share"]), 1.0)
        what_if = explained.what_if()
        self.assertEqual((what_if["element"][0], what_if["exact"][0]), ("Compute", 1))
        self.assertAlmostEqual(what_if["gain_s"][0], 0.1)
        self.assertEqual(explained.load_balance, 1.0)
        self.assertTrue(explained.html.startswith("<!"))
        self.assertIn("<iframe srcdoc=", explained._repr_html_())
        with tempfile.TemporaryDirectory() as folder:
            explained.save(Path(folder) / "report.html")
            self.assertEqual((Path(folder) / "report.html").read_text(), explained.html)

    @unittest.skipUnless(has("pyarrow"), "pyarrow is not installed")
    def test_arrow_takes_tables(self) -> None:
        import pyarrow

        table = ring().sweep({"N": [1, 2, 3]})
        taken = pyarrow.table(table)
        self.assertEqual(taken.column_names, table.columns)
        self.assertEqual(taken.to_pydict(), table.to_dict())
        self.assertEqual(pyarrow.schema(table), taken.schema)
        trace = ring().trace(nodes=2)
        self.assertEqual(pyarrow.table(trace).to_pydict(), trace.to_dict())


def jacobi() -> pp.Program:
    program = pp.Program("Jacobi", N=1000, FAST=False, EPSILON=1e-3)
    program.variable("residual", 0.0)
    program.function("Sweep", "2e-9 * n * n / NUM_PROCESSES", "int n")
    with program.define("Exchange"):
        with program.when("pid > 0"):
            program.nbsend("Up", dest="pid - 1", size="8 * N")
        with program.otherwise():
            program.action("Edge", cost=1e-6)
        with program.when("pid < NUM_PROCESSES - 1"):
            program.brecv("Below", source="pid + 1", size="8 * N")
    with program.loop(iterations=50):
        program.local("round", 0)
        program.action("Relax", cost="Sweep(N)", code="round = round + 1;")
        program.call("Exchange")
        program.allreduce(size=8)
    with program.repeat_while("residual < EPSILON"):
        program.action(cost=1e-6, code="residual = residual + 1;")
    with program.fork():
        with program.branch():
            program.action('Write <"&">', cost="FAST ? 0.1 : 0.2")
        with program.branch():
            program.action(cost=0.1)
    program.allreduce(size=8)
    return program


class Programs(unittest.TestCase):
    def test_a_program_is_built_and_predicted(self) -> None:
        model = jacobi().model()
        self.assertEqual(model.problems, [])
        self.assertEqual(model.parameters, {"N": 1000, "FAST": False, "EPSILON": 1e-3})
        counts = dict(zip(*(model.predict(nodes=4).elements()[it] for it in ("name", "count"))))
        expected = {"fork": 4, "Relax": 200, "Exchange": 200, "Up": 150, "Edge": 50, "Below": 150}
        expected |= {"allreduce": 200, "action": 4, 'Write <"&">': 4, "action 2": 4}
        self.assertEqual(counts, expected | {"allreduce 2": 4})
        self.assertIn("<svg", jacobi()._repr_html_())

    def test_all_forms_of_a_file_are_the_same_program(self) -> None:
        expected = jacobi().model().predict(nodes=4).time_s
        with tempfile.TemporaryDirectory() as folder:
            for name in ["jacobi.uml", "jacobi.puml", "jacobi.prophet.xml"]:
                jacobi().save(Path(folder) / name)
                found = pp.Model.open(Path(folder) / name).predict(nodes=4).time_s
                self.assertEqual(found, expected, name)
            self.assertTrue((Path(folder) / "prophet.profile.uml").exists())
            with self.assertRaisesRegex(pp.ProphetError, "end it with .prophet.xml, .puml or .uml"):
                jacobi().save(Path(folder) / "jacobi.txt")

    def test_what_cannot_be_is_refused(self) -> None:
        program = pp.Program("Wrong")
        with self.assertRaisesRegex(AttributeError, "`allredcue`; did you mean `allreduce`"):
            program.allredcue(size=8)
        with self.assertRaisesRegex(ValueError, "directly after a `when`"):
            program.otherwise()
        with self.assertRaisesRegex(ValueError, "in a `fork`"):
            program.branch()
        with self.assertRaisesRegex(TypeError, "pass `type`"):
            program.variable("x", "2 * pid")
        program.bsend(dest=0, sise=8)
        with self.assertRaises(pp.ModelError) as raised:
            program.save("never.uml")
        self.assertIn("sise", str(raised.exception))


class Fits(unittest.TestCase):
    def test_columns_give_a_function(self) -> None:
        law = pp.fit({"n": [1, 2, 4, 8, 16], "time": [3.0, 5.0, 9.0, 17.0, 33.0]})
        self.assertAlmostEqual(law(n=100), 201.0, places=3)
        low, high = law.interval(0.9, n=32)
        self.assertTrue(low <= law(n=32) <= high)
        self.assertEqual(law.residuals()["measured"], [3.0, 5.0, 9.0, 17.0, 33.0])
        self.assertIn("n", law.formula)
        with self.assertRaisesRegex(TypeError, "unknown parameter `m`; choose one of n"):
            law(m=1)
        with self.assertRaisesRegex(TypeError, "`n` has no value"):
            law()
        with self.assertRaisesRegex(ValueError, "between 0 and 1"):
            law.interval(2.0, n=1)

    def test_a_file_gives_a_list(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "times.csv"
            path.write_text("p, time_ms\n1, 40\n2, 20\n4, 10\n8, 5\n")
            laws = pp.fit(path)
        self.assertEqual([law.parameters for law in laws], [["p"]])
        self.assertAlmostEqual(laws[0](p=16), 0.0025, places=5)
        with self.assertRaisesRegex(ValueError, "have no columns"):
            pp.fit({})
        with self.assertRaisesRegex(pp.ProphetError, "no/such.csv"):
            pp.fit("no/such.csv")


def load_tests(
    loader: unittest.TestLoader, tests: unittest.TestSuite, pattern: str | None
) -> unittest.TestSuite:
    tests.addTests(doctest.DocTestSuite(pp))
    tests.addTests(doctest.DocTestSuite(_fit))
    return tests


if __name__ == "__main__":
    unittest.main()
