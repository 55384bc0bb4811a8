// Runs a program of wasm32-wasip1: node wasi.mjs PROGRAM [ARGUMENT…]. It has arguments, environment,
// standard output and error, and the clock; no files. `node:wasi` is not used: node 20.20 crashes with
// it at the end of some of the tests.
import { randomFillSync } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import { argv, env, exit, hrtime } from "node:process";

const [BAD_FILE, NOT_SUPPORTED] = [8, 58];
const texts = { args: argv.slice(2), environ: Object.entries(env).map(([k, v]) => `${k}=${v}`) };
let memory;
const view = () => new DataView(memory.buffer);
const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
const encoded = (list) => list.map((text) => new TextEncoder().encode(`${text}\0`));

function sizes(list) {
  return (count, size) => {
    view().setUint32(count, list.length, true);
    view().setUint32(size, encoded(list).reduce((sum, text) => sum + text.length, 0), true);
    return 0;
  };
}

function get(list) {
  return (pointers, at) => {
    for (const text of encoded(list)) {
      view().setUint32(pointers, at, true);
      bytes(at, text.length).set(text);
      pointers += 4;
      at += text.length;
    }
    return 0;
  };
}

const known = {
  args_sizes_get: sizes(texts.args),
  args_get: get(texts.args),
  environ_sizes_get: sizes(texts.environ),
  environ_get: get(texts.environ),
  clock_time_get(clock, _precision, at) {
    const now = clock === 0 ? BigInt(Date.now()) * 1_000_000n : hrtime.bigint();
    view().setBigUint64(at, now, true);
    return 0;
  },
  fd_write(file, parts, count, written) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const [at, length] = [0, 4].map((k) => view().getUint32(parts + 8 * i + k, true));
      writeSync(file, bytes(at, length));
      sum += length;
    }
    view().setUint32(written, sum, true);
    return 0;
  },
  // No folder is open to the program: its list of them ends at the first.
  fd_prestat_get: () => BAD_FILE,
  proc_exit: exit,
  random_get(at, length) {
    randomFillSync(bytes(at, length));
    return 0;
  },
  sched_yield: () => 0,
};
const absent = { get: (all, name) => all[name] ?? (() => NOT_SUPPORTED) };

const program = await WebAssembly.compile(readFileSync(argv[2]));
const imports = { wasi_snapshot_preview1: new Proxy(known, absent) };
const { exports } = await WebAssembly.instantiate(program, imports);
memory = exports.memory;
exports._start();
