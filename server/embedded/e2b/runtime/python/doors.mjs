import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';

// The permission model of Node.js guards files, child processes, workers, addons and the inspector. What it leaves open
// (the network before Node.js 25, signals to other processes) is closed here, before Python is loaded: should a program
// find a way out of Python, it finds nothing.

function closed() {
  throw Object.assign(new Error('not permitted in a sandbox'), { code: 'EPERM' });
}

function close(object, names) {
  for (const name of names) if (name in object) object[name] = closed;
}

/** @returns a way to kill this very process, the only signal that is left */
export function closeDoors() {
  const kill = process.kill.bind(process);
  close(net, ['connect', 'createConnection', 'createServer']);
  close(net.Socket.prototype, ['connect']);
  close(net.Server.prototype, ['listen']);
  close(dgram, ['createSocket']);
  close(dgram.Socket.prototype, ['bind', 'send', 'connect']);
  close(
    dns,
    Object.keys(dns).filter((name) => typeof dns[name] === 'function'),
  );
  close(
    dns.promises,
    Object.keys(dns.promises).filter((name) => typeof dns.promises[name] === 'function'),
  );
  close(os, ['setPriority']);
  syncBuiltinESMExports();
  close(process, ['kill', '_kill', '_debugProcess', '_debugEnd', 'dlopen', '_linkedBinding', 'getBuiltinModule']);
  // Pyodide asks for these numbers, which the permission model denies with everything else that is behind this name.
  process.binding = () => ({ fs: fs.constants });
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'Worker']) delete globalThis[name];
  return () => kill(process.pid, 'SIGKILL');
}

/** No more than `bytes` for the memory of Python: beyond that it gets a MemoryError. */
export function capMemory(bytes) {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function capped(pages) {
    if (this.buffer.byteLength + pages * 65_536 > bytes) throw new RangeError('out of memory');
    return grow.call(this, pages);
  };
}
