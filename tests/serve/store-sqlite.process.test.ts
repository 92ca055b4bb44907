import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openStore, storeFile } from "../../src/approve/requests/open.ts";
import { RequestStore } from "../../src/approve/requests/store.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { openSqlite } from "../support/sqlite.ts";
import { aRequest } from "./records.ts";
import { storeContract } from "./store-contract.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-store-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const freshFile = () => join(folder, `${++files}.db`);

describe("a store in a SQLite file", () => {
  storeContract(
    () => openStore(freshFile()),
    ({ url }) => openStore(url),
  );
});

describe("the file", () => {
  it("is its owner's alone, and keeps what was written", async () => {
    const file = freshFile();
    const database = await openStore(file);
    const record = aRequest();
    await new RequestStore(database).file(record, 1);
    for (const name of [file, `${file}-wal`]) expect(statSync(name).mode & 0o077).toBe(0);
    await database.close();
    const again = await openStore(file, { create: false });
    expect(await new RequestStore(again).get(record.id)).toEqual(record);
    await again.close();
  });

  it("is refused if it is something else, and left as it is", async () => {
    const text = join(folder, "notes.txt");
    writeFileSync(text, "not a database, but long enough to be looked at as one ".repeat(20));
    await expect(openStore(text)).rejects.toThrow("is not a store of requests");
    const ledger = freshFile();
    await (await openLedger(`sqlite:${ledger}`)).close();
    await expect(openStore(ledger)).rejects.toThrow("is not a store of requests");
    await expect(openStore(folder)).rejects.toThrow("is not a file");
    await expect(openStore(join(folder, "none", "a.db"))).rejects.toThrow("the folder of");
    const absent = freshFile();
    await expect(openStore(absent, { create: false })).rejects.toThrow("there is no store of requests at");
    expect(existsSync(absent)).toBe(false);
    await expect(openStore("mysql://a")).rejects.toThrow("no store has the scheme");
    await expect(openStore(":memory:")).rejects.toThrow("path of a file");
  });

  it("is refused if a newer version wrote it", async () => {
    const file = freshFile();
    await (await openStore(file)).close();
    const db = openSqlite(file);
    db.exec("INSERT INTO migration (version) VALUES (99)");
    db.close();
    await expect(openStore(file)).rejects.toThrow("newer version (99");
  });

  it("is waited for while another process writes", async () => {
    const file = freshFile();
    const database = await openStore(file);
    const db = openSqlite(file);
    db.exec("BEGIN IMMEDIATE");
    const waiting = new RequestStore(database).file(aRequest(), 1);
    await new Promise((resolve) => setTimeout(resolve, 60));
    db.exec("COMMIT");
    db.close();
    expect(await waiting).toBeDefined();
    await database.close();
  });

  it("has a name in several forms", () => {
    expect(storeFile("a.db")).toBe("a.db");
    expect(storeFile("sqlite:a.db")).toBe("a.db");
    expect(storeFile("sqlite:///tmp/a.db")).toBe("/tmp/a.db");
    expect(storeFile("postgres://x")).toBeUndefined();
  });
});
