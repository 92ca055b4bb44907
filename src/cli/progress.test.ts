import { describe, expect, it } from "vitest";
import { fakeTerminal } from "../../tests/cli/fake-terminal.ts";
import { Progress } from "./progress.ts";

const clear = "\r\u001b[K";

describe("progress", () => {
  it("is shown only to a person who waits", async () => {
    const terminal = fakeTerminal({ columns: 40, clockMs: [0, 900, 1100, 1100, 1150, 1250, 1250] });
    const progress = new Progress(terminal);
    await progress.calls(1);
    expect(terminal.err()).toBe("");
    await progress.calls(2000);
    await progress.calls(2001);
    await progress.calls(2002);
    await progress.clear();
    expect(terminal.err()).toBe(`${clear}2,000 calls made ...${clear}2,002 calls made ...${clear}`);
  });

  it("leaves nothing behind where nothing was shown", async () => {
    const terminal = fakeTerminal({ columns: 40 });
    const progress = new Progress(terminal);
    await progress.reading("a.eir", 1000);
    await progress.clear();
    expect(terminal.err()).toBe("");
  });

  it("tells of a long text before it is read, on one line", async () => {
    const terminal = fakeTerminal({ columns: 20 });
    const progress = new Progress(terminal);
    await progress.reading("a\nrather-long-name.eir", 50_000_000);
    expect(terminal.err()).toBe(`${clear}reading a<U+000A...`);
  });

  it("is silent in a pipe", async () => {
    const terminal = fakeTerminal({ clockMs: [0, 5000] });
    const progress = new Progress(terminal);
    await progress.reading("a.eir", 50_000_000);
    await progress.calls(5);
    await progress.clear();
    expect(terminal.err()).toBe("");
  });
});
