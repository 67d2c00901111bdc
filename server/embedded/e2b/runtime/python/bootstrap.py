"""What Python needs to behave like the `python3` command. Part of the memory snapshot, so no start compiles it."""

import argparse
import asyncio
import atexit
import collections
import csv
import dataclasses
import datetime
import hashlib
import io
import itertools
import json
import math
import os
import pathlib
import random
import re
import runpy
import shutil
import statistics
import sys
import tempfile
import time
import traceback
import typing


def _sleep_through(device):
    # A wait in the engine: it uses no processor, and a kill ends it.
    def sleep(seconds):
        seconds = float(seconds)
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        os.write(device, repr(seconds).encode())

    return sleep


class _NoSockets:
    """A selector for a loop that has timers and tasks, and no files to wait for."""

    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("the event loop waits for something that can never happen")
        if timeout > 0:
            time.sleep(timeout)
        return []

    def get_map(self):
        return {}

    def close(self):
        pass


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self):
        super().__init__(_NoSockets())

    def _make_self_pipe(self):
        pass

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass


def _close_doors():
    """Nothing of Python may reach JavaScript: the process itself is closed as well, this is the first wall."""
    closed = ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "webbrowser")
    for name in [name for name in sys.modules if name.split(".")[0] in closed]:
        del sys.modules[name]
    sys.modules.update(dict.fromkeys(closed))
    sys.meta_path[:] = [finder for finder in sys.meta_path if "pyodide" not in type(finder).__module__]


def _exit_code(code):
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


def _report(error):
    trace = error.__traceback__
    # The first frames are this file's.
    while trace is not None and trace.tb_frame.f_code.co_filename == _HERE:
        trace = trace.tb_next
    traceback.print_exception(type(error), error, trace)
    return 1


def _source(kind, value):
    if kind == "string":
        return value
    if kind == "stdin":
        return sys.stdin.buffer.read()
    try:
        with open(value, "rb") as file:
            return file.read()
    except OSError as error:
        where = os.path.join(os.getcwd(), value)
        print(f"python3: can't open file '{where}': [Errno {error.errno}] {error.strerror}", file=sys.stderr)
        raise SystemExit(2)


def _work(kind, value):
    main = type(sys)("__main__")
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    if kind == "module":
        sys.path[0] = os.getcwd()
        runpy._run_module_as_main(value)
        return
    source = _source(kind, value)
    sys.path[0] = os.path.dirname(os.path.abspath(value)) if kind == "file" else ""
    if kind == "file":
        main.__file__ = value
    name = {"file": value, "stdin": "<stdin>", "string": "<string>"}[kind]
    exec(compile(source, name, "exec", dont_inherit=True), main.__dict__)


def run(job):
    """Runs one command, given as JSON; answers its exit code."""
    job = json.loads(job)
    os.environ.clear()
    os.environ.update(job["env"])
    os.chdir(job["cwd"])
    sys.argv[:] = job["argv"]
    sys.executable = "/usr/bin/python3"
    if sys.path[:1] != [""]:
        sys.path.insert(0, "")
    # Every start comes from one snapshot; without this, all would draw the same numbers.
    random.seed()
    sys.stdout.reconfigure(line_buffering=True)
    time.sleep = _sleep_through(os.open("/dev/sleep", os.O_WRONLY))
    asyncio._set_running_loop(None)
    asyncio.run = asyncio.runners.run
    asyncio.new_event_loop = asyncio.events.new_event_loop = _Loop
    _close_doors()
    try:
        _work(job["kind"], job["value"])
        code = 0
    except SystemExit as end:
        code = _exit_code(end.code)
    except BaseException as error:
        code = _report(error)
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException as error:
        code = code or _report(error)
    return code


_HERE = run.__code__.co_filename
