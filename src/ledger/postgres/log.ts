/**
 * Appending to the log of a kernel in PostgreSQL. Whoever appends holds the row of the kernel from before it reads until
 * it commits, in two questions to the server: lock and read, then write and commit. Alone, it holds the row until the
 * commit is flushed. With others about, it lets go before and is answered after: the next one decides while this one's
 * entries are flushed, and its own, which come later in the server's log, cannot be durable before them.
 * INVARIANT: nobody is told of an entry, their own or another's, before it is flushed.
 */

import type pg from "pg";
import { setBack } from "../checks.ts";
import { InDoubt, LedgerUnavailable, type Stored } from "../port.ts";
import { baseOf, type Outcome, type Request, Round } from "../round.ts";
import type { Address } from "./address.ts";
import { isAnswer, StillRunning } from "./errors.ts";

/** A transaction of which it is not known whether it was committed. */
interface Doubt {
  readonly transaction: string;
  readonly last: Stored;
  readonly outcomes: readonly Outcome[];
}

/** What became of it: all of it is there, or nothing. */
export type Settled =
  | { readonly kind: "kept"; readonly outcomes: readonly Outcome[] }
  | { readonly kind: "undone" };

/** The code of `transaction ID … is in the future`. */
const IN_THE_FUTURE = "22023";

/** LIMIT: bytes of entries in one question. */
const STATEMENT_BYTES = 16 * 1024 * 1024;

/**
 * A transaction of its own. Its commit waits for everything before it in the server's log; it has something to write there,
 * or it would not wait.
 */
const FLUSH = "SELECT pg_logical_emit_message(true, 'foreclaim', '')";

export class Log {
  readonly #url: string;
  readonly #schema: string;
  /** The kernels' numbers, as digits. */
  readonly #ids = new Map<string, string>();
  /** Connections that know the statements below. */
  readonly #prepared = new WeakSet<pg.PoolClient>();
  /** By kernel. INVARIANT: nothing is read or appended for a kernel that is in here before it is settled. */
  readonly #doubts = new Map<string, Doubt>();

  constructor({ shown, schema }: Address) {
    this.#url = shown;
    this.#schema = schema;
  }

