/** Runs a program by its argument vector, with limits of time and of output; no shell is involved. */

import { spawn } from "node:child_process";
import { refused } from "./refused.ts";

export interface ProcessRequest {
  /** The program's file, absolute, so that no search path decides. */
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs: number;
  /** Bytes of its output and of its errors, each. */
  readonly maxBytes: number;
}

export interface ProcessResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Ends with its exit code; a process that takes too long or says too much is ended with everything it started. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const { file, args, folder, env, input, timeoutMs, maxBytes } = request;
  for (const text of [file, folder, ...args])
    if (text.includes("\0") || /[\ud800-\udfff]/u.test(text))
      refused("bad-argument", "an argument holds a character that none has");
  // A group of its own, so that children of the program end with it.
  const child = spawn(file, [...args], {
    cwd: folder,
    env: { ...env },
    shell: false,
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    const end = (code: string, message: string) => {
      finish();
      endGroup(child.pid);
      reject(failure(code, message));
    };
    const timer = setTimeout(() => end("too-slow", "the program took too long"), timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const texts = [child.stdout, child.stderr].map((stream) => {
      const chunks: Buffer[] = [];
      let length = 0;
      stream.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBytes) end("too-large", `the program wrote more than ${maxBytes} bytes`);
        else chunks.push(chunk);
      });
      stream.on("error", () => {});
      return () => Buffer.concat(chunks).toString("utf8");
    });
    child.on("error", (error) => {
      finish();
      reject(
        failure(
          "failed",
          `the program could not be started: ${"code" in error ? String(error.code) : error.message}`,
        ),
      );
    });
    child.on("close", (code) => {
      finish();
      // Processes that it left behind end too.
      endGroup(child.pid);
      const [out = "", err = ""] = texts.map((text) => text());
      resolve({ code: code ?? -1, out, err });
    });
    // A program that does not read its input closes it.
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function failure(code: string, message: string): unknown {
  try {
    return refused(code, message);
  } catch (error) {
    return error;
  }
}
