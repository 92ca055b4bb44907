/**
 * Appending to the log of a kernel in PostgreSQL, in one of two ways.
 *
 * In turn: a writer holds the row of the kernel from before it reads until it commits, in two questions to the
 * server: lock and read, then write and commit. Alone, it holds the row until the commit is flushed. With others about,
 * it lets go before and is answered after: the next one decides while this one's entries are flushed, and its own,
 * which come later in the server's log, cannot be durable before them.
 *
 * Ahead: when nobody else has appended for some turns, it decides on what it knows and sends one question, a transaction
 * of its own: take the row if its epoch is the known one, and append. If something came meanwhile, the entries do not
 * follow the last one, the schema refuses them, and it is done in turn.
 *
 * A lost answer is a doubt. Every group has a random mark in its last entry, so that the very same entry of another
 * process is not taken for ours. Who settles a doubt takes the row and looks for the mark. What was sent in turn holds the
 * row until it has ended, so what is not there by then will not come. What was sent ahead may still be on its way, or wait for
 * the row; so if the mark is not there, the epoch is raised before the row is let go, and what comes later finds another
 * epoch and appends nothing.
 *
 * INVARIANT: nobody is told of an entry, their own or another's, before it is flushed.
 */

import { randomBytes } from "node:crypto";
import {
  isIntegrityError,
  isServerError,
  type PostgresAddress,
  type PostgresConnection,
  type PostgresResult,
} from "../../sql/index.ts";
import { setBack } from "../checks.ts";
import { baseOf, CommitBatch, type Outcome, type Request } from "../commit-batch.ts";
import { InDoubt, LedgerUnavailable, type Stored } from "../port.ts";

/** A transaction of which it is not known whether it was committed. */
interface Doubt {
  readonly sent: "in turn" | "ahead";
  readonly mark: string;
  readonly last: Stored;
  readonly outcomes: readonly Outcome[];
}

/** The row of a kernel. */
interface Row {
  /** Its number, as digits. */
  readonly id: string;
  /**
   * True if this role may raise the epoch. A role without that right cannot resolve doubts, so it must not append
   * ahead.
   */
  readonly fences: boolean;
}

/** State of the row when this process last held it. */
interface Known {
  /** As digits. */
  readonly epoch: string;
  /** The last entry. */
  readonly head: number;
  /** Number of consecutive rounds without foreign entries. */
  readonly quiet: number;
}

/** Resolution of a doubt: the batch is committed as a whole, or not at all. */
export type Settled =
  | { readonly kind: "kept"; readonly outcomes: readonly Outcome[] }
  | { readonly kind: "undone" };

