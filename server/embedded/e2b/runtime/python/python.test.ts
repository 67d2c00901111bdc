import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Sandbox } from 'e2b';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Door, startDoor } from '../testing';

let door: Door;
let sandbox: Sandbox;

beforeAll(async () => {
  door = await startDoor();
  sandbox = await Sandbox.create('python', { apiKey: 'any', apiUrl: door.url, sandboxUrl: door.url, envs: { A: '1' } });
});
afterAll(() => door.close());

const LONG = 90_000;

/** What a command ended with: never a throw for its exit code. */
async function run(command: string, options: Parameters<Sandbox['commands']['run']>[1] = {}) {
  const result = await sandbox.commands
    .run(command, { timeoutMs: LONG, ...options, background: false })
    .catch((error) => {
      if (error?.name !== 'CommandExitError') throw error;
      return error;
    });
  return { exitCode: result.exitCode as number, stdout: result.stdout as string, stderr: result.stderr as string };
}

const write = (text: string) => sandbox.files.write('/home/user/a.py', text);

/** Runs a program from a file. */
async function program(text: string) {
  await write(text);
  return run('python3 a.py');
}

describe('python3', { timeout: LONG }, () => {
  it('runs a file as a script: its name, arguments, environment, folder and standard input', async () => {
    await sandbox.files.write('/home/user/lib/other.py', 'NAME = "other"\n');
    await sandbox.files.write(
      '/home/user/lib/main.py',
      'import os, sys, other\nprint(__name__, sys.argv, os.environ["A"], os.getcwd(), other.NAME, input(), sys.stdin.read())\n',
    );
    expect(await run(`printf 'one\\ntwo' | python3 lib/main.py x 'y z'`)).toEqual({
      exitCode: 0,
      stdout: "__main__ ['lib/main.py', 'x', 'y z'] 1 /home/user other one two\n",
      stderr: '',
    });
  });

  it('ends with the code that the program asks for, and shows what it did not catch', async () => {
    const text = 'import sys\ntry:\n  print("out")\nfinally:\n  pass\ndef f():\n  raise ValueError("boom")\nf()\n';
    const failed = await program(text);
    expect(failed).toMatchObject({ exitCode: 1, stdout: 'out\n' });
    expect(failed.stderr).toMatch(
      /^Traceback \(most recent call last\):\n {2}File "a.py", line 8, in <module>\n.*File "a.py", line 7, in f\n.*ValueError: boom\n$/s,
    );
    const codes = await run(
      'python3 -c "import sys; sys.exit(3)"; echo $?; python3 -c "raise SystemExit(\'why\')"; echo $?; python3 none.py; echo $?; python3 -c "x ="; echo $?',
    );
    expect(codes.stdout).toBe('3\n1\n2\n1\n');
    expect(codes.stderr).toMatch(
      /^why\npython3: can't open file '\/home\/user\/none.py': \[Errno \d+\] No such file or directory\n/,
    );
    expect(codes.stderr).toContain('SyntaxError: invalid syntax');
  });

  it('has modules of the standard library, asyncio, and a version', async () => {
    const result = await run(
      `python3 --version; echo '{"b": 1}' | python3 -m json.tool; echo 'print(6 * 7)' | python3; python3 -c '
import asyncio, time
async def job(n):
    await asyncio.sleep(0.05)
    return n
async def main():
    return await asyncio.gather(*(job(n) for n in range(3)))
t = time.monotonic()
print(asyncio.run(main()))
time.sleep(0.2)
assert time.monotonic() - t >= 0.2
'`,
    );
    expect(result.stdout).toMatch(/^Python 3\.\d+\.\d+\n\{\n {4}"b": 1\n\}\n42\n\[0, 1, 2\]\n$/);
  });

  it('keeps what it writes in the files of the sandbox, and draws other numbers each time', async () => {
    await write('open("/tmp/t.txt", "a").write("kept\\n")\nimport random\nprint(random.random())\n');
    const { stdout } = await run('python3 a.py; python3 a.py');
    const [first, second] = stdout.split('\n');
    expect(first).toMatch(/^0\.\d+/);
    expect(first).not.toBe(second);
    expect(await sandbox.files.read('/tmp/t.txt')).toBe('kept\nkept\n');
  });

  it('shows output while the program runs, as bytes', async () => {
    await write(
      'import sys, time\nprint("界🙂")\nsys.stdout.buffer.write(b"\\xff\\x00")\nsys.stdout.flush()\nwhile True: pass\n',
    );
    const seen: string[] = [];
    const handle = await sandbox.commands.run('python3 a.py', {
      background: true,
      timeoutMs: LONG,
      onStdout: (text) => void seen.push(text),
    });
    await vi.waitFor(() => expect(seen.join('')).toContain('\u0000'), { timeout: LONG });
    expect(seen.join('')).toBe('界🙂\n�\u0000');
    // A busy loop ends at once.
    await handle.kill();
    await expect(handle.wait()).rejects.toMatchObject({ exitCode: -1, error: 'signal: killed' });
  });

  it('ends when it takes too long, also asleep', async () => {
    await sandbox.commands.run('python3 -c "import time; time.sleep(100)"', { timeoutMs: 1_500 }).then(
      () => expect.unreachable(),
      (error) => expect(error.name).toBe('TimeoutError'),
    );
    await vi.waitFor(async () => expect((await run('pgrep -f sleep')).exitCode).toBe(1), { timeout: LONG });
  });

  it('gets no more memory and disk than it may have', async () => {
    const result = await program(`
import os
try:
    bytearray(400_000_000)
except MemoryError:
    print("no memory")
print(len(bytearray(50_000_000)))
try:
    with open("big", "wb") as f:
        while True: f.write(b"x" * 1_000_000)
except OSError as e:
    print(e.strerror)
print(os.path.getsize("big") < 64 * 1024 * 1024)
os.remove("big")
try:
    open("sparse", "wb").truncate(10**12)
except OSError as e:
    print(e.strerror)
`);
    const noSpace = 'No space left on device\n';
    expect(result).toMatchObject({
      exitCode: 0,
      stdout: `no memory\n50000000\n${noSpace}True\n${noSpace}`,
    });
  });
});

