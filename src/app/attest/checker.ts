/**
 * Runs a program that checks an action: it reads the action on standard input, and exits with 0 if it attests to it. It gets
 * nothing of our environment, and has limits of time and of output.
 */
import { spawn } from "node:child_process";

export interface Checker {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  readonly folder: string;
  readonly timeoutMs: number;
  /** Bytes of its output and of its errors together. */
  readonly maxBytes: number;
}

/** LIMIT: of what a checker may be given. */
export const checkerLimits = { timeoutMs: 600_000, maxBytes: 16 * 1024 * 1024, words: 200 } as const;
export const checkerDefaults = { timeoutMs: 10_000, maxBytes: 64 * 1024 } as const;

export type Checked = { readonly ok: true } | { readonly ok: false; readonly why: string };

/** Never rejects: a checker that fails in any way has not attested. */
export function runChecker(
  { command, folder, timeoutMs, maxBytes }: Checker,
  input: string,
): Promise<Checked> {
  const [file = "", ...args] = command;
  return new Promise((resolve) => {
    // A group of its own, so that what it has started ends with it.
    const child = spawnIn(file, args, folder);
    if (typeof child === "string") return resolve({ ok: false, why: child });
    let bytes = 0;
    const errors: Buffer[] = [];
    const end = (checked: Checked): void => {
      clearTimeout(timer);
      endGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve(checked);
    };
    const timer = setTimeout(() => end({ ok: false, why: `it took more than ${timeoutMs} ms` }), timeoutMs);
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) end({ ok: false, why: `it wrote more than ${maxBytes} bytes` });
    };
    child.stdout.on("data", count);
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < mostChunks) errors.push(chunk);
      count(chunk);
    });
    child.on("error", (error) => end({ ok: false, why: `it could not be started: ${codeOf(error)}` }));
    child.on("close", (code) => end(code === 0 ? { ok: true } : { ok: false, why: whyNot(code, errors) }));
    // A program that does not read its input closes it.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** LIMIT: of its errors, so much is told. */
const mostChunks = 4;

function spawnIn(file: string, args: readonly string[], folder: string) {
  try {
    return spawn(file, [...args], {
      cwd: folder,
      env: cleanEnvironment(),
      shell: false,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
  } catch (thrown) {
    return `it could not be started: ${codeOf(thrown)}`;
  }
}

/** Returns the environment that programs are found by, without any secret of ours. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env;
  return {
    ...(PATH !== undefined && { PATH }),
    ...(SystemRoot !== undefined && { SystemRoot }),
    LANG: "C.UTF-8",
  };
}

function whyNot(code: number | null, errors: readonly Buffer[]): string {
  const said = Buffer.concat(errors).toString("utf8").trim().slice(0, checkerLimits.words);
  const ended = code === null ? "it was killed" : `it exited with ${code}`;
  return said === "" ? ended : `${ended}: ${said}`;
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error
    ? String(error.code)
    : "no reason given";
}
