import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeHost } from "../../tests/cli/fake-host.ts";
import { Progress } from "./progress.ts";

const clear = "\r\u001b[K";

afterEach(() => vi.useRealTimers());

describe("progress of what others do", () => {
  it("is drawn by itself after a second, and goes when it is over", async () => {
    vi.useFakeTimers();
    const host = fakeHost({ columns: 40, clockMs: [0, 500, 1000, 1000, 1500, 1500] });
    const progress = new Progress(host);
    progress.waiting("a.ts: bank.maxSpend(500)");
    await vi.advanceTimersByTimeAsync(500);
    expect(host.err()).toBe("");
    await vi.advanceTimersByTimeAsync(500);
    progress.waiting("a.ts: bank.only()");
    await vi.advanceTimersByTimeAsync(500);
    await progress.clear();
    await vi.advanceTimersByTimeAsync(5000);
    expect(host.err()).toBe(
      `${clear}1 s  a.ts: bank.maxSpend(500) ...${clear}1 s  a.ts: bank.only() ...${clear}`,
    );
  });

  it("is silent in a pipe", async () => {
    vi.useFakeTimers();
    const host = fakeHost({ clockMs: [0, 5000] });
    new Progress(host).waiting("a.ts: bank.only()");
    await vi.advanceTimersByTimeAsync(5000);
    expect(host.err()).toBe("");
  });
});

describe("progress of what has parts", () => {
  it("is a bar where the end is known, and a count where it is not", async () => {
    const host = fakeHost({ columns: 80, clockMs: [0, 500, 1000, 1000, 1200, 1200] });
    const progress = new Progress(host);
    await progress.part(10, 100, "10 entries verified");
    expect(host.err()).toBe("");
    await progress.part(50, 100, "50 entries verified");
    await progress.part(60, undefined, "60 entries verified");
    await progress.clear();
    const bar = `[${"#".repeat(12)}${"-".repeat(12)}] 50%  50 entries verified ...`;
    expect(host.err()).toBe(`${clear}${bar}${clear}60 entries verified ...${clear}`);
  });
});

describe("progress", () => {
  it("is shown only to a person who waits", async () => {
    const host = fakeHost({ columns: 40, clockMs: [0, 900, 1100, 1100, 1150, 1250, 1250] });
    const progress = new Progress(host);
    await progress.calls(1);
    expect(host.err()).toBe("");
    await progress.calls(2000);
    await progress.calls(2001);
    await progress.calls(2002);
    await progress.clear();
    expect(host.err()).toBe(`${clear}2,000 calls made ...${clear}2,002 calls made ...${clear}`);
  });

  it("leaves nothing behind where nothing was shown", async () => {
    const host = fakeHost({ columns: 40 });
    const progress = new Progress(host);
    await progress.reading("a.eir", 1000);
    await progress.clear();
    expect(host.err()).toBe("");
  });

  it("tells of a long text before it is read, on one line", async () => {
    const host = fakeHost({ columns: 20 });
    const progress = new Progress(host);
    await progress.reading("a\nrather-long-name.eir", 50_000_000);
    expect(host.err()).toBe(`${clear}reading a\\nrathe...`);
  });

  it("is silent in a pipe", async () => {
    const host = fakeHost({ clockMs: [0, 5000] });
    const progress = new Progress(host);
    await progress.reading("a.eir", 50_000_000);
    await progress.calls(5);
    await progress.clear();
    expect(host.err()).toBe("");
  });
});
