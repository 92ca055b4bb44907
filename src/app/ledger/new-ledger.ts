/**
 * A ledger that `run` makes. Until the run begins, its kernel is in memory; a run that is refused before leaves no file
 * behind. The entries move as they are, so that an approval for the kernel in memory is one for the kernel in the file.
 */
import { dirname } from "node:path";
import { ok, type Result } from "../../ir/index.ts";
import { Kernel, type Log, MemoryLog, newKeys, type StoredEntry } from "../../kernel/index.ts";
import { type Ledger, openLedger } from "../../ledger/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { folderWords } from "../load/tool-folders.ts";
import { cannotWrite, keyPathOf, onlyMine, publicPathOf } from "./keys.ts";
import { type Address, firstBytes, ledgerFailure } from "./open.ts";

/** The name of the only budget, which every call is charged to. */
const budgetName = "total";

export interface NewLedgerOptions {
  readonly name: string;
  readonly budget: string;
  /** Set if it gets keys of its own, unless some lie there. */
  readonly hasKeys: boolean;
}

export class NewLedger implements Log {
  readonly address: Address;
  readonly #fs: FileSystem & Clock;
  readonly #options: NewLedgerOptions;
  readonly #memory = new MemoryLog();
  #keys: ReturnType<typeof newKeys> | undefined;
  #ledger: Ledger | undefined;

  private constructor(fs: FileSystem & Clock, address: Address, options: NewLedgerOptions) {
    this.address = address;
    this.#fs = fs;
    this.#options = options;
  }

  /** The kernel that the ledger will hold. Fails for a budget that no kernel takes, and where no file can be made. */
  static async open(
    fs: FileSystem & Clock,
    address: Address & { readonly file: string },
    options: NewLedgerOptions,
  ): Promise<Result<{ readonly ledger: NewLedger; readonly kernel: Kernel }, Failure>> {
    const folder = dirname(address.file);
    const listing = await fs.listFolder(folder);
    if (listing.kind === "failed") {
      const message = `cannot make the ledger \`${address.shown}\` in \`${folder}\`: ${folderWords(listing.code)}`;
      return plainFailure("FC9006", message);
    }
    const ledger = new NewLedger(fs, address, options);
    const { name, budget } = options;
    const policy = { budgets: [{ name: budgetName, limit: budget }] };
    const opened = await Kernel.open({ ledger, name, policy, clock: fs.wallMs });
    if (!opened.ok) return plainFailure("FC9009", opened.problem.message, "nothing was made");
    const keyPath = keyPathOf(address);
    const keyBytes = keyPath === undefined ? undefined : await firstBytes(fs, keyPath);
    if (options.hasKeys && keyBytes?.ok === true && keyBytes.value === undefined) ledger.#keys = newKeys();
    return ok({ ledger, kernel: opened.value });
  }

  /** Keys that will lie beside the ledger; undefined if some lie there, or are named. */
  get keys(): ReturnType<typeof newKeys> | undefined {
    return this.#keys;
  }

  transact(
    kernel: string,
    since: number,
    decide: (after: readonly StoredEntry[]) => readonly StoredEntry[],
  ): Promise<void> {
    return (this.#ledger ?? this.#memory).transact(kernel, since, decide);
  }

  read(kernel: string, from: number, limit: number): Promise<readonly StoredEntry[]> {
    return (this.#ledger ?? this.#memory).read(kernel, from, limit);
  }

  /** Makes the file, with all entries that there are. Fails if somebody else has made it in the meantime. */
  async make(): Promise<Result<string, Failure>> {
    const { file, shown } = this.address;
    const there = file === undefined ? ok(undefined) : await firstBytes(this.#fs, file);
    if (!there.ok) return there;
    if (there.value !== undefined && there.value.length > 0) return madeMeanwhile(shown);
    const unwritten = await this.#writeKeys();
    if (unwritten !== undefined) return unwritten;
    try {
      const ledger = await openLedger(this.address.url, { create: true });
      this.#ledger = ledger;
      if (!(await this.#moveTo(ledger))) return madeMeanwhile(shown);
      return ok(`made the ledger ${shown} with a budget of ${this.#options.budget}`);
    } catch (thrown) {
      return ledgerFailure(thrown, this.address);
    }
  }

  async #moveTo(ledger: Ledger): Promise<boolean> {
    const { name } = this.#options;
    const entries = await this.#memory.read(name, 1, Number.MAX_SAFE_INTEGER);
    let isMoved = false;
    await ledger.transact(name, 0, (after) => {
      isMoved = after.length === 0;
      return isMoved ? entries : [];
    });
    return isMoved;
  }

  async #writeKeys(): Promise<Failure | undefined> {
    const path = keyPathOf(this.address);
    if (this.#keys === undefined || path === undefined) return undefined;
    const { privateKey, publicKey } = this.#keys;
    const files = new Map([
      [path, privateKey],
      [publicPathOf(path), publicKey],
    ]);
    const failed = await this.#fs.createFiles(files, (one) => (one === path ? onlyMine : 0o644));
    if (failed === undefined) return undefined;
    return failed.kind === "failed"
      ? cannotWrite(failed.path, failed.code)
      : plainFailure("FC9010", `\`${failed.paths[0]}\` is there already`, "nothing was run");
  }

  async close(): Promise<void> {
    await this.#ledger?.close().catch(() => undefined);
  }
}

function madeMeanwhile(shown: string): Failure {
  const message = `the ledger \`${shown}\` was made by somebody else in the meantime`;
  return plainFailure("FC9006", message, "nothing was run; start again");
}
