/** SQLite behind `foreclaim/std/sql`: a process that is ended if it takes too long. Statements run one after the other. */

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { refused } from "../refused.ts";
import {
  accessTo,
  type ChangeRequest,
  type QueryRequest,
  type SqlLimits,
  type SqlRow,
  type Tables,
} from "./access.ts";
import type { Job, Outcome } from "./sqlite-child.ts";
import { checkChangeShape, checkQueryShape } from "./sqlite-text.ts";

export interface SqliteOptions {
  readonly path: string;
  readonly tables: Tables;
  readonly limits: SqlLimits;
}

export interface SqlitePort {
  readonly query: (request: QueryRequest) => Promise<readonly SqlRow[]>;
  readonly change: (request: ChangeRequest) => Promise<number>;
}

/** LIMIT: time for a process to start, apart from the time of a statement. */
const START_MS = 30_000;

export function sqlitePort({ path, tables, limits }: SqliteOptions): SqlitePort {
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function run(job: Job): Promise<Outcome> {
    const isNew = child?.connected !== true;
    const process = child?.connected === true ? child : start();
    child = process;
    process.ref();
    process.channel?.ref();
    try {
      if (isNew) {
        const first = await messageOf(process, undefined, START_MS);
        if (first !== "ready") return { refused: ["failed", "the process of SQLite did not start"] };
      }
      const answer = await messageOf(process, job, limits.timeoutMs);
      if (answer === "slow") return { refused: ["too-slow", "the statement took too long"] };
      return typeof answer === "string" ? { refused: ["failed", "the process of SQLite ended"] } : answer;
    } finally {
      // A process that waits for the next statement keeps no run alive.
      process.unref();
      process.channel?.unref();
      if (!process.connected || process.killed) child = undefined;
    }
  }

  function inTurn(job: Job): Promise<Outcome> {
    const next = last.then(() => run(job));
    last = next.catch(() => undefined);
    return next;
  }

  return {
    query: async ({ sql, tables: named, values = [] }) => {
      checkQueryShape(sql);
      const outcome = await inTurn({ path, tables, limits, sql, named, values });
      if ("refused" in outcome) return refused(...outcome.refused);
      return "rows" in outcome ? outcome.rows : refused("failed", "SQLite gave no rows");
    },
    change: async ({ sql, table, values = [], most }) => {
      checkChangeShape(sql);
      checkInsertColumns(sql, accessTo(tables, table)?.insert ?? []);
      const outcome = await inTurn({ path, tables, limits, sql, named: [table], values, most });
      if ("refused" in outcome) return refused(...outcome.refused);
      return "changed" in outcome ? outcome.changed : refused("failed", "SQLite changed nothing");
    },
  };
}

/** The authorizer is not told which columns a new row is given, so an `INSERT` names them in plain form. */
function checkInsertColumns(sql: string, allowed: readonly string[]): void {
  if (!/^\s*insert\s/i.test(sql)) return;
  const list = /^\s*insert\s+into\s+[a-z_][a-z0-9_]*\s*\(([a-z0-9_,\s]+)\)\s*values\b/i.exec(sql)?.[1];
  if (list === undefined)
    refused("column", "an INSERT has the form `INSERT INTO table (column, …) VALUES (…)`");
  for (const column of list.split(",").map((one) => one.trim().toLowerCase()))
    if (!allowed.includes(column))
      refused("column", `\`${column}\` is not among the columns that this tool may write`);
}

function start(): ChildProcess {
  return fork(fileURLToPath(new URL("./sqlite-child.js", import.meta.url)), [], {
    // Nothing of this process but what its program loads needs.
    env: {},
    execArgv: ["--max-old-space-size=256"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
}

/** The next message of a process; it is ended if there is none in time. */
function messageOf(
  child: ChildProcess,
  job: Job | undefined,
  timeoutMs: number,
): Promise<Outcome | "ready" | "slow" | "gone"> {
  return new Promise((resolve) => {
    const end = (message: Outcome | "ready" | "slow" | "gone") => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      child.off("error", onExit);
      resolve(message);
    };
    // SAFETY: the child sends "ready" and outcomes, and nothing else.
    const onMessage = (message: unknown) => end(message as Outcome | "ready");
    const onExit = () => end("gone");
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      end("slow");
    }, timeoutMs);
    child.on("message", onMessage);
    child.on("exit", onExit);
    child.on("error", onExit);
    if (job !== undefined) child.send(job);
  });
}