  /** Decides and appends in one transaction; when it rejects, nothing was appended, or it is an `InDoubt`. */
  async append(
    client: pg.PoolClient,
    kernel: string,
    group: readonly Request[],
  ): Promise<readonly Outcome[]> {
    await this.settle(client, kernel);
    this.forget(kernel);
    const id = await this.#idOf(client, kernel);
    const base = baseOf(group);
    const { transaction, log } = await this.#locked(client, kernel, id, base);
    if (log === undefined) {
      await client.query("ROLLBACK");
      return group.map(({ since }) => ({ kind: "thrown", error: setBack(this.#url, kernel, since) }));
    }
    const round = new Round(this.#url, base, log);
    const outcomes = group.map((request) => round.decide(request));
    const last = round.appended.at(-1);
    const others = log.length > 0;
    if (last === undefined) {
      await client.query("ROLLBACK");
      if (others) await flush(client);
    } else {
      const doubt = { transaction, last, outcomes };
      await this.#commit(client, insertions(id, round.appended), transaction, others, () =>
        this.#doubts.set(kernel, doubt),
      );
    }
    return outcomes;
  }

  /**
   * Says how the doubt about a kernel ended, if there is one. The server knows what became of a transaction; that an entry like
   * ours is there proves nothing, since another process may have appended the very same, and that none is there proves
   * nothing while the transaction still runs.
   */
  async settle(client: pg.PoolClient, kernel: string): Promise<Settled | undefined> {
    const doubt = this.#doubts.get(kernel);
    if (doubt === undefined) return undefined;
    const { transaction, last, outcomes } = doubt;
    const status = await statusOf(client, transaction);
    if (status === "in progress") throw new StillRunning();
    // It may be committed and not flushed yet.
    if (status === "committed") await flush(client);
    // After a crash that lost a transaction, its number can be that of another one: both must fit.
    const { rows } = await client.query(
      `SELECT FROM ${this.#schema}.entry e JOIN ${this.#schema}.kernel k ON k.id = e.kernel
       WHERE k.name = $1 AND e.seq = $2 AND e.hash = $3`,
      [kernel, last.seq, last.hash],
    );
    return status === "committed" && rows.length === 1 ? { kind: "kept", outcomes } : { kind: "undone" };
  }

  /** Whoever is told of the end of a doubt has no further need of it. */
  forget(kernel: string): void {
    this.#doubts.delete(kernel);
  }

  /** Begins a transaction, takes the kernel's row and gives the entries after `base`, or none if `base` is not there. */
  async #locked(
    client: pg.PoolClient,
    kernel: string,
    id: string,
    base: number,
  ): Promise<{ readonly transaction: string; readonly log: readonly Stored[] | undefined }> {
    if (!this.#prepared.has(client)) {
      await client.query(statements(this.#schema));
      this.#prepared.add(client);
    }
    // Each statement of a read-committed transaction sees what was committed before it began: the last one is run
    // when the row is ours, and so sees the whole log. The entry at `base` shows that it is there.
    const [, row, entries] = resultsOf(
      await client.query(
        `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
         EXECUTE foreclaim_lock(${id}); EXECUTE foreclaim_after(${id}, ${base})`,
      ),
    );
    const transaction = row?.rows[0]?.transaction;
    if (typeof transaction !== "string") {
      this.#ids.delete(kernel);
      throw new LedgerUnavailable(`${this.#url} was set back or replaced while it was open`);
    }
    const found = entries?.rows ?? [];
    if (base === 0) return { transaction, log: found.map(stored) };
    const log = Number(found[0]?.seq) === base ? found.slice(1).map(stored) : undefined;
    return { transaction, log };
  }

  /** Writes and commits; with others about, lets go of the row at once and flushes then. */
  async #commit(
    client: pg.PoolClient,
    insertions: readonly string[],
    transaction: string,
    others: boolean,
    inDoubt: () => void,
  ): Promise<void> {
    const end = others ? `SET LOCAL synchronous_commit = off; COMMIT; ${FLUSH}` : "COMMIT";
    for (const insertion of insertions.slice(0, -1)) await client.query(insertion);
    try {
      const results = resultsOf(await client.query(`${insertions.at(-1)}; ${end}`));
      // A transaction that failed earlier answers COMMIT with ROLLBACK.
      if (results.at(others ? -2 : -1)?.command === "COMMIT") return;
    } catch (error) {
      // An error that leaves the connection usable has undone the transaction, unless it came after the commit.
      const undone = async () => !others || (await statusOf(client, transaction)) === "aborted";
      if (isAnswer(error) && (await answers(client, "ROLLBACK")) && (await undone().catch(() => false)))
        throw error;
      inDoubt();
      throw new InDoubt(`${this.#url} went away while it was committing`, { cause: error });
    }
    throw new LedgerUnavailable(`${this.#url} did not commit`);
  }

  async #idOf(client: pg.PoolClient, kernel: string): Promise<string> {
    const known = this.#ids.get(kernel);
    if (known !== undefined) return known;
    const find = () => client.query(`SELECT id FROM ${this.#schema}.kernel WHERE name = $1`, [kernel]);
    let { rows } = await find();
    if (rows.length === 0) {
      await client.query(`INSERT INTO ${this.#schema}.kernel (name) VALUES ($1) ON CONFLICT DO NOTHING`, [
        kernel,
      ]);
      ({ rows } = await find());
    }
    const id = String(rows[0]?.id);
    if (!/^\d+$/.test(id)) throw new TypeError(`the number of a kernel is \`${id}\``);
    this.#ids.set(kernel, id);
    return id;
  }
}

export function stored(row: { seq: unknown; hash: string; bytes: Buffer }): Stored {
  return { seq: Number(row.seq), hash: row.hash, bytes: plain(row.bytes) };
}

/** The bytes without the driver's class around them. */
export function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes);
}

/**
 * What a connection learns once, since to read and plan these takes the server longer than to do them. By the key of the
 * entries, however many there are when the plan is made.
 */
function statements(schema: string): string {
  return `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off;
    PREPARE foreclaim_lock(bigint) AS
      SELECT pg_current_xact_id()::text AS transaction FROM ${schema}.kernel WHERE id = $1 FOR UPDATE;
    PREPARE foreclaim_after(bigint, bigint) AS
      SELECT seq, hash, CASE WHEN seq > $2 THEN bytes END AS bytes FROM ${schema}.entry
      WHERE kernel = $1 AND seq >= $2 ORDER BY seq;
    PREPARE foreclaim_append(bigint, bigint, text, bytea) AS
      INSERT INTO ${schema}.entry (kernel, seq, hash, bytes) VALUES ($1, $2, $3, $4)`;
}

/** Statements that insert these entries. Only digits and hex digits go into the text: there is nothing to escape. */
function insertions(id: string, entries: readonly Stored[]): readonly string[] {
  const texts: string[] = [];
  let text = "";
  let size = 0;
  for (const { seq, hash, bytes } of entries) {
    if (text !== "" && size + bytes.length > STATEMENT_BYTES) {
      texts.push(text);
      [text, size] = ["", 0];
    }
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
    text += `${text === "" ? "" : ";"}EXECUTE foreclaim_append(${id},${seq},'${hash}',decode('${hex}','hex'))`;
    size += bytes.length;
  }
  return [...texts, text];
}

/** Resolves when all that was committed before is flushed, and on the standbys that commits wait for. */
export async function flush(client: pg.PoolClient): Promise<void> {
  await client.query(FLUSH);
}

/** What the server says of a transaction; one that it has never heard of was lost in a crash. */
async function statusOf(client: pg.PoolClient, transaction: string): Promise<string> {
  try {
    const { rows } = await client.query("SELECT pg_xact_status($1::xid8) AS status", [transaction]);
    // LIMIT: the server forgets after some hundred million transactions; a doubt is asked about long before.
    return rows[0]?.status ?? "aborted";
  } catch (error) {
    if (isAnswer(error) && error.code === IN_THE_FUTURE) return "aborted";
    throw error;
  }
}

async function answers(client: pg.PoolClient, statement: string): Promise<boolean> {
  try {
    await client.query(statement);
    return true;
  } catch {
    return false;
  }
}

/** The driver gives a list of results for several statements, which its types do not say. */
function resultsOf(answer: pg.QueryResult | pg.QueryResult[]): readonly pg.QueryResult[] {
  return Array.isArray(answer) ? answer : [answer];
}
