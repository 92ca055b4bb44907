/** The built command, and how tests start it as users do. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const root = resolve(import.meta.dirname, "../..");
export const main = join(root, "dist/cli/main.js");
const lock = join(root, "node_modules/.cache/foreclaim-build.lock");

/** Builds dist/ if it is stale. Test files run at the same time, and only one may build. */
export async function build(): Promise<void> {
  mkdirSync(join(lock, ".."), { recursive: true });
  while (!taken()) await sleep(100);
  try {
    const { code, out, err } = await finished(
      spawn(process.execPath, ["scripts/ensure.mjs", "build"], { cwd: root }),
    );
    if (code !== 0) throw new Error(`the build failed\n${out}${err}`);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function taken(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    // A holder of such an old lock is gone.
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > 60_000) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `foreclaim …` to its end. */
export function foreclaim(args: readonly string[], options: StartOptions = {}): Promise<Finished> {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: options.cwd ?? root,
    env: { PATH: process.env.PATH ?? "", ...options.env },
  });
  child.stdin.on("error", () => {}); // it may end without having read everything
  child.stdin.end(options.stdin ?? "");
  return finished(child);
}

/** Runs a line of the shell in which `foreclaim` is the built command. */
export function shell(line: string, options: StartOptions = {}): Promise<Finished> {
  const script = `foreclaim() { "${process.execPath}" "${main}" "$@"; }\n${line}`;
  const child = spawn("bash", ["--norc", "-c", script], {
    cwd: options.cwd ?? root,
    env: { PATH: process.env.PATH ?? "", ...options.env },
  });
  child.stdin.end(options.stdin ?? "");
  return finished(child);
}

export async function finished(child: ChildProcess): Promise<Finished> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | null>((done, fail) => {
    child.on("error", fail);
    child.on("close", done);
  });
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
}
