import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CuttingProxy } from "../../../tests/support/cutting-proxy.ts";
import { ledgerContract } from "../../../tests/support/ledger-contract.ts";
import { append, entry, textOf, wholeLog } from "../../../tests/support/ledger-entries.ts";
import { PostgresServer } from "../../../tests/support/postgres.ts";
import { openLedger } from "../open.ts";
import { InDoubt, type Ledger, LedgerUnavailable } from "../port.ts";
import { PostgresLedger } from "./ledger.ts";

const server = await PostgresServer.start();

/** Gives up sooner than users would like. */
const short = { totalMs: 500, firstWaitMs: 20, longestWaitMs: 100 };
const hasty = { busy: short, away: short, doubt: short };

let schemas = 0;
const freshUrl = () => server!.ledgerUrl(`ledger_${++schemas}`);

describe.skipIf(server === undefined)("PostgreSQL", () => {
  const urls = new Map<Ledger, string>();
  const fresh = async () => {
    const url = freshUrl();
    const ledger = await openLedger(url);
    urls.set(ledger, url);
    return ledger;
  };
  afterAll(() => server?.stop());

  describe("a ledger", () => {
    ledgerContract(fresh, (ledger) => openLedger(urls.get(ledger)!));
  });

  describe("opening", () => {
    it("shows no secret", async () => {
      await using ledger = await openLedger(server!.url);
      expect(ledger.url).toMatch(/^postgres:\/\/tester@127\.0\.0\.1:\d+\/postgres$/);
      const wrong = new URL(server!.url);
      wrong.password = "hidden-word";
      wrong.searchParams.set("sslpassword", "hidden-word");
      const error = await openLedger(wrong.href).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LedgerUnavailable);
      expect(String(error)).toContain("does not let this user in");
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("hidden-word");
    });

    it("works by many at once for the first time", async () => {
      const url = freshUrl();
      const all = await Promise.all(Array.from({ length: 8 }, () => openLedger(url)));
      await Promise.all(all.map((ledger, n) => append(ledger, "a", `${n}`)));
      expect(await wholeLog(all[0]!, "a")).toHaveLength(8);
      await Promise.all(all.map((ledger) => ledger.close()));
    });

    it("needs no right to make a schema that was made for it", async () => {
      await server!.query("CREATE ROLE tenant LOGIN PASSWORD 't'; CREATE SCHEMA rented AUTHORIZATION tenant");
      const url = new URL(server!.ledgerUrl("rented"));
      url.username = "tenant";
      url.password = "t";
      await using ledger = await openLedger(url.href);
      expect(await append(ledger, "a", "x")).toBe(1);
    });

    it("refuses what is missing, something else, or newer", async () => {
      await expect(openLedger(freshUrl(), { create: false })).rejects.toThrow("there is no ledger at");
      const noDatabase = new URL(server!.url);
      noDatabase.pathname = "/nowhere";
      await expect(openLedger(noDatabase.href)).rejects.toThrow("has no such database");
      await server!.query("CREATE SCHEMA other; CREATE TABLE other.notes (a int)");
      await expect(openLedger(server!.ledgerUrl("other"))).rejects.toThrow("is not a ledger");
      const url = server!.ledgerUrl("newer");
      await (await openLedger(url)).close();
      await server!.query("INSERT INTO newer.migration (version) VALUES (99)");
      await expect(openLedger(url)).rejects.toThrow("newer version (99, and this one knows 5)");
    });

    it("refuses a server that does not flush", async () => {
      const set = async (value: string) => {
        await server!.query(`ALTER SYSTEM SET fsync = ${value}`);
        await server!.query("SELECT pg_reload_conf()");
        for (let now = ""; now !== value; ) now = String((await server!.query("SHOW fsync"))[0]?.fsync);
      };
      await set("off");
      await expect(openLedger(freshUrl())).rejects.toThrow("fsync off");
      await set("on");
      await (await openLedger(freshUrl())).close();
    });

    it("flushes commits also for a role that does not", async () => {
      await server!.query("CREATE ROLE hasty LOGIN PASSWORD 'h' SUPERUSER");
      await server!.query("ALTER ROLE hasty SET synchronous_commit = off");
      const url = new URL(freshUrl());
      url.username = "hasty";
      url.password = "h";
      await using ledger = await openLedger(url.href);
      await server!.query(
        `CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN INSERT INTO public.seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
         CREATE TABLE public.seen (setting text);
         CREATE TRIGGER note AFTER INSERT ON ledger_${schemas}.entry EXECUTE FUNCTION public.note()`,
      );
      await append(ledger, "a", "x");
      expect(await server!.query("SELECT setting FROM public.seen")).toEqual([{ setting: "on" }]);
    });
  });

  describe("the schema", () => {
    const zeros = "0".repeat(64);
    it.each([
      ["UPDATE entry SET bytes = '\\x00'", "never changed or removed"],
      ["DELETE FROM entry WHERE seq = 2", "never changed or removed"],
      ["TRUNCATE entry", "never changed or removed"],
      ["TRUNCATE kernel CASCADE", "never changed or removed"],
      ["UPDATE kernel SET name = 'b'", "never changed or removed"],
      ["DELETE FROM kernel", "never changed or removed"],
      ["UPDATE kernel SET epoch = epoch", "never changed or removed"],
      ["UPDATE kernel SET epoch = epoch - 1", "never changed or removed"],
      ["UPDATE kernel SET epoch = epoch + 1, name = 'b'", "never changed or removed"],
      [`INSERT INTO entry VALUES (1, 4, '${zeros}', '\\x00')`, "an entry follows the last one"],
      [`INSERT INTO entry VALUES (1, 1, '${zeros}', '\\x00')`, "an entry follows the last one"],
      ["INSERT INTO entry VALUES (1, 3, 'abc', '\\x00')", "check constraint"],
      [`INSERT INTO entry VALUES (1, 3, '${zeros}', '')`, "check constraint"],
      [`INSERT INTO entry VALUES (9, 1, '${zeros}', '\\x00')`, "foreign key"],
    ])("refuses its owner %s", async (sql, message) => {
      await using ledger = await fresh();
      await ledger.transact("a", 0, () => [entry(1, "x"), entry(2, "y")]);
      await expect(server!.query(`SET search_path = ledger_${schemas}; ${sql}`)).rejects.toThrow(message);
      expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(["x", "y"]);
    });

    it("needs no more than the grants on the page", async () => {
      const owner = await openLedger(server!.ledgerUrl("granted"));
      await append(owner, "a", "x");
      const page = readFileSync(new URL("../../../docs/reference/ledgers.md", import.meta.url), "utf8");
      const grants = page.match(/```sql\n([^`]+)```/)?.[1]?.replaceAll("foreclaim", "granted");
      await server!.query(`CREATE ROLE writer LOGIN PASSWORD 'w'; ${grants}`);
      const url = new URL(server!.ledgerUrl("granted"));
      url.username = "writer";
      url.password = "w";
      await using ledger = await openLedger(url.href);
      expect(await append(ledger, "a", "y")).toBe(2);
      expect(await append(ledger, "b", "z")).toBe(1);
      for (const seq of [1, 2]) await ledger.saveSnapshot("a", { seq, bytes: Uint8Array.of(1) });
      expect(await ledger.kernels()).toEqual(["a", "b"]);
      for (const sql of [
        "UPDATE granted.entry SET seq = 9",
        "DELETE FROM granted.entry",
        "TRUNCATE granted.entry",
      ]) {
        await expect(server!.query(`SET ROLE writer; ${sql}`)).rejects.toThrow("permission denied");
      }
      await expect(openLedger(`${url.href.replace("granted", "made_by_writer")}`)).rejects.toThrow(
        "does not allow this user what a ledger needs",
      );
      await owner.close();
    });
  });

  describe("the connection", () => {
    let proxy: CuttingProxy;
    beforeAll(async () => {
      proxy = await CuttingProxy.before(Number(new URL(server!.url).port));
    });
    afterAll(() => proxy.close());
    const through = (url: string) => url.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${proxy.port}`);

    it("lost before the commit costs nothing: it is done again, with what came in between", async () => {
      const url = freshUrl();
      await using direct = await openLedger(url);
      await using ledger = await openLedger(through(url));
      await append(ledger, "a", "x");
      const told: string[][] = [];
      proxy.cut("BEGIN", "before");
      const done = ledger.transact("a", 0, (after) => {
        told.push(after.map(textOf));
        return [entry(after.length + 1, "mine")];
      });
      await done;
      // And lost with the answer: `decide` was not asked, or is asked again.
      proxy.cut("BEGIN", "after");
      await append(direct, "a", "between");
      await append(ledger, "a", "mine too");
      expect(told).toEqual([["x"]]);
      expect((await wholeLog(direct, "a")).map(textOf)).toEqual(["x", "mine", "between", "mine too"]);
    });

    it.each(["before", "after"] as const)(
      "lost in the commit, %s it reached the server, is asked about",
      async (when) => {
        const url = freshUrl();
        await using ledger = await openLedger(through(url));
        await append(ledger, "a", "x");
        let asked = 0;
        proxy.cut("; COMMIT", when);
        await ledger.transact("a", 0, () => [entry(2, `y${++asked}`)]);
        // What was committed is not decided again, and what was not is.
        expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(["x", when === "before" ? "y2" : "y1"]);
        expect(await append(ledger, "a", "z")).toBe(3);
      },
    );

    it("lost in the commit does not take the same entry of another process for its own", async () => {
      const url = freshUrl();
      await using direct = await openLedger(url);
      await using ledger = await openLedger(through(url));
      await append(ledger, "a", "x");
      proxy.cut("; COMMIT", "before", { stay: true });
      const mine = append(ledger, "a", "same");
      await expect.poll(() => proxy.isDown).toBe(true);
      await append(direct, "a", "same");
      proxy.mend();
      expect(await mine).toBe(3);
      expect((await wholeLog(direct, "a")).map(textOf)).toEqual(["x", "same", "same"]);
    });

    it("lost in the commit is not answered while the server still commits", async () => {
      const url = freshUrl();
      await using ledger = await openLedger(through(url));
      await append(ledger, "a", "x");
      await server!.query(
        `CREATE FUNCTION ledger_${schemas}.slow() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END $$;
         CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON ledger_${schemas}.entry DEFERRABLE INITIALLY DEFERRED
           FOR EACH ROW WHEN (NEW.seq = 2) EXECUTE FUNCTION ledger_${schemas}.slow()`,
      );
      proxy.cut("; COMMIT", "sent");
      expect(await append(ledger, "a", "y")).toBe(2);
      expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(["x", "y"]);
    });

    it.each([
      ["before", ["x"]],
      ["after", ["x", "0", "1", "2"]],
    ] as const)(
      "that stays lost leaves a doubt to all of the group, %s: reading ends it",
      async (when, log) => {
        const url = freshUrl();
        await using ledger = await PostgresLedger.open(through(url), true, hasty);
        await append(ledger, "a", "x");
        proxy.cut("; COMMIT", when, { stay: true });
        const outcomes = await Promise.allSettled([0, 1, 2].map((n) => append(ledger, "a", `${n}`)));
        const names = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.name);
        expect(names).toEqual(["InDoubt", "InDoubt", "InDoubt"]);
        await expect(ledger.read("a", 1, 9)).rejects.toThrow(LedgerUnavailable);
        proxy.mend();
        expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(log);
        expect(await append(ledger, "a", "z")).toBe(log.length + 1);
      },
    );
  });

  describe("a flush that takes long", () => {
    // Commits wait for a standby that is never there.
    const waitFor = async (standbys: string) => {
      await server!.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
      await server!.query("SELECT pg_reload_conf()");
    };
    const waiters = () =>
      server!.query(
        "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'foreclaim'",
      );
    const entries = () => server!.query(`SELECT seq FROM ledger_${schemas}.entry`);
    const long = { timeout: 30_000 };
    afterEach(() => waitFor(""));

    /** The server takes over its settings in its own time; a commit of someone else that waits shows that it has. */
    const untilHeld = () =>
      expect
        .poll(() => {
          server!.query("SELECT pg_logical_emit_message(true, 'test', '')").catch(() => {});
          return server!.query(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name <> 'foreclaim'",
          );
        }, long)
        .not.toHaveLength(0);

    /** Two that appended one after the other, and one each who reads and who only looks; none is answered yet. */
    const held = async () => {
      const url = freshUrl();
      const all = await Promise.all([1, 2, 3, 4].map(() => openLedger(url)));
      const [one, two, reader, looker] = all as [Ledger, Ledger, Ledger, Ledger];
      await append(one, "a", "x");
      await append(two, "a", "y");
      await looker.transact("a", 0, () => []);
      await waitFor("nobody");
      await untilHeld();
      const answered: string[] = [];
      const told = (name: string) => () => answered.push(name);
      const work = [append(one, "a", "first").then(told("first"))];
      await expect.poll(entries, long).toHaveLength(3);
      // The row is free before the flush is done, and the next one decides on what it sees.
      work.push(append(two, "a", "second").then(told("second")));
      await expect.poll(entries, long).toHaveLength(4);
      work.push(reader.read("a", 1, 9).then(told("reader")));
      work.push(looker.transact("a", 2, () => []).then(told("looker")));
      await expect.poll(waiters, long).toHaveLength(4);
      expect(answered).toEqual([]);
      return { all, work, answered };
    };

    it("is waited for by all who are told of the entry, and holds up no one who decides", async () => {
      const { all, work, answered } = await held();
      await waitFor("");
      await Promise.all(work);
      expect(answered.sort()).toEqual(["first", "looker", "reader", "second"]);
      expect((await wholeLog(all[0]!, "a")).map(textOf)).toEqual(["x", "y", "first", "second"]);
      await Promise.all(all.map((ledger) => ledger.close()));
    });

    it("and fails after the commit leaves a doubt, and reading ends it", async () => {
      const right = (word: "REVOKE" | "GRANT", preposition: "FROM" | "TO") =>
        server!.query(
          `DO $$ DECLARE one regprocedure; BEGIN
             FOR one IN SELECT oid FROM pg_proc WHERE proname = 'pg_logical_emit_message' LOOP
               EXECUTE format('${word} EXECUTE ON FUNCTION %s ${preposition} PUBLIC', one);
             END LOOP; END $$`,
        );
      await server!.query("CREATE ROLE guest LOGIN PASSWORD 'g'; CREATE SCHEMA visited AUTHORIZATION guest");
      const url = new URL(server!.ledgerUrl("visited"));
      url.username = "guest";
      url.password = "g";
      await using ledger = await PostgresLedger.open(url.href, true, hasty);
      await append(ledger, "a", "x");
      await right("REVOKE", "FROM");
      await expect(append(ledger, "a", "y")).rejects.toThrow(InDoubt);
      await expect(ledger.read("a", 1, 9)).rejects.toThrow(LedgerUnavailable);
      await right("GRANT", "TO");
      expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(["x", "y"]);
      expect(await append(ledger, "a", "z")).toBe(3);
    });

    it("and is cut short by the end of the server is asked about", async () => {
      const { all, work, answered } = await held();
      await server!.query("ALTER SYSTEM RESET synchronous_standby_names");
      // Those who only asked may be told that the server is away.
      const ended = Promise.allSettled(work);
      await server!.killServer();
      await server!.boot();
      await ended;
      expect(answered).toEqual(expect.arrayContaining(["first", "second"]));
      expect((await wholeLog(all[0]!, "a")).map(textOf)).toEqual(["x", "y", "first", "second"]);
      await Promise.all(all.map((ledger) => ledger.close()));
    });
  });

  describe("a lock that others hold", () => {
    it("is waited for, and other kernels go on", async () => {
      await using ledger = await fresh();
      const schema = `ledger_${schemas}`;
      await append(ledger, "held", "x");
      await append(ledger, "free", "x");
      const held = server!.query(
        `BEGIN; SELECT 1 FROM ${schema}.kernel WHERE name = 'held' FOR UPDATE; SELECT pg_sleep(1); COMMIT`,
      );
      await expect
        .poll(() => server!.query("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
        .toHaveLength(1);
      const order: string[] = [];
      const waiting = append(ledger, "held", "y").then(() => order.push("held"));
      await append(ledger, "free", "y").then(() => order.push("free"));
      expect((await wholeLog(ledger, "held")).map(textOf)).toEqual(["x"]);
      await Promise.all([held, waiting]);
      expect(order).toEqual(["free", "held"]);
    });
  });

  describe("a transaction that the server gives up", () => {
    // A sequence is not rolled back, so it counts what was tried; the errors are the server's own.
    const failing = async (schema: string, code: string, times: number) => {
      await server!.query(`
        CREATE SEQUENCE ${schema}.tried;
        CREATE FUNCTION ${schema}.fails() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
          IF nextval('${schema}.tried') <= ${times} THEN RAISE EXCEPTION 'not now' USING ERRCODE = '${code}'; END IF;
          RETURN NEW;
        END $body$;
        CREATE TRIGGER fails BEFORE INSERT ON ${schema}.entry FOR EACH ROW EXECUTE FUNCTION ${schema}.fails();
      `);
    };

    it.each(["40001", "40P01", "55P03"])("with %s is tried again, and done once", async (code) => {
      await using ledger = await fresh();
      const schema = `ledger_${schemas}`;
      await append(ledger, "a", "x");
      await failing(schema, code, 3);
      expect(await append(ledger, "a", "y")).toBe(2);
      expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(["x", "y"]);
      expect(await server!.query(`SELECT last_value::int AS n FROM ${schema}.tried`)).toEqual([{ n: 4 }]);
    });

    it("again and again is reported in the end, and nothing was kept", async () => {
      const url = freshUrl();
      await using ledger = await PostgresLedger.open(url, true, hasty);
      await append(ledger, "a", "x");
      await failing(`ledger_${schemas}`, "40001", 1_000_000);
      await expect(append(ledger, "a", "y")).rejects.toThrow(LedgerUnavailable);
      expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(["x"]);
    });
  });

  describe("a server that goes away", () => {
    it("is reported, and found again when it is back", async () => {
      await using ledger = await PostgresLedger.open(freshUrl(), true, hasty);
      await append(ledger, "a", "x");
      await server!.killServer();
      const startMs = performance.now();
      await expect(append(ledger, "a", "y")).rejects.toThrow(LedgerUnavailable);
      await expect(ledger.read("a", 1, 1)).rejects.toThrow(/postgres:\/\/tester@[^ ]+ cannot be reached/);
      expect(performance.now() - startMs).toBeLessThan(20_000);
      await expect(openLedger(freshUrl())).rejects.toThrow("cannot be reached (ECONNREFUSED)");
      await server!.boot();
      expect(await append(ledger, "a", "y")).toBe(2);
      expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(["x", "y"]);
    });

    it("does not stop closing", async () => {
      const ledger = await fresh();
      await append(ledger, "a", "x");
      await server!.killServer();
      await ledger.close();
      await server!.boot();
    });
  });
});
