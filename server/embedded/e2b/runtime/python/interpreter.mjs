// One Python process: `node interpreter.mjs make|run OPTIONS`, with options as JSON. `make` writes the memory of a started
// Python to a file. `run` starts from there, then waits on file descriptor 3 for one command.
import fs from 'node:fs';
import path from 'node:path';
import { capMemory, closeDoors } from './doors.mjs';
import { mount } from './mount.mjs';

const [task, options] = process.argv.slice(2);
const { pyodideDir, snapshot, root, memoryBytes, folderBytes } = JSON.parse(options);

const killMyself = closeDoors();
const { loadPyodide } = await import(path.join(pyodideDir, 'pyodide.mjs'));

/** @returns Python with the functions of `bootstrap.py` */
async function start(extra) {
  const python = await loadPyodide({ jsglobals: Object.create(null), env: { HOME: '/' }, ...extra });
  const file = path.join(import.meta.dirname, 'bootstrap.py');
  python.runPython(fs.readFileSync(file, 'utf8'), { filename: 'bootstrap' });
  return python;
}

async function restore() {
  try {
    return await loadPyodide({
      jsglobals: Object.create(null),
      env: { HOME: '/' },
      _loadSnapshot: fs.readFileSync(snapshot),
    });
  } catch {
    // Slower, and the same.
    return await start({});
  }
}

/** `time.sleep` writes seconds to this device, and the process sleeps. */
function addSleep(FS) {
  const never = new Int32Array(new SharedArrayBuffer(4));
  const device = FS.makedev(64, 0);
  FS.registerDevice(device, {
    open() {},
    close() {},
    write(_stream, buffer, offset, length) {
      Atomics.wait(never, 0, 0, Number(new TextDecoder().decode(buffer.slice(offset, offset + length))) * 1000);
      return length;
    },
  });
  FS.mkdev('/dev/sleep', device);
}

if (task === 'make') {
  const python = await start({ _makeSnapshot: true });
  // Whoever looks for the file finds it whole.
  fs.writeFileSync(`${snapshot}.part`, python.makeMemorySnapshot());
  fs.renameSync(`${snapshot}.part`, snapshot);
} else {
  capMemory(memoryBytes);
  const python = await restore();
  const run = python.globals.get('run');
  addSleep(python.FS);
  python.setStdin({ read: (buffer) => fs.readSync(0, buffer), isatty: false });
  python.setStdout({ write: (buffer) => fs.writeSync(1, buffer), isatty: false });
  python.setStderr({ write: (buffer) => fs.writeSync(2, buffer), isatty: false });
  const job = fs.readFileSync(3, 'utf8');
  // Nobody wants it any more.
  if (job === '') process.exit(0);
  mount(python.FS, root, folderBytes);
  try {
    process.exit(run(job));
  } catch {
    // Python itself broke down, for example out of memory: like a process that the kernel killed.
    killMyself();
  }
}
