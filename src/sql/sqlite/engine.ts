/**
 * Loads SQLite with the API of `node:sqlite`: the one that is built into Node, or else a package with the same API. Nothing
 * is loaded before it is asked for.
 */

import { createRequire, isBuiltin } from "node:module";
import process from "node:process";
import { SqlFailure } from "../failure.ts";

export type SqliteValue = null | number | string | Uint8Array;
export type SqliteRow = Readonly<Record<string, unknown>>;

export interface EngineStatement {
  run(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
}

export interface EngineConnection {
  readonly isTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): EngineStatement;
  /** Finalizes the statements too: one that is left would keep the file open until it is collected as garbage. */
  close(): void;
}

export interface SqliteEngine {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => EngineConnection;
}

// Not `import()`: the command runs compiled code, which cannot import packages.
const require = createRequire(import.meta.url);

/**
 * The first version in which a checkpoint that meets a write cannot lose pages of the write-ahead log
 * (https://sqlite.org/wal.html#walresetbug).
 */
const OLDEST_BUILTIN = [3, 51, 3] as const;

let engine: SqliteEngine | undefined;

export function loadEngine(): SqliteEngine {
  try {
    engine ??= hasBuiltin() ? builtin() : bundled();
    return engine;
  } catch (cause) {
    throw SqlFailure.for("no engine", { engine: "SQLite" }, { cause });
  }
}

function hasBuiltin(): boolean {
  return isBuiltin("node:sqlite") && isRecent(process.versions.sqlite);
}

function isRecent(version: string | undefined): boolean {
  const parts = (version ?? "0").split(".").map(Number);
  for (const [index, oldest] of OLDEST_BUILTIN.entries()) {
    const part = parts[index] ?? 0;
    if (part !== oldest) return part > oldest;
  }
  return true;
}

function bundled(): SqliteEngine {
  return require("@photostructure/sqlite");
}

/** Loads the built-in engine without Node's warning that it is experimental, which would reach users. */
function builtin(): SqliteEngine {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return require("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
