import { describe, expect, it } from "vitest";
import type { Outcome, Request } from "./commit-batch.ts";
import { GroupCommit } from "./group-commit.ts";

const request = (kernel: string): Request => ({ kernel, since: 0, decide: () => [] });
const done: Outcome = { kind: "done" };

describe("group commit", () => {
  it("commits together what waits at the same time, in order", async () => {
    const groups: string[][] = [];
    const commit = new GroupCommit(async (group) => {
      groups.push(group.map(({ kernel }) => kernel));
      return group.map(() => done);
    });
    const first = Promise.all([commit.add(request("a")), commit.add(request("b"))]);
    // Asked by those whom the first commit answered, through any number of promises.
    const second = first.then(async () => {
      await Promise.resolve();
      await Promise.all([commit.add(request("c")), Promise.resolve().then(() => commit.add(request("d")))]);
    });
    await second;
    expect(groups).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  it("never commits two groups at once, nor more than 256 requests", async () => {
    let running = 0;
    const sizes: number[] = [];
    const commit = new GroupCommit(async (group) => {
      expect(++running).toBe(1);
      sizes.push(group.length);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      return group.map(() => done);
    });
    await Promise.all(Array.from({ length: 600 }, () => commit.add(request("a"))));
    expect(sizes).toEqual([256, 256, 88]);
  });

  it("answers each on its own, and all of them when the commit fails", async () => {
    const own = new Error("own");
    const commit = new GroupCommit(async (group) =>
      group.map((_, n) => (n === 1 ? { kind: "thrown", error: own } : done)),
    );
    const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => commit.add(request(name))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const broken = new GroupCommit(async () => Promise.reject(own));
    await expect(Promise.all([broken.add(request("a")), broken.add(request("b"))])).rejects.toBe(own);
    await broken.idle();
    await expect(broken.add(request("a"))).rejects.toBe(own);
  });

  it("is idle when nothing waits any more", async () => {
    let commits = 0;
    const commit = new GroupCommit(async (group) => {
      commits++;
      return group.map(() => done);
    });
    await commit.idle();
    const added = commit.add(request("a"));
    await commit.idle();
    expect(commits).toBe(1);
    await added;
  });
});