describe('a program cannot leave its sandbox', { timeout: LONG }, () => {
  let outside: string;
  beforeAll(() => {
    outside = mkdtempSync(path.join(os.tmpdir(), 'outside-'));
    writeFileSync(path.join(outside, 'secret'), 'secret');
    mkdirSync(path.join(outside, 'dir'));
  });
  afterAll(() => rmSync(outside, { recursive: true, force: true }));

  const attempts: [string, string][] = [
    ['import js', 'ModuleNotFoundError'],
    ['import pyodide_js', 'ModuleNotFoundError'],
    ['from pyodide.code import run_js', 'ModuleNotFoundError'],
    ['import _pyodide_core', 'ModuleNotFoundError'],
    ['import importlib, sys; sys.modules.pop("js", None); importlib.import_module("js")', 'ModuleNotFoundError'],
    ['open("/etc/passwd")', 'FileNotFoundError'],
    ['open("OUTSIDE/secret")', 'FileNotFoundError'],
    ['open("/home/user/../../../../../../../../OUTSIDE/secret")', 'FileNotFoundError'],
    ['open("OUTSIDE/new", "w")', 'FileNotFoundError'],
    ['import os; os.symlink("OUTSIDE/secret", "/home/user/link")', 'PermissionError'],
    ['import os; os.link("OUTSIDE/secret", "/home/user/link")', 'AttributeError'],
    ['open("/new", "w")', 'PermissionError'],
    ['import os; os.mkdir("/new")', 'PermissionError'],
    ['import subprocess; subprocess.run(["ls"])', 'OSError'],
    ['import os; os.fork()', 'OSError'],
    ['import socket; socket.create_connection(("127.0.0.1", PORT), 2)', 'OSError'],
    ['import urllib.request; urllib.request.urlopen("http://127.0.0.1:PORT/health", timeout=2)', 'URLError'],
    ['import http.client; http.client.HTTPConnection("127.0.0.1", PORT, timeout=2).request("GET", "/")', 'OSError'],
    ['import threading; threading.Thread(target=print).start()', 'RuntimeError'],
  ];

  it('by nothing that Python offers', async () => {
    const { port } = new URL(door.url);
    const texts = attempts.map(([text]) => text.replaceAll('OUTSIDE', outside).replaceAll('PORT', port));
    await sandbox.files.write('/home/user/attempts.json', JSON.stringify(texts));
    const result = await program(`import json
for text in json.load(open("attempts.json")):
    try:
        exec(text, {})
        print("DONE")
    except BaseException as error:
        print(*(kind.__name__ for kind in type(error).__mro__))
`);
    const said = result.stdout.trim().split('\n');
    for (const [at, [text, error]] of attempts.entries()) expect(`${text}: ${said[at]}`).toContain(error);
    expect(result.stdout).not.toContain('DONE');
    expect(existsSync(path.join(outside, 'new'))).toBe(false);
    expect(readFileSync(path.join(outside, 'secret'), 'utf8')).toBe('secret');
  });

  it('not by the objects that lead to JavaScript either', async () => {
    const result = await program(
      `import gc, sys, os
found = [o for o in gc.get_objects() if type(o).__name__ in ("JsProxy", "JsCallable", "JsBuffer")]
for o in found:
    try:
        f = o.constructor.constructor("return process.env")
        print("ESCAPED", f())
    except BaseException as e:
        pass
try:
    import ctypes
    libc = ctypes.CDLL(None)
    print("system", libc.system(b"touch ${outside}/new"))
    print("js", libc.emscripten_run_script_string(b"process.version"))
except BaseException as e:
    print(type(e).__name__)
print(os.system("touch ${outside}/new"), dict(os.environ).get("PATH"))
`,
    );
    expect(result.stdout).not.toMatch(/ESCAPED|v\d+\.\d+/);
    expect(existsSync(path.join(outside, 'new'))).toBe(false);
  });
});
