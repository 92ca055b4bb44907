/** The output for a person while a run goes. */
import { expect, test } from "vitest";
import { fakeHost } from "../../../../tests/cli/fake-host.ts";
import { LiveRun } from "./live-run.ts";

test("a terminal has a line that tells what takes long, and it goes away", async () => {
  const host = fakeHost({ columns: 44, clockMs: [0, 0, 2_500] });
  const live = new LiveRun(host, 4, true);
  live.hear({ kind: "begun", actionId: "build", attempt: 1 });
  live.hear({ kind: "begun", actionId: "test with a long name", attempt: 1 });
  await until(() => host.err().includes("0/4"));
  expect(host.err()).toContain("\r\u001b[K[--------------------] 0/4  build 2 s, ");
  live.hear({ kind: "ended", actionId: "build", status: "done", ended: 1, all: 4 });
  await live.end();
  expect(host.err().endsWith("\r\u001b[K")).toBe(true);
  expect(host.out()).toBe("done         build\n");
});

test("elsewhere there are only lines, and with no lines nothing", async () => {
  for (const lines of [true, false]) {
    const host = fakeHost();
    const live = new LiveRun(host, 2, lines);
    live.hear({ kind: "begun", actionId: "a", attempt: 1 });
    live.hear({ kind: "retrying", actionId: "a", attempt: 2, waitMs: 1_540, reason: "busy\u001b[2J" });
    live.hear({
      kind: "ended",
      actionId: "a",
      status: "failed",
      ended: 1,
      all: 2,
      reason: "no",
    });
    await live.end();
    live.hear({ kind: "late", actionId: "a" });
    await live.end();
    expect(host.err()).toBe("");
    expect(host.out()).toBe(
      lines ? "retry        a  try 2 in 1.5 s: busy\\u001b[2J\nfailed       a  no\n" : "",
    );
  }
});

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
}
