/**
 * Room on the disk that is kept free for emergencies: a file of zeros beside the ledger. On a full disk it is removed, and
 * what is urgent is written in its place; until it can be made again, nothing else is written.
 */
import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from "node:fs";

/** LIMIT: enough for some dozens of entries and for the files that SQLite makes beside its own. */
const SIZE = 512 * 1024;

export class Reserve {
  readonly #path: string;
  /** Undefined until it was looked at. */
  #isThere: boolean | undefined;

  constructor(ledger: string) {
    this.#path = `${ledger}-reserve`;
  }

  /** Makes it unless it is there. Returns whether it is. */
  keep(): boolean {
    this.#isThere ??= isWhole(this.#path);
    if (!this.#isThere) this.#isThere = made(this.#path);
    return this.#isThere;
  }

  /** Makes it again if it was spent here. */
  renew(): void {
    if (this.#isThere === false) this.keep();
  }

  /** Gives its room to what is urgent. Returns false if there was none. */
  spend(): boolean {
    const wasThere = statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
    rmSync(this.#path, { force: true });
    this.#isThere = false;
    return wasThere;
  }
}

function isWhole(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === SIZE;
}

/** Zeros that are written: a hole would take no room. */
function made(path: string): boolean {
  let file: number | undefined;
  try {
    file = openSync(path, "w", 0o600);
    const zeros = Buffer.alloc(SIZE);
    for (let at = 0; at < SIZE; ) at += writeSync(file, zeros, at, SIZE - at, at);
    fsyncSync(file);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    // A folder that cannot be written, or a system without room for it: only a full disk is what this is for.
    return !isNoRoom(error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isNoRoom(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
