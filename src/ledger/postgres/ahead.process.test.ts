/** Pipelined appends: cut off at every point, delivered late, and with concurrent writers. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CuttingProxy } from "../../../tests/support/cutting-proxy.ts";
import { entry, textOf, wholeLog } from "../../../tests/support/ledger-entries.ts";
import { PostgresServer } from "../../../tests/support/postgres.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import { migrationText } from "../../sql/index.ts";
import { openLedger } from "../open.ts";
import { type Ledger, LedgerUnavailable } from "../port.ts";
import { PostgresLedger } from "./ledger.ts";
import { ledgerTables } from "./schema.ts";

const server = await PostgresServer.start();
const short = { totalMs: 500, firstWaitMs: 20, longestWaitMs: 100 };
const hasty = { busy: short, away: short, doubt: short };
const AHEAD = "EXECUTE foreclaim_ahead";
const long = { timeout: 30_000 };

let schemas = 0;
const freshUrl = () => server!.ledgerUrl(`ahead_${++schemas}`);
const schema = () => `ahead_${schemas}`;
const sql = (text: string) => server!.query(text.replaceAll("$schema", schema()));
const epoch = async () => Number((await sql("SELECT epoch FROM $schema.kernel"))[0]?.epoch);

/** Appends as one who has seen all of it, and so may be sent ahead. */
const next = (ledger: Ledger, text: string, head: number) =>
  ledger.transact("a", head, (after) => [entry(head + after.length + 1, text)]);

/** Three entries, after which the next one is sent ahead. */
const quiet = async (ledger: Ledger) => {
  for (const [head, text] of ["x", "y", "z"].entries()) await next(ledger, text, head);
};

const logOf = async (ledger: Ledger) => (await wholeLog(ledger, "a")).map(textOf);

/** Sessions of ledgers that wait for a row. */
const waiting = () =>
  server!.query(
    "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'foreclaim'",
  );

/** Holds the row of the kernel until it is let go. */
const rowHeld = async () => {
  const held = sql(
    `BEGIN; SELECT FROM $schema.kernel WHERE name = 'a' FOR UPDATE; SET LOCAL application_name = 'holder';
     SELECT pg_sleep(60); COMMIT`,
  ).catch(() => {});
  const holder = () =>
    server!.query(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'holder' AND wait_event = 'PgSleep'",
    );
  await expect.poll(holder, long).toHaveLength(1);
  const [row] = await holder();
  return async () => {
    await server!.query("SELECT pg_terminate_backend($1)", [row?.pid]);
    await held;
  };
};

