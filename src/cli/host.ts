/** The outside world as commands see it: files, a clock, two outputs, and a person or a pipe at the input. */
import { statSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import {
  type Clock,
  type FileSystem,
  nodeClock,
  nodeFiles,
  type ReadBytes,
  readAll,
  standardInput,
  systemCode,
} from "../app/index.ts";

/** Standard input reads as the file `-`. */
export interface Host extends FileSystem, Clock, Stdio {}

export interface Stdio {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly readStdin: (limitBytes: number) => Promise<ReadBytes>;
  /** True if standard input is a person's keyboard. */
  readonly isTyped: boolean;
  /** Tells what a person types, and undefined at the end; gives a way to let go of the keyboard. */
  readonly onTyped?: (listener: (text: string | undefined) => void) => () => void;
  /** Tells once that the person, or the system, wants the command to end; gives a way to listen no more. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Returns a text that differs once the content of a file, or the list of a folder, has changed. */
  readonly stampOf?: (path: string) => string;
  /** Changes how the process ends, should something end it now; gives a way to leave that alone again. */
  readonly onExit?: (last: () => { readonly code: number; readonly text: string }) => () => void;
  /** Ends the process soon, also if something goes on in it that nobody waits for any more. */
  readonly abandon?: () => void;
  /** Sends everything to standard error that others than the command print to standard output, from now on. */
  readonly reserveStdout?: () => void;
}

export interface Output {
  /** Resolves once it was taken. What nobody reads any more is dropped. */
  readonly write: (text: string) => Promise<void>;
  /** The error's code if something was lost that somebody may still be waiting for, as on a full disk. */
  readonly lost: () => string | undefined;
  readonly isTTY: boolean;
  /** Known for a terminal only. */
  readonly columns: number | undefined;
  readonly colour: boolean;
  /** True if the terminal shows signs beyond ASCII. */
  readonly unicode: boolean;
}

interface Process {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Environment;
  readonly platform: string;
  readonly on?: (event: Interruption | "exit", listener: () => void) => unknown;
  readonly off?: (event: Interruption | "exit", listener: () => void) => unknown;
  readonly exit?: () => unknown;
  exitCode?: number | string | null | undefined;
}

type Interruption = "SIGINT" | "SIGTERM";
type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };
type Environment = Readonly<Record<string, string | undefined>>;

export function processHost(process: Process, reserveStdout?: () => void): Host {
  const stderr = outputOf(process.stderr, process);
  return {
    ...(reserveStdout && { reserveStdout }),
    stdout: outputOf(process.stdout, process),
    stderr,
    ...nodeFiles,
    ...nodeClock,
    readFile: async (path, limitBytes) => {
      if (path !== standardInput) return nodeFiles.readFile(path, limitBytes);
      if (process.stdin.isTTY === true)
        await stderr.write("reading from the terminal; end with Ctrl-D on a line of its own\n");
      return readAll(process.stdin, limitBytes);
    },
    readStdin: (limitBytes) => readAll(process.stdin, limitBytes),
    chunks: (path) => (path === standardInput ? process.stdin : nodeFiles.chunks(path)),
    // Only who asks needs the stream, which takes a while to make.
    get isTyped() {
      return process.stdin.isTTY === true;
    },
    onTyped: (listener) => listenTo(process.stdin, listener),
    onInterrupt: (listener) => listenOnce(process, listener),
    stampOf,
    onExit: (last) => {
      const exit = (): void => {
        const { code, text } = last();
        process.exitCode = code;
        process.stderr.write(text);
      };
      process.on?.("exit", exit);
      return () => void process.off?.("exit", exit);
    },
    abandon: () => {
      setTimeout(() => process.exit?.(), soonMs).unref();
    },
  };
}

/** Times of change work on every file system and for editors that replace files. Reading a file leaves its stamp alone. */
export function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "absent" : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}

function listenTo(stdin: Readable, listener: (text: string | undefined) => void): () => void {
  const decoder = new StringDecoder("utf8");
  const hear = (chunk: Buffer): void => listener(decoder.write(chunk));
  const end = (): void => listener(undefined);
  stdin.on("data", hear).on("end", end).on("error", end);
  stdin.resume();
  return () => {
    stdin.off("data", hear).off("end", end).off("error", end);
    // A keyboard that nobody listens to does not keep the process alive.
    stdin.pause();
  };
}

/** By then the command has set its exit code. */
const soonMs = 100;

/** The second time the system does what it always does, and ends the process. */
function listenOnce(process: Process, listener: () => void): () => void {
  const leave = (): void => {
    process.off?.("SIGINT", hear);
    process.off?.("SIGTERM", hear);
  };
  const hear = (): void => {
    leave();
    listener();
  };
  process.on?.("SIGINT", hear);
  process.on?.("SIGTERM", hear);
  return leave;
}

function outputOf(stream: Stream, { env, platform }: Process): Output {
  let closed = false;
  let lost: string | undefined;
  // Without a listener, a reader that leaves early (`| head`) would end us with a stack trace.
  const note = (error: Error): void => {
    closed = true;
    const code = systemCode(error);
    if (code !== "EPIPE") lost ??= code;
  };
  stream.on("error", note);
  const isTTY = stream.isTTY === true;
  return {
    write: (text) =>
      new Promise((resolve) => {
        if (closed) resolve();
        else {
          stream.write(text, (error) => {
            if (error) note(error);
            resolve();
          });
        }
      }),
    lost: () => lost,
    isTTY,
    get columns() {
      return isTTY ? stream.columns : undefined;
    },
    colour: hasColour(isTTY, env),
    unicode: isTTY && isUtf8(env, platform),
  };
}

/** https://no-color.org and https://force-color.org: any value that is not empty counts. */
export function hasColour(isTTY: boolean, env: Environment): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0";
  return isTTY && env.TERM !== "dumb";
}

/** As the C library decides it: the first of the three that is set counts. */
export function isUtf8(env: Environment, platform: string): boolean {
  if (env.TERM === "linux") return false; // the console's font has few signs
  if (platform === "win32") return env.WT_SESSION !== undefined || env.TERM_PROGRAM === "vscode";
  return /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || "");
}
