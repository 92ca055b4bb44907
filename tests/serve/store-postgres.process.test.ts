import { inspect } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { openStore } from "../../src/approve/requests/open.ts";
import type { Database } from "../../src/approve/requests/sql.ts";
import { StoreUnavailable } from "../../src/approve/requests/sql.ts";
import { RequestStore } from "../../src/approve/requests/store.ts";
import { openLedger } from "../../src/ledger/open.ts";
import { PostgresServer } from "../support/postgres.ts";
import { aRequest } from "./records.ts";
import { storeContract } from "./store-contract.ts";

const server = await PostgresServer.start();
let schemas = 0;
const freshUrl = () => server!.ledgerUrl(`store_${++schemas}`);

describe.skipIf(server === undefined)("a store in PostgreSQL", () => {
  afterAll(() => server?.stop());
  const urls = new Map<Database, string>();
  const fresh = async () => {
    const url = freshUrl();
    const database = await openStore(url);
    urls.set(database, url);
    return database;
  };
  storeContract(fresh, (one) => openStore(urls.get(one)!));

  it("is made by many at once, beside a ledger", async () => {
    const url = freshUrl();
    const ledger = await openLedger(url);
    const all = await Promise.all(Array.from({ length: 5 }, () => openStore(url)));
    await (await openLedger(url, { create: false })).close();
    await Promise.all([...all, ledger].map((one) => one.close()));
  });

  it("shows no secret", async () => {
    const wrong = new URL(server!.url);
    wrong.password = "hidden-word";
    const error = await openStore(wrong.href).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain("hidden-word");
  });

  it("tells others at once", async () => {
    const database = await fresh();
    const second = await openStore(urls.get(database)!);
    let heard = () => {};
    let ready = () => {};
    const isReady = new Promise<void>((resolve) => {
      ready = resolve;
    });
    second.onNudge(() => {
      ready();
      heard();
    });
    await isReady;
    const told = new Promise<void>((resolve) => {
      heard = resolve;
    });
    await new RequestStore(database).file(aRequest(), 1);
    await told;
    await second.close();
    await database.close();
  });

  it("is found again after the server was away, and tells again", async () => {
    const database = await fresh();
    const store = new RequestStore(database);
    let heard = 0;
    database.onNudge(() => heard++);
    await store.file(aRequest(), 100);
    await server!.killServer();
    await expect(store.file(aRequest(), 100)).rejects.toThrow(StoreUnavailable);
    await server!.boot();
    await store.file(aRequest(), 100);
    expect(await store.list({ limit: 10 })).toHaveLength(2);
    const before = heard;
    while (heard === before) {
      await store.file(aRequest(), 100);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await database.close();
  });
});