describe.skipIf(server === undefined)("sent ahead", () => {
  let proxy: CuttingProxy;
  beforeAll(async () => {
    proxy = await CuttingProxy.before(Number(new URL(server!.url).port));
  });
  afterAll(async () => {
    await proxy.close();
    await server?.stop();
  });
  const through = (url: string) => url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`);
  const opened = async () => {
    const url = freshUrl();
    const [direct, ledger] = [await openLedger(url), await openLedger(through(url))];
    await quiet(ledger);
    return { url, direct, ledger, close: () => Promise.all([direct.close(), ledger.close()]) };
  };

  describe("is", () => {
    it("what one process does that is alone, a group at a time", async () => {
      const { ledger, close } = await opened();
      proxy.watch(AHEAD);
      await Promise.all(["1", "2", "3"].map((text) => next(ledger, text, 3)));
      await next(ledger, "4", 6);
      expect(proxy.seen).toBe(2);
      expect(await logOf(ledger)).toEqual(["x", "y", "z", "1", "2", "3", "4"]);
      await close();
    });

    it("in vain when another one was quicker: that is decided again, with what came", async () => {
      const { direct, ledger, close } = await opened();
      await next(direct, "theirs", 3);
      proxy.watch(AHEAD);
      const told: string[][] = [];
      await ledger.transact("a", 3, (after) => {
        told.push(after.map(textOf));
        return [entry(4 + after.length, "mine")];
      });
      expect(told).toEqual([[], ["theirs"]]);
      // With others about it is not tried again before they have been quiet.
      await next(ledger, "in turn", 5);
      expect(proxy.seen).toBe(1);
      expect(await logOf(direct)).toEqual(["x", "y", "z", "theirs", "mine", "in turn"]);
      await close();
    });

    it("nothing for those who only look, or have not seen all of it", async () => {
      const { direct, ledger, close } = await opened();
      await next(direct, "theirs", 3);
      proxy.watch(AHEAD);
      const told: string[][] = [];
      await ledger.transact("a", 3, (after) => {
        told.push(after.map(textOf));
        return [];
      });
      expect(told.at(-1)).toEqual(["theirs"]);
      await next(ledger, "mine", 2);
      expect(proxy.seen).toBe(0);
      expect(await logOf(direct)).toEqual(["x", "y", "z", "theirs", "mine"]);
      await close();
    });

    it("nothing for a log that was set back", async () => {
      const { ledger, close } = await opened();
      await sql("ALTER TABLE $schema.entry DISABLE TRIGGER USER; DELETE FROM $schema.entry WHERE seq = 3");
      await sql("ALTER TABLE $schema.entry ENABLE TRIGGER USER");
      await expect(next(ledger, "no", 3)).rejects.toThrow("rolled back or replaced");
      expect(await logOf(ledger)).toEqual(["x", "y"]);
      await close();
    });

    it("nothing for a role that may not raise the epoch", async () => {
      const url = new URL(through(freshUrl()));
      await (await openLedger(url.href)).close();
      await sql(
        `CREATE ROLE plain LOGIN PASSWORD 'p'; GRANT USAGE ON SCHEMA $schema TO plain;
         GRANT SELECT ON $schema.migration TO plain; GRANT SELECT, INSERT ON $schema.entry TO plain;
         GRANT SELECT, INSERT, UPDATE (id) ON $schema.kernel TO plain`,
      );
      [url.username, url.password] = ["plain", "p"];
      await using ledger = await openLedger(url.href);
      proxy.watch(AHEAD);
      await quiet(ledger);
      proxy.cut("; COMMIT", "before");
      await next(ledger, "4", 3);
      await next(ledger, "5", 4);
      expect(proxy.seen).toBe(0);
      expect(await logOf(ledger)).toEqual(["x", "y", "z", "4", "5"]);
    });
  });

  describe("and cut off", () => {
    it.each([
      ["before", "2", 1],
      ["sent", "1", 0],
      ["after", "1", 0],
    ] as const)("%s the server had it, is asked about", async (when, kept, epochs) => {
      const { ledger, close } = await opened();
      let asked = 0;
      proxy.cut(AHEAD, when);
      await ledger.transact("a", 3, () => [entry(4, `${++asked}`)]);
      // What was committed is not decided again, and what was not is.
      expect(await logOf(ledger)).toEqual(["x", "y", "z", kept]);
      expect(await epoch()).toBe(epochs);
      await quiet2(ledger);
      await close();
    });

    /** It goes on, and ahead again. */
    const quiet2 = async (ledger: Ledger) => {
      for (const head of [4, 5, 6]) await next(ledger, `${head}`, head);
      proxy.watch(AHEAD);
      await next(ledger, "end", 7);
      expect(proxy.seen).toBe(1);
    };

    it("does not take the same entry of another process for its own", async () => {
      const { direct, ledger, close } = await opened();
      proxy.cut(AHEAD, "before", { stay: true });
      const mine = next(ledger, "same", 3);
      await expect.poll(() => proxy.isDown, long).toBe(true);
      await next(direct, "same", 3);
      proxy.mend();
      await mine;
      expect(await logOf(direct)).toEqual(["x", "y", "z", "same", "same"]);
      await close();
    });

    it.each([
      ["before", ["x", "y", "z"]],
      ["after", ["x", "y", "z", "0", "1", "2"]],
    ] as const)("for good leaves a doubt to all of the group, %s: reading ends it", async (when, log) => {
      const url = freshUrl();
      await using ledger = await PostgresLedger.open(through(url), true, hasty);
      await quiet(ledger);
      proxy.cut(AHEAD, when, { stay: true });
      const outcomes = await Promise.allSettled(["0", "1", "2"].map((text) => next(ledger, text, 3)));
      const names = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.name);
      expect(names).toEqual(["InDoubt", "InDoubt", "InDoubt"]);
      await expect(ledger.read("a", 1, 9)).rejects.toThrow(LedgerUnavailable);
      proxy.mend();
      expect(await logOf(ledger)).toEqual(log);
      await next(ledger, "end", log.length);
      expect(await logOf(ledger)).toEqual([...log, "end"]);
    });

    it("is not answered while the server still commits", async () => {
      const { ledger, close } = await opened();
      await sql(
        `CREATE FUNCTION $schema.slow() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON $schema.entry DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW WHEN (NEW.seq = 4) EXECUTE FUNCTION $schema.slow()`,
      );
      let asked = 0;
      proxy.cut(AHEAD, "sent");
      await ledger.transact("a", 3, () => [entry(4, `${++asked}`)]);
      expect(await logOf(ledger)).toEqual(["x", "y", "z", "1"]);
      await close();
    });

    it("by the end of its session while it waits for the row, is done once", async () => {
      const { direct, ledger, close } = await opened();
      const letGo = await rowHeld();
      const mine = next(ledger, "mine", 3);
      await expect.poll(waiting, long).toHaveLength(1);
      await server!.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
      );
      await letGo();
      await mine;
      expect(await logOf(direct)).toEqual(["x", "y", "z", "mine"]);
      await close();
    });
  });

  describe("and late", () => {
    /** The pipelined append arrives late. The retry appends nothing, so only the epoch fences it off. */
    const lateOne = (ledger: Ledger) => {
      let asked = 0;
      proxy.cut(AHEAD, "late");
      return ledger.transact("a", 3, () => (asked++ === 0 ? [entry(4, "late")] : []));
    };

    it("appends nothing once the doubt is settled", async () => {
      const { direct, ledger, close } = await opened();
      await lateOne(ledger);
      await proxy.deliver();
      expect(await logOf(direct)).toEqual(["x", "y", "z"]);
      expect(await epoch()).toBe(1);
      await next(ledger, "end", 3);
      expect(await logOf(direct)).toEqual(["x", "y", "z", "end"]);
      await close();
    });

    it("appends nothing if it comes while the one who settles waits for the row", async () => {
      const { direct, ledger, close } = await opened();
      const letGo = await rowHeld();
      const settling = lateOne(ledger);
      await expect.poll(waiting, long).toHaveLength(1);
      const delivered = proxy.deliver();
      await expect.poll(waiting, long).toHaveLength(2);
      await letGo();
      await Promise.all([settling, delivered]);
      expect(await logOf(direct)).toEqual(["x", "y", "z"]);
      await close();
    });

    it("is there if it waits for the row before the one who settles does", async () => {
      const { direct, ledger, close } = await opened();
      const letGo = await rowHeld();
      let asked = 0;
      proxy.cut(AHEAD, "sent");
      const settling = ledger.transact("a", 3, () => [entry(4, `${++asked}`)]);
      await expect.poll(waiting, long).toHaveLength(2);
      await letGo();
      await settling;
      expect(await logOf(direct)).toEqual(["x", "y", "z", "1"]);
      expect(await epoch()).toBe(0);
      await close();
    });

    it("appends nothing after someone else has raised the epoch", async () => {
      const { direct, ledger, close } = await opened();
      proxy.cut(AHEAD, "late", { stay: true });
      let asked = 0;
      const mine = ledger.transact("a", 3, () => (asked++ === 0 ? [entry(4, "late")] : []));
      await expect.poll(() => proxy.isDown, long).toBe(true);
      await sql("UPDATE $schema.kernel SET epoch = epoch + 1");
      await proxy.deliver();
      expect(await logOf(direct)).toEqual(["x", "y", "z"]);
      proxy.mend();
      await mine;
      expect(await logOf(direct)).toEqual(["x", "y", "z"]);
      await close();
    });
  });

  it("or in turn, several who come and go leave one log, each entry decided on all before it", async () => {
    const url = freshUrl();
    const ledgers = await Promise.all([1, 2, 3].map(() => openLedger(through(url))));
    proxy.watch(AHEAD);
    const each = runs(60);
    await Promise.all(
      ledgers.map(async (ledger, who) => {
        let head = 0;
        for (let n = 0; n < each; n++) {
          // Bursts with pauses between: alone at times, and at times not.
          if (n % 15 === 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
          await ledger.transact("a", head, (after) => {
            const seq = head + after.length + 1;
            return [entry(seq, `${who} ${n} after ${seq - 1}`)];
          });
          const log = await ledger.read("a", head + 1, 1_000);
          head += log.findIndex((one) => textOf(one).startsWith(`${who} ${n} `)) + 1;
        }
      }),
    );
    const log = await logOf(ledgers[0]!);
    expect(log).toHaveLength(3 * each);
    expect(log.map((text) => Number(text.split(" ").at(-1)))).toEqual(log.map((_, index) => index));
    expect(new Set(log.map((text) => text.split(" after ")[0])).size).toBe(3 * each);
    expect(proxy.seen).toBeGreaterThanOrEqual(atLeast(1));
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  });

  it("is what a ledger of the first version can do after it was opened, with the rights of then", async () => {
    const url = new URL(through(freshUrl()));
    const first = migrationText(ledgerTables.migrations, `"${schema()}"`, 0, 1);
    await sql(`CREATE SCHEMA $schema; ${first}; CREATE ROLE old LOGIN PASSWORD 'o'; GRANT USAGE ON SCHEMA $schema TO old;
      GRANT SELECT ON $schema.migration TO old; GRANT SELECT, INSERT ON $schema.entry TO old;
      GRANT SELECT, INSERT, UPDATE (id) ON $schema.kernel TO old; GRANT SELECT, INSERT, UPDATE ON $schema.snapshot TO old;
      INSERT INTO $schema.kernel (name) VALUES ('a')`);
    for (const { seq, hash, bytes } of [entry(1, "x"), entry(2, "y")]) {
      await server!.query(`INSERT INTO ${schema()}.entry VALUES (1, $1, $2, $3)`, [
        seq,
        hash,
        Buffer.from(bytes),
      ]);
    }
    await (await openLedger(url.href)).close();
    expect(await sql("SELECT version FROM $schema.migration ORDER BY version")).toEqual([
      { version: 1 },
      { version: 2 },
      { version: 3 },
      { version: 4 },
      { version: 5 },
    ]);
    [url.username, url.password] = ["old", "o"];
    await using ledger = await openLedger(url.href);
    expect(await logOf(ledger)).toEqual(["x", "y"]);
    for (const [n, text] of ["1", "2", "3"].entries()) await next(ledger, text, 2 + n);
    let asked = 0;
    proxy.cut(AHEAD, "before");
    await ledger.transact("a", 5, () => [entry(6, `${++asked}`)]);
    expect(await logOf(ledger)).toEqual(["x", "y", "1", "2", "3", "2"]);
    expect(await epoch()).toBe(1);
    // A process of that version that is still open appends without a mark.
    await sql(
      "INSERT INTO $schema.entry (kernel, seq, hash, bytes) SELECT 1, 7, hash, bytes FROM $schema.entry WHERE seq = 1",
    );
    await next(ledger, "end", 6);
    expect(await logOf(ledger)).toEqual(["x", "y", "1", "2", "3", "2", "x", "end"]);
  });
});
