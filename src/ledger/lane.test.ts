import { describe, expect, it } from "vitest";
import { Lane } from "./lane.ts";
import type { Outcome, Request } from "./round.ts";

const request = (kernel: string): Request => ({ kernel, since: 0, decide: () => [] });
const done: Outcome = { kind: "done" };

describe("a lane", () => {
  it("commits together what waits at the same time, in order", async () => {
    const groups: string[][] = [];
    const lane = new Lane(async (group) => {
      groups.push(group.map(({ kernel }) => kernel));
      return group.map(() => done);
    });
    const first = Promise.all([lane.add(request("a")), lane.add(request("b"))]);
    // Asked by those whom the first commit answered, through any number of promises.
    const second = first.then(async () => {
      await Promise.resolve();
      await Promise.all([lane.add(request("c")), Promise.resolve().then(() => lane.add(request("d")))]);
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
    const lane = new Lane(async (group) => {
      expect(++running).toBe(1);
      sizes.push(group.length);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      return group.map(() => done);
    });
    await Promise.all(Array.from({ length: 600 }, () => lane.add(request("a"))));
    expect(sizes).toEqual([256, 256, 88]);
  });

  it("answers each on its own, and all of them when the commit fails", async () => {
    const own = new Error("own");
    const lane = new Lane(async (group) =>
      group.map((_, n) => (n === 1 ? { kind: "thrown", error: own } : done)),
    );
    const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => lane.add(request(name))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const broken = new Lane(async () => Promise.reject(own));
    await expect(Promise.all([broken.add(request("a")), broken.add(request("b"))])).rejects.toBe(own);
    await broken.idle();
    await expect(broken.add(request("a"))).rejects.toBe(own);
  });

  it("is idle when nothing waits any more", async () => {
    let commits = 0;
    const lane = new Lane(async (group) => {
      commits++;
      return group.map(() => done);
    });
    await lane.idle();
    const added = lane.add(request("a"));
    await lane.idle();
    expect(commits).toBe(1);
    await added;
  });
});