/** So often must nobody else have appended before something is sent ahead: in vain, it costs a question. */
const QUIET_TURNS = 2;

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
  readonly #rows = new Map<string, Row>();
  /** By kernel. Only ever a guess: the server has the last word. */
  readonly #known = new Map<string, Known>();
  /** Connections that know the statements below. */
  readonly #prepared = new WeakSet<PostgresConnection>();
  /** By kernel. INVARIANT: nothing is read or appended for a kernel that is in here before it is settled. */
  readonly #doubts = new Map<string, Doubt>();
  /** Begins each mark of this process; a number ends it. */
  readonly #writer = randomBytes(16).toString("hex");
  #marks = 0;

  constructor({ shown, schema }: PostgresAddress) {
    this.#url = shown;
    this.#schema = schema;
  }

  /** Decides and appends in one transaction; when it rejects, nothing was appended, or it is an `InDoubt`. */
  async append(
    client: PostgresConnection,
    kernel: string,
    group: readonly Request[],
  ): Promise<readonly Outcome[]> {
    await this.settle(client, kernel);
    this.forget(kernel);
    const row = await this.#rowOf(client, kernel);
    if (!this.#prepared.has(client)) {
      await client.query(statements(this.#schema));
      this.#prepared.add(client);
    }
    const known = this.#known.get(kernel);
    // Whatever comes of this, it is known anew when it is done.
    this.#known.delete(kernel);
    const ahead = known && (await this.#ahead(client, kernel, row, known, group));
    return ahead ?? this.#inTurn(client, kernel, row, (known?.quiet ?? 0) + 1, group);
  }

  /** One question; undefined if it is not the time for that, and nothing was appended. */
  async #ahead(
    client: PostgresConnection,
    kernel: string,
    { id, fences }: Row,
    known: Known,
    group: readonly Request[],
  ): Promise<readonly Outcome[] | undefined> {
    const { epoch, head, quiet } = known;
    if (!fences || quiet < QUIET_TURNS || group.some(({ since }) => since !== head)) return undefined;
    const batch = new CommitBatch(this.#url, head, []);
    const outcomes = group.map((request) => batch.decide(request));
    const last = batch.appended.at(-1);
    // Who only looks must be told what is there.
    if (last === undefined) return undefined;
    const mark = this.#newMark();
    const [text, ...more] = insertions(`foreclaim_ahead(${id},${epoch}`, batch.appended, mark);
    if (text === undefined || more.length > 0) return undefined;
    let results: readonly PostgresResult[];
    try {
      // Without a word of transactions all of it is one.
      results = resultsOf(await client.query(text));
    } catch (error) {
      if (isIntegrityError(error)) return undefined;
      // An error that leaves the connection usable has undone the transaction.
      if (isServerError(error) && (await answers(client, "ROLLBACK"))) throw error;
      this.#doubts.set(kernel, { sent: "ahead", mark, last, outcomes });
      throw new InDoubt(`${this.#url} went away while it was committing`, { cause: error });
    }
    const written = results.filter(({ rowCount }) => rowCount === 1).length;
    // Another epoch, or another ledger in its place.
    if (written === 0) return undefined;
    if (written !== batch.appended.length) throw new TypeError("a part of a group was appended");
    this.#known.set(kernel, { epoch, head: last.seq, quiet });
    return outcomes;
  }

  /** Two questions. */
  async #inTurn(
    client: PostgresConnection,
    kernel: string,
    { id }: Row,
    turn: number,
    group: readonly Request[],
  ): Promise<readonly Outcome[]> {
    const base = baseOf(group);
    const { epoch, log } = await this.#locked(client, kernel, id, base);
    if (log === undefined) {
      await client.query("ROLLBACK");
      return group.map(({ since }) => ({ kind: "thrown", error: setBack(this.#url, kernel, since) }));
    }
    const batch = new CommitBatch(this.#url, base, log);
    const outcomes = group.map((request) => batch.decide(request));
    const last = batch.appended.at(-1);
    const others = log.length > 0;
    if (last === undefined) {
      await client.query("ROLLBACK");
      if (others) await flush(client);
    } else {
      const mark = this.#newMark();
      const texts = insertions(`foreclaim_append(${id}`, batch.appended, mark);
      await this.#commit(client, kernel, texts, others, { sent: "in turn", mark, last, outcomes });
    }
    const head = last?.seq ?? base + log.length;
    this.#known.set(kernel, { epoch, head, quiet: others ? 0 : turn });
    return outcomes;
  }

  /** Says how the doubt about a kernel ended, if there is one. */
  async settle(client: PostgresConnection, kernel: string): Promise<Settled | undefined> {
    const doubt = this.#doubts.get(kernel);
    if (doubt === undefined) return undefined;
    if (!(await this.#isThere(client, kernel, doubt))) return { kind: "undone" };
    // It may be committed and not flushed yet.
    await flush(client);
    return { kind: "kept", outcomes: doubt.outcomes };
  }

  /** Resolves a doubt: returns true if the batch was committed, and otherwise fences it off for good. */
  async #isThere(client: PostgresConnection, kernel: string, { sent, mark, last }: Doubt): Promise<boolean> {
    const [entries, kernels] = [`${this.#schema}.entry`, `${this.#schema}.kernel`];
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
    await client.query(`SELECT FROM ${kernels} WHERE name = $1 FOR UPDATE`, [kernel]);
    // Each statement sees what was committed before it began, and this one begins when the row is ours.
    const { rows } = await client.query(
      `SELECT FROM ${entries} e JOIN ${kernels} k ON k.id = e.kernel
       WHERE k.name = $1 AND e.seq = $2 AND e.hash = $3 AND e.mark = decode($4, 'hex')`,
      [kernel, last.seq, last.hash, mark],
    );
    const there = rows.length === 1;
    if (!there && sent === "ahead") {
      await client.query(`UPDATE ${kernels} SET epoch = epoch + 1 WHERE name = $1`, [kernel]);
    }
    const { command } = await client.query("COMMIT");
    // A transaction that failed earlier answers COMMIT with ROLLBACK.
    if (command !== "COMMIT") throw LedgerUnavailable.for("did not commit", { url: this.#url });
    return there;
  }

  /** Drops a resolved doubt once the caller knows its result. */
  forget(kernel: string): void {
    this.#doubts.delete(kernel);
  }

  /** Begins a transaction, takes the kernel's row and gives the entries after `base`, or none if `base` is not there. */
  async #locked(
    client: PostgresConnection,
    kernel: string,
    id: string,
    base: number,
  ): Promise<{ readonly epoch: string; readonly log: readonly Stored[] | undefined }> {
    // Each statement of a read-committed transaction sees what was committed before it began: the last one is run
    // when the row is ours, and so sees the whole log. The entry at `base` shows that it is there.
    const [, row, entries] = resultsOf(
      await client.query(
        `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
         EXECUTE foreclaim_lock(${id}); EXECUTE foreclaim_after(${id}, ${base})`,
      ),
    );
    if (row?.rows.length !== 1) {
      this.#rows.delete(kernel);
      throw LedgerUnavailable.for("set back while open", { url: this.#url });
    }
    const epoch = digits(row.rows[0]?.epoch);
    const found = entries?.rows ?? [];
    if (base === 0) return { epoch, log: found.map(stored) };
    const log = Number(found[0]?.seq) === base ? found.slice(1).map(stored) : undefined;
    return { epoch, log };
  }

  /** Writes and commits; with others about, lets go of the row at once and flushes then. */
  async #commit(
    client: PostgresConnection,
    kernel: string,
    insertions: readonly string[],
    others: boolean,
    doubt: Doubt,
  ): Promise<void> {
    const end = others ? `SET LOCAL synchronous_commit = off; COMMIT; ${FLUSH}` : "COMMIT";
    for (const insertion of insertions.slice(0, -1)) await client.query(insertion);
    try {
      const results = resultsOf(await client.query(`${insertions.at(-1)}; ${end}`));
      // A transaction that failed earlier answers COMMIT with ROLLBACK.
      if (results.at(others ? -2 : -1)?.command === "COMMIT") return;
    } catch (error) {
      // An error that leaves the connection usable has undone the transaction, unless it came after the commit.
      const undone = async () => !others || !(await this.#isThere(client, kernel, doubt));
      if (isServerError(error) && (await answers(client, "ROLLBACK")) && (await undone().catch(() => false)))
        throw error;
      this.#doubts.set(kernel, doubt);
      throw new InDoubt(`${this.#url} went away while it was committing`, { cause: error });
    }
    throw LedgerUnavailable.for("did not commit", { url: this.#url });
  }

  /** Like no other one, in hex digits. */
  #newMark(): string {
    this.#marks++;
    return this.#writer + this.#marks.toString(16).padStart(12, "0");
  }

  async #rowOf(client: PostgresConnection, kernel: string): Promise<Row> {
    const known = this.#rows.get(kernel);
    if (known !== undefined) return known;
    const find = () =>
      client.query(
        `SELECT id, has_column_privilege($2::text, 'epoch', 'UPDATE') AS fences
         FROM ${this.#schema}.kernel WHERE name = $1`,
        [kernel, `${this.#schema}.kernel`],
      );
    let { rows } = await find();
    if (rows.length === 0) {
      await client.query(`INSERT INTO ${this.#schema}.kernel (name) VALUES ($1) ON CONFLICT DO NOTHING`, [
        kernel,
      ]);
      ({ rows } = await find());
    }
    const row = { id: digits(rows[0]?.id), fences: rows[0]?.fences === true };
    this.#rows.set(kernel, row);
    return row;
  }
}

/** Checks that a value consists of digits, so that it can stand in a statement. */
function digits(value: unknown): string {
  const text = String(value);
  if (!/^\d+$/.test(text)) throw new TypeError(`a number of the ledger is \`${text}\``);
  return text;
}

export function stored(row: { seq: unknown; hash: string; bytes: Buffer }): Stored {
  return { seq: Number(row.seq), hash: row.hash, bytes: plain(row.bytes) };
}

/** The bytes without the driver's class around them. */
export function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes);
}

/**
 * Prepared statements and settings of a connection, because parsing and planning cost the server more than execution.
 * The plan uses the key of the entries, independent of their number.
 */
function statements(schema: string): string {
  return `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off;
    SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off;
    PREPARE foreclaim_lock(bigint) AS SELECT epoch FROM ${schema}.kernel WHERE id = $1 FOR UPDATE;
    PREPARE foreclaim_after(bigint, bigint) AS
      SELECT seq, hash, CASE WHEN seq > $2 THEN bytes END AS bytes FROM ${schema}.entry
      WHERE kernel = $1 AND seq >= $2 ORDER BY seq;
    PREPARE foreclaim_append(bigint, bigint, text, bytea, bytea) AS
      INSERT INTO ${schema}.entry (kernel, seq, hash, bytes, mark) VALUES ($1, $2, $3, $4, $5);
    PREPARE foreclaim_ahead(bigint, bigint, bigint, text, bytea, bytea) AS
      INSERT INTO ${schema}.entry (kernel, seq, hash, bytes, mark)
      SELECT id, $3, $4, $5, $6 FROM ${schema}.kernel WHERE id = $1 AND epoch = $2 FOR UPDATE`;
}

/**
 * Statements that insert these entries, the last one marked: a call that is begun, and what each entry adds. Only digits and
 * hex digits go into the text: there is nothing to escape.
 */
function insertions(begun: string, entries: readonly Stored[], mark: string): readonly string[] {
  const texts: string[] = [];
  let text = "";
  let size = 0;
  for (const [index, { seq, hash, bytes }] of entries.entries()) {
    if (text !== "" && size + bytes.length > STATEMENT_BYTES) {
      texts.push(text);
      [text, size] = ["", 0];
    }
    const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
    const marked = index === entries.length - 1 ? `decode('${mark}','hex')` : "NULL";
    text += `${text === "" ? "" : ";"}EXECUTE ${begun},${seq},'${hash}',decode('${hex}','hex'),${marked})`;
    size += bytes.length;
  }
  return [...texts, text];
}

/** Resolves when all that was committed before is flushed, and on the standbys that commits wait for. */
export async function flush(client: PostgresConnection): Promise<void> {
  await client.query(FLUSH);
}

async function answers(client: PostgresConnection, statement: string): Promise<boolean> {
  try {
    await client.query(statement);
    return true;
  } catch {
    return false;
  }
}

/** The driver gives a list of results for several statements, which its types do not say. */
function resultsOf(answer: PostgresResult | PostgresResult[]): readonly PostgresResult[] {
  return Array.isArray(answer) ? answer : [answer];
}
