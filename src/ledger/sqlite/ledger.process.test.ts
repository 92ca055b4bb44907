import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerContract } from "../../../tests/support/ledger-contract.ts";
import { append, entry, textOf, wholeLog } from "../../../tests/support/ledger-entries.ts";
import { openSqlite } from "../../../tests/support/sqlite.ts";
import { openLedger } from "../open.ts";
import { type Ledger, LedgerUnavailable, type Stored } from "../port.ts";

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-sqlite-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const freshUrl = () => `sqlite:${join(folder, `${++files}.db`)}`;
const pathOf = (url: string) => url.slice("sqlite:".length);

describe("a ledger in a SQLite file", () => {
  ledgerContract(
    () => openLedger(freshUrl()),
    ({ url }) => openLedger(url),
  );
});

describe("the file", () => {
  it("keeps what was appended", async () => {
    const url = freshUrl();
    await using ledger = await openLedger(url);
    expect(ledger.url).toBe(url);
    await append(ledger, "a", "x");
    await ledger.saveSnapshot("a", { seq: 1, bytes: Uint8Array.of(1) });
    await ledger.close();
    await using again = await openLedger(url, { create: false });
    expect((await wholeLog(again, "a")).map(textOf)).toEqual(["x"]);
    expect(await again.loadSnapshot("a")).toEqual({ seq: 1, bytes: Uint8Array.of(1) });
  });

  it("is all there is once it is closed, and its owner's alone", async () => {
    const url = freshUrl();
    const ledger = await openLedger(url);
    await append(ledger, "a", "x");
    for (const suffix of ["", "-wal", "-shm"])
      expect(statSync(`${pathOf(url)}${suffix}`).mode & 0o777).toBe(0o600);
    await ledger.close();
    for (const suffix of ["-wal", "-shm"]) expect(existsSync(`${pathOf(url)}${suffix}`)).toBe(false);
    copyFileSync(pathOf(url), `${pathOf(url)}.copy`);
    await using copy = await openLedger(`${url}.copy`, { create: false });
    expect((await wholeLog(copy, "a")).map(textOf)).toEqual(["x"]);
  });

  it("may be empty, or have an odd name", async () => {
    const url = `sqlite:${join(folder, "odd # name?mode=memory %20 é.db")}`;
    writeFileSync(pathOf(url), "");
    await using ledger = await openLedger(url);
    await append(ledger, "a", "x");
    await ledger.close();
    await using again = await openLedger(url);
    expect(await wholeLog(again, "a")).toHaveLength(1);
  });

  it("is opened by many at once for the first time", async () => {
    const url = freshUrl();
    const all = await Promise.all(Array.from({ length: 10 }, () => openLedger(url)));
    await Promise.all(all.map((ledger, n) => append(ledger, "a", `${n}`)));
    expect(await wholeLog(all[0]!, "a")).toHaveLength(10);
    await Promise.all(all.map((ledger) => ledger.close()));
  });

  it("is refused if it is something else, and left as it is", async () => {
    const text = join(folder, "notes.txt");
    writeFileSync(text, "not a database, but long enough to be looked at as one ".repeat(20));
    await expect(openLedger(`sqlite:${text}`)).rejects.toThrow(`sqlite:${text} is not a ledger`);

    const other = join(folder, "other.db");
    const db = openSqlite(other);
    db.exec("CREATE TABLE entry (a)");
    db.close();
    await expect(openLedger(`sqlite:${other}`)).rejects.toThrow("is not a ledger");
    const marked = join(folder, "marked.db");
    const markedDb = openSqlite(marked);
    markedDb.exec("PRAGMA application_id = 7");
    markedDb.close();
    await expect(openLedger(`sqlite:${marked}`)).rejects.toThrow(LedgerUnavailable);
    const looked = openSqlite(other);
    expect(looked.all("SELECT name FROM sqlite_schema")).toHaveLength(1);
    expect(looked.all("PRAGMA journal_mode")).toEqual([{ journal_mode: "delete" }]);
    looked.close();
  });

  it("is refused if a newer version wrote it", async () => {
    const url = freshUrl();
    await (await openLedger(url)).close();
    const db = openSqlite(pathOf(url));
    db.exec("INSERT INTO migration (version) VALUES (99)");
    db.close();
    await expect(openLedger(url)).rejects.toThrow("newer version (99, and this one knows 4)");
  });

  it("is refused if it is a folder, or in none, or not there and not to be made", async () => {
    const place = join(folder, "place");
    mkdirSync(place);
    await expect(openLedger(`sqlite:${place}`)).rejects.toThrow("is not a file");
    await expect(openLedger(`sqlite:${place}/none/a.db`)).rejects.toThrow("folder of");
    await expect(openLedger(`sqlite:${place}/a.db`, { create: false })).rejects.toThrow(
      "there is no ledger at",
    );
    expect(existsSync(`${place}/a.db`)).toBe(false);
  });

  it("is missed if it is moved away", async () => {
    const url = freshUrl();
    await using ledger = await openLedger(url);
    await append(ledger, "a", "x");
    renameSync(pathOf(url), `${pathOf(url)}.moved`);
    await expect(append(ledger, "a", "y")).rejects.toThrow("was moved or replaced");
    renameSync(`${pathOf(url)}.moved`, pathOf(url));
    expect(await append(ledger, "a", "y")).toBe(2);
  });
});

