/** Contract of every engine of the store. */
import { describe, expect, it } from "vitest";
import { Credentials, invitationMs, sessionMs } from "../../src/approve/requests/credentials.ts";
import { RunQueue } from "../../src/approve/requests/queue.ts";
import { summaryOf } from "../../src/approve/requests/record.ts";
import type { Database } from "../../src/approve/requests/sql.ts";
import { RequestStore } from "../../src/approve/requests/store.ts";
import { aDecision, aProof, aRequest } from "./records.ts";

/** `fresh` gives an empty store, and `other` another connection to the same one. */
export function storeContract(
  fresh: () => Promise<Database>,
  other: (one: Database) => Promise<Database>,
): void {
  const opened = async () => {
    const database = await fresh();
    const second = await other(database);
    const close = async () => {
      await second.close();
      await database.close();
    };
    return {
      store: new RequestStore(database),
      twin: new RequestStore(second),
      [Symbol.asyncDispose]: close,
    };
  };
  const lease = (by: string, untilMs = 10_000) => ({ by, untilMs });
  /** A request that is pending, at revision 2. */
  const pending = async (store: RequestStore) => {
    const record = aRequest();
    await store.file(record, 100);
    await store.claim(lease("me"), 1_000);
    await store.settle(record.id, "me", aProof("proved"));
    return record.id;
  };

  describe("requests", () => {
    it("are kept as they were filed, for everyone", async () => {
      await using all = await opened();
      const filed = {
        ...aRequest().filed,
        program: { file: "a \u{1f600}'\"%_\\.ts", text: "\u0000 <b>&amp;</b>\r\n\u2028" },
        inputs: { a: [null, true, 0.1, "x"], ["__proto__"]: { b: 1 } },
        words: "'; DROP TABLE request; --",
      };
      const record = aRequest({ filed });
      expect(await all.store.file(record, 1)).toEqual(record);
      expect(await all.twin.get(record.id)).toEqual(record);
      expect(await all.twin.get("r0")).toBeUndefined();
    });

    it("are refused beyond what an agent may have open, also at the same moment", async () => {
      await using all = await opened();
      const filed = await Promise.all(
        Array.from({ length: 8 }, (_, i) => (i % 2 ? all.store : all.twin).file(aRequest(), 3)),
      );
      expect(filed.filter((one) => one !== undefined)).toHaveLength(3);
      expect(await all.store.file(aRequest({ agent: "another" }), 3)).toBeDefined();
    });

    it("are listed, the newest first, page by page", async () => {
      await using all = await opened();
      const records = [5, 3, 3, 9, 1].map((filedAt) => aRequest({ filedAt }));
      for (const one of records) await all.store.file(one, 100);
      const sorted = [...records].sort((a, b) => b.filedAt - a.filedAt || (a.id < b.id ? 1 : -1));
      const first = await all.twin.list({ limit: 3 });
      expect(first).toEqual(sorted.slice(0, 3).map(summaryOf));
      const before = { filedAt: first[2]?.filedAt ?? 0, id: first[2]?.id ?? "" };
      expect(await all.twin.list({ limit: 3, before })).toEqual(sorted.slice(3).map(summaryOf));
    });

    it("are found by what they are", async () => {
      await using all = await opened();
      const id = await pending(all.store);
      const odd = aRequest({
        agent: "other",
        filed: { ...aRequest().filed, program: { file: "100%_of.ts", text: "" } },
      });
      await all.store.file(odd, 100);
      const ids = async (query: object) =>
        (await all.store.list({ limit: 9, ...query })).map((one) => one.id);
      expect(await ids({ status: "pending" })).toEqual([id]);
      expect(await ids({ worst: "recommended_gap" })).toEqual([id]);
      expect(await ids({ decision: "rejected" })).toEqual([]);
      expect(await ids({ agent: "other" })).toEqual([odd.id]);
      expect(await ids({ q: "%_" })).toEqual([odd.id]);
      expect(await ids({ q: "PAY" })).toEqual([id]);
      expect(await ids({ q: odd.id })).toEqual([odd.id]);
      expect(await ids({ q: "\\" })).toEqual([]);
    });
  });

  describe("decisions", () => {
    it("are made once: of many at the same moment, one wins, and the others are told", async () => {
      await using all = await opened();
      const id = await pending(all.store);
      const decided = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 ? all.store : all.twin).decide(
            id,
            2,
            aDecision(i % 3 ? "rejected" : "approved_once", 2_000, `reviewer ${i}`),
          ),
        ),
      );
      const won = decided.filter((one) => one.kind === "changed");
      expect(won).toHaveLength(1);
      const record = won[0]?.kind === "changed" ? won[0].record : undefined;
      expect(await all.twin.get(id)).toEqual(record);
      for (const one of decided) {
        if (one.kind === "changed") continue;
        expect(one).toMatchObject({ kind: "refused", why: "decided", record: { decided: record?.decided } });
      }
    });

    it("are about the revision that was seen", async () => {
      await using all = await opened();
      const id = await pending(all.store);
      expect(await all.store.decide(id, 1, aDecision("rejected", 2_000))).toMatchObject({ why: "revision" });
      expect(await all.store.decide(id, 3, aDecision("rejected", 2_000))).toMatchObject({ why: "revision" });
      expect(await all.store.decide("r0", 1, aDecision("rejected", 2_000))).toEqual({ kind: "missing" });
      expect(await all.store.decide(id, 2, aDecision("rejected", 2_000))).toMatchObject({ kind: "changed" });
    });

    it("come too late once the time is over, and the clock decides", async () => {
      await using all = await opened();
      const id = await pending(all.store);
      const proving = aRequest();
      await all.store.file(proving, 100);
      expect(await all.store.decide(id, 2, aDecision("approved_once", 100_000))).toMatchObject({
        why: "expired",
      });
      expect(await all.store.expire(99_999)).toBe(0);
      const many = await Promise.all([all.store.expire(100_000), all.twin.expire(100_000)]);
      expect(Math.max(...many)).toBe(2);
      for (const one of [id, proving.id])
        expect(await all.twin.get(one)).toMatchObject({
          status: "decided",
          decided: { decision: "expired" },
        });
      expect(await all.store.claim(lease("late", 300_000), 200_000)).toBeUndefined();
    });
  });

  describe("limits across requests", () => {
    const charge = { limit: "mails", amount: 2, atMost: 5, windowMs: 1_000 };

    it("are counted with the decision, or nothing is decided", async () => {
      await using all = await opened();
      const approve = async (at: number, charges = [charge]) => {
        const id = await pending(all.store);
        return all.twin.decide(id, 2, aDecision("auto_approved", at), charges);
      };
      expect(await approve(2_000)).toMatchObject({ kind: "changed" });
      expect(await approve(2_100)).toMatchObject({ kind: "changed" });
      const third = await approve(2_200);
      expect(third).toMatchObject({ kind: "used_up", limit: "mails", record: { status: "pending" } });
      expect(await approve(2_300, [{ ...charge, limit: "other" }, charge])).toMatchObject({
        kind: "used_up",
      });
      // Of a decision that was not made nothing is counted, to any limit.
      expect(await approve(2_400, [{ ...charge, limit: "other", amount: 5 }])).toMatchObject({
        kind: "changed",
      });
      expect(await approve(2_500, [{ ...charge, amount: 1 }])).toMatchObject({ kind: "changed" });
      expect(await approve(3_000)).toMatchObject({ kind: "changed" });
      expect(await approve(3_050)).toMatchObject({ kind: "used_up" });
    });

    it("count several charges of one decision together, and refuse what is no amount", async () => {
      await using all = await opened();
      const twice = [
        { ...charge, amount: 3 },
        { ...charge, amount: 3 },
      ];
      const id = await pending(all.store);
      expect(await all.store.decide(id, 2, aDecision("auto_approved", 2_000), twice)).toMatchObject({
        kind: "used_up",
      });
      for (const amount of [Number.NaN, -1, Number.POSITIVE_INFINITY])
        await expect(
          all.store.decide(id, 2, aDecision("auto_approved", 2_000), [{ ...charge, amount }]),
        ).rejects.toThrow("no amount");
      expect(await all.store.get(id)).toMatchObject({ status: "pending", revision: 2 });
    });

    it("hold when all decide at the same moment", async () => {
      await using all = await opened();
      const ids: string[] = [];
      for (let i = 0; i < 6; i++) ids.push(await pending(all.store));
      const decided = await Promise.all(
        ids.map((id, i) =>
          (i % 2 ? all.store : all.twin).decide(id, 2, aDecision("auto_approved", 2_000), [charge]),
        ),
      );
      expect(decided.filter(({ kind }) => kind === "changed")).toHaveLength(2);
    });

    it("let a person be asked, when it is the policy that decides", async () => {
      await using all = await opened();
      const record = aRequest();
      await all.store.file(record, 100);
      await all.store.claim(lease("me"), 1_000);
      const policy = { decision: aDecision("auto_approved", 2_000), charges: [{ ...charge, amount: 6 }] };
      const settled = await all.store.settle(record.id, "me", aProof("proved"), policy);
      expect(settled).toMatchObject({ kind: "used_up", limit: "mails" });
      expect(await all.twin.get(record.id)).toMatchObject({ status: "pending", revision: 2, receipt: null });
    });
  });

  describe("proving", () => {
    it("is begun by one, of the agent with the fewest under way, the oldest first", async () => {
      await using all = await opened();
      const many = [1, 2, 3].map((filedAt) => aRequest({ filedAt, agent: "busy" }));
      const late = aRequest({ filedAt: 4, agent: "quiet" });
      for (const one of [...many, late]) await all.store.file(one, 100);
      const claimed: string[] = [];
      for (const store of [all.store, all.twin, all.store, all.twin])
        claimed.push((await store.claim(lease(store === all.store ? "a" : "b"), 1_000))?.record.id ?? "");
      expect(claimed).toEqual([many[0]?.id, late.id, many[1]?.id, many[2]?.id]);
      expect(await all.store.claim(lease("c"), 1_000)).toBeUndefined();
    });

    it("is begun by one also when all ask at the same moment", async () => {
      await using all = await opened();
      for (let i = 0; i < 5; i++) await all.store.file(aRequest(), 100);
      const claimed = await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 2 ? all.store : all.twin).claim(lease(`${i}`), 1_000)),
      );
      const ids = claimed.flatMap((one) => (one === undefined ? [] : [one.record.id]));
      expect(ids).toHaveLength(5);
      expect(new Set(ids).size).toBe(5);
    });

    it("is begun again when whoever began it is gone, and what that one says then counts no more", async () => {
      await using all = await opened();
      const record = aRequest();
      await all.store.file(record, 100);
      expect(await all.store.claim(lease("gone", 2_000), 1_000)).toMatchObject({ attempts: 1 });
      expect(await all.twin.claim(lease("next"), 1_999)).toBeUndefined();
      expect(await all.store.renew(record.id, lease("gone", 3_000))).toBe(true);
      expect(await all.twin.claim(lease("next"), 2_500)).toBeUndefined();
      expect(await all.twin.claim(lease("next"), 3_000)).toMatchObject({ attempts: 2 });
      expect(await all.store.renew(record.id, lease("gone", 9_000))).toBe(false);
      expect(await all.store.settle(record.id, "gone", aProof("refuted"))).toMatchObject({ kind: "refused" });
      expect(await all.twin.settle(record.id, "next", aProof("proved"))).toMatchObject({ kind: "changed" });
      expect(await all.twin.renew(record.id, lease("next", 9_000))).toBe(false);
      expect(await all.twin.settle(record.id, "next", aProof("refuted"))).toMatchObject({ kind: "refused" });
    });

    it("is given back by one who stops", async () => {
      await using all = await opened();
      await all.store.file(aRequest(), 100);
      await all.store.claim(lease("stops"), 1_000);
      await all.store.release("stops");
      expect(await all.twin.claim(lease("next"), 1_000)).toMatchObject({ attempts: 1 });
    });

    it("ends with what the policy decides, in the same moment", async () => {
      await using all = await opened();
      const record = aRequest();
      await all.store.file(record, 100);
      await all.store.claim(lease("me"), 1_000);
      const before = await all.store.lastChange();
      const policy = { decision: aDecision("auto_rejected", 2_000, "rule no"), charges: [] };
      await all.store.settle(record.id, "me", aProof("proved"), policy);
      expect(await all.store.changesAfter(before, 10)).toMatchObject([
        { id: record.id, revision: 3, status: "decided" },
      ]);
      const refuted = aRequest();
      await all.store.file(refuted, 100);
      await all.store.claim(lease("me"), 1_000);
      const approve = { decision: aDecision("auto_approved", 2_000, "rule yes"), charges: [] };
      await all.store.settle(refuted.id, "me", aProof("unknown"), approve);
      expect(await all.store.get(refuted.id)).toMatchObject({ status: "not_proved", receipt: null });
    });
  });

  describe("changes", () => {
    it("are told in one order, of each request the newest, without a gap", async () => {
      await using all = await opened();
      const start = await all.twin.lastChange();
      const a = await pending(all.store);
      const b = await pending(all.store);
      await all.store.decide(a, 2, aDecision("approved_once", 2_000));
      await all.store.progress(a, { run: "x", state: "running", calls: [], text: null });
      const told = await all.twin.changesAfter(start, 10);
      expect(told.map(({ id, revision, status }) => [id, revision, status])).toEqual([
        [b, 2, "pending"],
        [a, 4, "decided"],
      ]);
      expect(await all.twin.changesAfter(start, 1)).toHaveLength(1);
      expect(await all.twin.changesAfter(told[1]?.change ?? 0, 10)).toEqual([]);
      expect(await all.twin.changesAfter(start, 10, "nobody")).toEqual([]);
      expect(await all.twin.counts()).toEqual(
        new Map([
          ["pending", 1],
          ["decided", 1],
        ]),
      );
    });

    it("are seen by who looks while others write, none too early and none never", async () => {
      await using all = await opened();
      const told = new Set<string>();
      let last = await all.twin.lastChange();
      let isOver = false;
      const looking = (async () => {
        for (;;) {
          const wasOver = isOver;
          for (const one of await all.twin.changesAfter(last, 100)) {
            expect(one.change).toBeGreaterThan(last);
            last = one.change;
            told.add(one.id);
          }
          if (wasOver) return;
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      })();
      const records = Array.from({ length: 40 }, () => aRequest());
      await Promise.all(records.map((one, i) => (i % 2 ? all.store : all.twin).file(one, 100)));
      isOver = true;
      await looking;
      expect(told.size).toBe(40);
    });
  });

  describe("credentials", () => {
    it("are known by their secret alone, which is kept nowhere", async () => {
      const database = await fresh();
      const credentials = new Credentials(database);
      const secret = await credentials.make("ann", "reviewer", 1_000);
      expect(secret).toMatch(/^fcc_[A-Za-z0-9_-]{43}$/);
      expect(await credentials.find(secret ?? "")).toMatchObject({ name: "ann", role: "reviewer" });
      expect(await credentials.find(`${secret}x`)).toBeUndefined();
      expect(await credentials.find("")).toBeUndefined();
      expect(await credentials.make("ann", "agent", 1_000)).toBeUndefined();
      const rows = await database.read((sql) => sql.all("SELECT * FROM @credential"));
      expect(JSON.stringify(rows)).not.toContain(secret?.slice(4));
      expect(() => credentials.make("a b", "agent", 1)).toThrow();
      await database.close();
    });

    it("end at once when they are revoked, with their sessions, and their names are not used again", async () => {
      const database = await fresh();
      const credentials = new Credentials(database);
      const secret = (await credentials.make("ann", "reviewer", 1_000)) ?? "";
      const { secret: session } = await credentials.open("ann", 1_000);
      const invitation = await credentials.invite("ann", 1_000);
      expect(await credentials.session(session, 2_000)).toMatchObject({ credential: { name: "ann" } });
      expect(await credentials.revoke("ann", 3_000)).toBe(true);
      expect(await credentials.revoke("ann", 3_000)).toBe(false);
      expect(await credentials.find(secret)).toBeUndefined();
      expect(await credentials.session(session, 2_000)).toBeUndefined();
      expect(await credentials.accept(invitation, 2_000)).toBeUndefined();
      expect(await credentials.make("ann", "reviewer", 4_000)).toBeUndefined();
      expect(await credentials.list()).toMatchObject([{ name: "ann", revokedAt: 3_000 }]);
      await database.close();
    });

    it("are stood for by sessions that end, and by invitations that are good once", async () => {
      const database = await fresh();
      const credentials = new Credentials(database);
      await credentials.make("ann", "reviewer", 0);
      const { secret: session, csrf } = await credentials.open("ann", 0);
      const open = await credentials.session(session, 1);
      expect([csrf, session, "", `${csrf}x`].map((one) => open?.isOfPage(one))).toEqual([
        true,
        false,
        false,
        false,
      ]);
      expect(await credentials.session(session, sessionMs - 1)).toBeDefined();
      expect(await credentials.session(session, sessionMs)).toBeUndefined();
      await credentials.end(session);
      expect(await credentials.session(session, 1)).toBeUndefined();
      const late = await credentials.invite("ann", 0);
      expect(await credentials.accept(late, invitationMs)).toBeUndefined();
      const invitation = await credentials.invite("ann", 0);
      const taken = await Promise.all([1, 2, 3].map(() => credentials.accept(invitation, 1)));
      expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
      // None is good in the place of another.
      expect(await credentials.find(session)).toBeUndefined();
      expect(await credentials.session(invitation, 1)).toBeUndefined();
      await database.close();
    });
  });

  describe("the queue of runs", () => {
    const kernel = "a".repeat(64);
    const queuedBy = async (store: RequestStore, run?: "worker") => {
      const record = aRequest({ filed: { ...aRequest().filed, ...(run && { run }) } });
      await store.file(record, 100);
      await store.claim(lease("me"), 1_000);
      await store.settle(record.id, "me", aProof("proved"));
      await store.decide(record.id, 2, aDecision("approved_once", 2_000));
      return record.id;
    };
    const queues = (all: { readonly store: RequestStore; readonly twin: RequestStore }) =>
      [new RunQueue(all.store.database), new RunQueue(all.twin.database)] as const;

    it("has approved requests for workers, and no others", async () => {
      await using all = await opened();
      const [queue] = queues(all);
      await queuedBy(all.store);
      expect(await queue.take("w", kernel, 10_000)).toBeUndefined();
      const id = await queuedBy(all.store, "worker");
      expect(await queue.take("w", "b".repeat(64), 10_000)).toBeUndefined();
      const taken = await queue.take("w", kernel, 10_000);
      expect(taken).toMatchObject({ record: { id, receipt: "receipt" }, attempts: 1, isInDoubt: false });
      expect(taken?.secret).toMatch(/^[0-9a-f]{64}$/);
    });

    it("gives each run to one worker, also at the same moment", async () => {
      await using all = await opened();
      const [queue, twin] = queues(all);
      const ids = [];
      for (let i = 0; i < 5; i++) ids.push(await queuedBy(all.store, "worker"));
      const taken = await Promise.all(
        Array.from({ length: 12 }, (_, i) => (i % 2 ? queue : twin).take(`w${i}`, kernel, 60_000)),
      );
      // A row that another one is about to take is skipped, so some may have to ask again.
      for (let i = 0; i < 5; i++) taken.push(await queue.take(`again${i}`, kernel, 60_000));
      const found = taken.flatMap((one) => one?.record.id ?? []);
      expect([...found].sort()).toEqual([...ids].sort());
    });

    it("has what a dead worker left, and renews for those who live", async () => {
      await using all = await opened();
      const [queue, twin] = queues(all);
      const id = await queuedBy(all.store, "worker");
      await queue.take("dying", kernel, 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await twin.take("living", kernel, 60_000)).toMatchObject({ record: { id }, attempts: 2 });
      expect([...(await queue.renew("dying", [id], 60_000))]).toEqual([]);
      // A worker that never heard that it has the run does not keep others from it.
      expect([...(await twin.renew("living", [], 60_000))]).toEqual([]);
      expect([...(await twin.renew("living", ["another"], 60_000))]).toEqual([]);
      expect([...(await twin.renew("living", [id, "another"], 60_000))]).toEqual([id]);
      expect(await queue.leave("dying", id, { kind: "ended" })).toBe(false);
      expect(await twin.leave("living", id, { kind: "in doubt", waitMs: 0 })).toBe(true);
      expect(await queue.open(kernel)).toEqual({ ready: 0, inDoubt: 1 });
      expect(await queue.take("next", kernel, 60_000)).toMatchObject({ attempts: 1, isInDoubt: true });
      await queue.release("next");
      expect(await queue.take("after", kernel, 60_000)).toMatchObject({ record: { id } });
      expect(await queue.leave("after", id, { kind: "later", waitMs: 60_000 })).toBe(true);
      expect(await queue.take("early", kernel, 60_000)).toBeUndefined();
      expect(await queue.open(kernel)).toEqual({ ready: 1, inDoubt: 0 });
    });

    it("has nothing of what has ended", async () => {
      await using all = await opened();
      const [queue] = queues(all);
      const id = await queuedBy(all.store, "worker");
      await queue.take("w", kernel, 1);
      expect(await queue.leave("w", id, { kind: "ended" })).toBe(true);
      expect(await queue.take("w", kernel, 1)).toBeUndefined();
      expect(await queue.open(kernel)).toEqual({ ready: 0, inDoubt: 0 });
    });
  });
}
