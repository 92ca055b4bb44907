/**
 * Keeps standard output for the answer of the command alone. From then on, whatever tool modules print goes to standard
 * error: by `console` or `process.stdout`, by the number or the path of the file, or through processes and workers that
 * they start; also after their call, and at the exit.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Writable } from "node:stream";

const [stdout, stderr] = [1, 2];
const stdoutPath = /^\/(?:dev\/(?:stdout|fd\/1)|proc\/self\/fd\/1)$/;

let isReserved = false;

/** Call it once the command has its own hold of the stream, and before any tool module is loaded. */
export function reserveStdout(): void {
  if (isReserved) return;
  isReserved = true;
  const stream = standIn();
  Object.defineProperty(process, "stdout", { configurable: true, enumerable: true, get: () => stream });
  // The console holds on to the stream that it wrote to first.
  Reflect.set(console, "_stdout", stream);
  for (const name of ["open", "write", "writev", "writeFile", "appendFile"]) {
    reroute(fs, name, withFile);
    reroute(fs, `${name}Sync`, withFile);
    reroute(fs.promises, name, withFile);
  }
  reroute(childProcess.ChildProcess.prototype, "spawn", withStdio);
  for (const name of ["spawnSync", "execSync", "execFileSync"]) reroute(childProcess, name, withStdio);
  // Modules that import these by name see them too.
  syncBuiltinESMExports();
}

/** A stream of its own, so that a tool that ends it does not end standard error. It is no terminal. */
function standIn(): Writable {
  const stream = new Writable({
    write: (chunk, _, done) => {
      process.stderr.write(chunk);
      done(); // at once: at the exit nobody would wait
    },
  });
  stream.on("error", () => {}); // a tool that writes after it has ended the stream
  return Object.assign(stream, { fd: stderr });
}

type Arguments = readonly unknown[];

/** Replaces a function by one that changes its arguments first, and is the same otherwise. */
function reroute(owner: object, name: string, change: (args: Arguments) => unknown[]): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") return;
  const apply = (target: typeof original, self: unknown, args: unknown[]): unknown =>
    Reflect.apply(target, self, change(args));
  Reflect.set(owner, name, new Proxy(original, { apply }));
}

function withFile([file, ...others]: Arguments): unknown[] {
  const isStdout = file === stdout || (typeof file === "string" && stdoutPath.test(file));
  return [isStdout ? (typeof file === "string" ? "/dev/stderr" : stderr) : file, ...others];
}

function withStdio(args: Arguments): unknown[] {
  return args.map((arg) =>
    typeof arg === "object" && arg !== null && "stdio" in arg ? { ...arg, stdio: stdioOf(arg.stdio) } : arg,
  );
}

function stdioOf(stdio: unknown): unknown {
  if (stdio === "inherit") return ["inherit", stderr, "inherit"];
  if (!Array.isArray(stdio)) return stdio;
  const given: readonly unknown[] = stdio;
  return given.map((one, i) => (one === stdout || (i === stdout && one === "inherit") ? stderr : one));
}