describe("the schema", () => {
  it.each([
    ["UPDATE entry SET bytes = x'00'", "an entry is never changed"],
    ["UPDATE entry SET seq = 7 WHERE seq = 2", "an entry is never changed"],
    ["DELETE FROM entry WHERE seq = 2", "an entry is never removed"],
    ["DELETE FROM entry", "an entry is never removed"],
    [
      `INSERT OR REPLACE INTO entry VALUES (1, 1, '${"0".repeat(64)}', x'00')`,
      "an entry follows the last one",
    ],
    [`INSERT INTO entry VALUES (1, 4, '${"0".repeat(64)}', x'00')`, "an entry follows the last one"],
    ["INSERT INTO entry VALUES (1, 3, 'abc', x'00')", "CHECK constraint failed"],
    [`INSERT INTO entry VALUES (1, 3, '${"0".repeat(64)}', x'')`, "CHECK constraint failed"],
    [`INSERT INTO entry VALUES (9, 1, '${"0".repeat(64)}', x'00')`, "FOREIGN KEY constraint failed"],
    ["UPDATE kernel SET name = 'b'", "a kernel is never renamed"],
    ["DELETE FROM kernel", "a kernel is never removed"],
  ])("refuses %s", async (sql, message) => {
    const url = freshUrl();
    await using ledger = await openLedger(url);
    await ledger.transact("a", 0, () => [entry(1, "x"), entry(2, "y")]);
    const db = openSqlite(pathOf(url));
    db.exec("PRAGMA foreign_keys = ON");
    expect(() => db.exec(sql)).toThrow(message);
    db.close();
    expect((await wholeLog(ledger, "a")).map(textOf)).toEqual(["x", "y"]);
  });
});

describe("a file that others hold", () => {
  it("is waited for", async () => {
    const url = freshUrl();
    await using ledger = await openLedger(url);
    const db = openSqlite(pathOf(url));
    db.exec("BEGIN IMMEDIATE");
    const waiting = append(ledger, "a", "x");
    // Reading goes on meanwhile.
    expect(await ledger.read("a", 1, 1)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    db.exec("COMMIT");
    expect(await waiting).toBe(1);
    db.close();
  });
});

describe("one who is alone", () => {
  /** Appends as one who has seen all of it. */
  const next = async (ledger: Ledger, text: string, head: number) => {
    const told: string[][] = [];
    await ledger.transact("a", head, (after) => {
      told.push(after.map(textOf));
      return [entry(head + after.length + 1, text)];
    });
    return told;
  };
  /** After that the next one is decided on what is known. */
  const quiet = async (url: string) => {
    const ledger = await openLedger(url);
    for (const [head, text] of ["x", "y", "z"].entries()) await next(ledger, text, head);
    return ledger;
  };
  const logOf = async (ledger: Ledger) => (await wholeLog(ledger, "a")).map(textOf);

  it("goes on, and is told when another one was quicker", async () => {
    const url = freshUrl();
    await using ledger = await quiet(url);
    await using other = await openLedger(url);
    expect(await next(ledger, "1", 3)).toEqual([[]]);
    await next(other, "theirs", 4);
    expect(await next(ledger, "2", 4)).toEqual([[], ["theirs"]]);
    expect(await next(ledger, "3", 6)).toEqual([[]]);
    expect(await logOf(other)).toEqual(["x", "y", "z", "1", "theirs", "2", "3"]);
  });

  it("is told what is there when it only looks, or throws, or has not seen all of it", async () => {
    const url = freshUrl();
    await using ledger = await quiet(url);
    await using other = await openLedger(url);
    await next(other, "theirs", 3);
    const told: string[][] = [];
    const look = (after: readonly Stored[]) => {
      told.push(after.map(textOf));
      return [];
    };
    await ledger.transact("a", 3, look);
    expect(told.at(-1)).toEqual(["theirs"]);
    const fails = ledger.transact("a", 4, () => {
      throw new Error("no");
    });
    await expect(fails).rejects.toThrow("no");
    expect(await next(ledger, "mine", 2)).toEqual([["z", "theirs"]]);
    expect(await logOf(other)).toEqual(["x", "y", "z", "theirs", "mine"]);
  });

  it("misses a file that is moved away, waits for one that is held, and notices one that was set back", async () => {
    const url = freshUrl();
    await using ledger = await quiet(url);
    renameSync(pathOf(url), `${pathOf(url)}.moved`);
    await expect(next(ledger, "no", 3)).rejects.toThrow("was moved or replaced");
    renameSync(`${pathOf(url)}.moved`, pathOf(url));
    for (const [n, text] of ["1", "2", "3"].entries()) await next(ledger, text, 3 + n);
    const db = openSqlite(pathOf(url));
    db.exec("BEGIN IMMEDIATE");
    const waiting = next(ledger, "4", 6);
    await new Promise((resolve) => setTimeout(resolve, 50));
    db.exec("COMMIT");
    await waiting;
    expect(await logOf(ledger)).toEqual(["x", "y", "z", "1", "2", "3", "4"]);
    await next(ledger, "5", 7);
    db.exec("DROP TRIGGER entry_remains; DELETE FROM entry WHERE seq = 8");
    db.close();
    await expect(next(ledger, "no", 8)).rejects.toThrow("rolled back or replaced");
    expect(await logOf(ledger)).toHaveLength(7);
  });
});
