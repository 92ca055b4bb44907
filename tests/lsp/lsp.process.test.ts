/** The language server as an editor uses it, over standard input and output. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, root } from "../cli/built.ts";
import { Editor, startServer } from "./editor.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-lsp-"));
const program = (name: string) => readFileSync(join(root, "examples/bank", name), "utf8");
const path = (name: string) => join(folder, name);
const refuted = program("off-by-one.ts");
const proved = program("pay-card.ts");
const lineOf = (text: string, words: string) => text.split("\n").findIndex((line) => line.includes(words));

let editor: Editor;
beforeAll(async () => {
  await build();
  cpSync(join(root, "examples/bank/tools"), path("tools"), { recursive: true });
  editor = new Editor(folder);
  await editor.initialize();
});
afterAll(async () => {
  expect(await editor.close()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

describe("a program that is typed", () => {
  it("has its refuted guarantee at its place, with the run as related information", async () => {
    const uri = await editor.open(path("refuted.ts"), refuted);
    const found = (await editor.diagnostics(uri)).filter(({ severity }) => severity === 1);
    expect(found).toHaveLength(1);
    const [{ range, message, relatedInformation = [] }] = found as [(typeof found)[0]]; // SAFETY: it has one
    const line = lineOf(refuted, "maxSpend");
    expect(range).toEqual({
      start: { line, character: refuted.split("\n")[line]?.indexOf("bank.maxSpend") },
      end: { line, character: (refuted.split("\n")[line] ?? "").indexOf("),") + 1 },
    });
    expect(message).toContain(
      "refuted: the sum of `amount` over all calls of `bank.withdraw` is at most 500",
    );
    expect(relatedInformation.map((one) => one.message)).toEqual(
      [1, 2, 3, 4, 5, 6].map((i) => `c${i} bank.withdraw(account: "card", amount: 100)`),
    );
    expect(relatedInformation[0]?.location.range.start.line).toBe(lineOf(refuted, "bank.withdraw"));
  });

  it("has verdicts as lenses, and sentences as hovers", async () => {
    const uri = pathToFileURL(path("refuted.ts")).href;
    const lenses = await editor.lenses(uri);
    expect(lenses.map(({ command }) => command?.title)).toEqual([
      "✗ refuted, 2 of 3 guarantees proved, 1 of them required by the tools",
      "✗ refuted",
      "✓ proved",
    ]);
    const line = lineOf(refuted, "eachAtMost");
    const hover = await editor.hover(uri, line, (refuted.split("\n")[line] ?? "").indexOf("eachAtMost"));
    expect(hover?.contents).toEqual({
      kind: "plaintext",
      value: expect.stringContaining("✓ proved: the greatest `amount` of all calls of `bank.withdraw`"),
    });
    expect(await editor.hover(uri, 0, 0)).toBeNull();
  });

  it("is proved again after every change, also one of a few characters", async () => {
    const uri = pathToFileURL(path("refuted.ts")).href;
    const line = lineOf(refuted, "maxSpend");
    const at = (refuted.split("\n")[line] ?? "").indexOf("500");
    const digits = { start: { line, character: at }, end: { line, character: at + 3 } };
    await editor.change(uri, [{ range: digits, text: "600" }]);
    expect((await editor.diagnostics(uri)).filter(({ severity }) => severity === 1)).toEqual([]);
    expect((await editor.lenses(uri))[0]?.command?.title).toContain("✓ proved");
    await editor.change(uri, [{ range: digits, text: "599" }]);
    expect((await editor.diagnostics(uri)).filter(({ severity }) => severity === 1)).toHaveLength(1);
  });

  it("has the problems of a text that does not compile, and their fixes", async () => {
    const wrong = proved.replace("bank.onlyAccount", "bank.onlyAcount");
    const uri = await editor.open(path("wrong.ts"), wrong);
    const [problem, ...others] = await editor.diagnostics(uri);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: "FC2004", severity: 1, source: "foreclaim" });
    const line = lineOf(wrong, "onlyAcount");
    const [fix, ...more] = await editor.fixes(uri, line);
    expect(more).toEqual([]);
    expect(fix?.title).toBe("Write `onlyAccount`");
    const [edit] = fix?.edit?.changes?.[uri] ?? [];
    await editor.change(uri, [{ range: edit?.range, text: edit?.newText }]);
    expect((await editor.diagnostics(uri)).filter(({ severity }) => severity === 1)).toEqual([]);
    // What the tools require can be stated, and is proved then too.
    const [state] = await editor.fixes(uri, line);
    expect(state?.title).toBe("State `bank.nothingAfterFreeze()`");
    const [put] = state?.edit?.changes?.[uri] ?? [];
    await editor.change(uri, [{ range: put?.range, text: put?.newText }]);
    expect((await editor.lenses(uri))[0]?.command?.title).toBe("✓ proved, 4 of 4 guarantees proved");
  });

  it("is proved against the tool module as it is typed, and problems of the module are shown there", async () => {
    const uri = await editor.open(path("with-module.ts"), proved);
    expect(await editor.diagnostics(uri)).toEqual([]);
    const module = path("tools/bank.ts");
    const text = readFileSync(module, "utf8");
    const moduleUri = await editor.open(module, text);
    await editor.change(moduleUri, [{ text: `${text}\nexport const broken = contract(;\n` }]);
    await editor.until(() => (editor.published.get(moduleUri)?.diagnostics.length ?? 0) > 0);
    expect(editor.published.get(moduleUri)?.diagnostics[0]?.source).toBe("foreclaim");
    // Closed without saving: the file counts again.
    await editor.connection.sendNotification("textDocument/didClose", { textDocument: { uri: moduleUri } });
    await editor.until(() => editor.published.get(moduleUri)?.diagnostics.length === 0);
    expect((await editor.lenses(uri))[0]?.command?.title).toContain("✓ proved");
  });

  it("leaves nothing behind when it is closed", async () => {
    const uri = await editor.open(path("closed.ts"), refuted);
    expect((await editor.diagnostics(uri)).length).toBeGreaterThan(0);
    await editor.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
    await editor.until(() => editor.published.get(uri)?.diagnostics.length === 0);
    await expect(editor.lenses(uri)).rejects.toMatchObject({ code: -32602 });
  });

  it("is not looked at if it is another kind of file", async () => {
    const uri = await editor.open(path("other.ts"), 'import { x } from "y";\nexport default 3;\n');
    expect(await editor.lenses(uri)).toEqual([]);
    expect(await editor.fixes(uri, 0)).toEqual([]);
  });
});

describe("long documents", () => {
  const padded = (bytes: number) => `${proved}// ${"x".repeat(bytes)}\n`;

  it("of a megabyte are proved", async () => {
    const uri = await editor.open(path("long.ts"), padded(1 << 20));
    expect(await editor.diagnostics(uri)).toEqual([]);
    await editor.change(uri, [
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "// a\n" },
    ]);
    expect((await editor.lenses(uri))[0]?.command?.title).toContain("✓ proved");
  });

  it("beyond the limit are refused with a reason", async () => {
    const uri = await editor.open(path("longer.ts"), padded(4 << 20));
    const [found] = await editor.diagnostics(uri);
    expect(found?.message).toBe("not proved: the text is longer than 4194304 characters");
    expect(await editor.lenses(uri)).toEqual([]);
  });
});

describe("the protocol", () => {
  it("cancels a request that waits for a proof", async () => {
    const uri = await editor.open(path("cancelled.ts"), proved);
    const { connection } = editor;
    const { CancellationTokenSource } = await import("vscode-jsonrpc/node");
    const source = new CancellationTokenSource();
    const asked = connection.sendRequest("textDocument/codeLens", { textDocument: { uri } }, source.token);
    source.cancel();
    await expect(asked).rejects.toMatchObject({ code: -32800 });
    expect(await editor.diagnostics(uri)).toEqual([]);
  });

  it.each([
    ["an unknown method", "textDocument/foldingRange", { textDocument: { uri: "file:///x" } }, -32601],
    ["a document that is not open", "textDocument/codeLens", { textDocument: { uri: "file:///x" } }, -32602],
    ["no parameters", "textDocument/codeLens", undefined, -32602],
    ["a position that is none", "textDocument/hover", { textDocument: {}, position: { line: -1 } }, -32602],
    ["a second start", "initialize", { capabilities: {} }, -32600],
  ])("refuses %s", async (_, method, params, code) => {
    await expect(editor.connection.sendRequest(method, params)).rejects.toMatchObject({ code });
  });

  it("ignores notifications that it does not know, and broken ones", async () => {
    const { connection } = editor;
    await connection.sendNotification("$/somethingElse", {});
    await connection.sendNotification("textDocument/didOpen", { textDocument: { uri: 3 } });
    await connection.sendNotification("textDocument/didChange", {});
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri: "untitled:Untitled-1", languageId: "typescript", version: 1, text: proved },
    });
    await expect(editor.lenses("untitled:Untitled-1")).rejects.toMatchObject({ code: -32602 });
  });

  it("answers nothing before it was started, and ends with 1 if nobody said goodbye", async () => {
    const other = new Editor(folder);
    await expect(other.connection.sendRequest("textDocument/hover", {})).rejects.toMatchObject({
      code: -32002,
    });
    await other.connection.sendNotification("exit");
    expect(await other.exited).toBe(1);
  });

  it("survives bytes that are no messages", async () => {
    const server = startServer(folder);
    let out = "";
    server.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    const seen = async (words: string) => {
      while (!out.includes(words)) await new Promise((resolve) => server.stdout?.once("data", resolve));
    };
    const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    server.stdin?.write("nonsense\r\n\r\n");
    await seen("the headers name no length");
    server.stdin?.write(frame("{"));
    await seen("the message is not JSON");
    server.stdin?.write(frame("[]"));
    await seen("the message is not JSON-RPC 2.0");
    server.stdin?.write(frame('{"jsonrpc":"2.0","id":[],"method":"x"}'));
    await seen("the id is neither a number nor a text");
    server.stdin?.write(frame('{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}'));
    await seen('"id":7,"result"');
    server.stdin?.end();
    expect(await new Promise((resolve) => server.on("exit", resolve))).toBe(1);
  });
});

it("takes the tool modules of the folders that it is given", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "foreclaim-lsp-tools-"));
  const other = new Editor(folder, ["--tools", elsewhere]);
  await other.initialize();
  const uri = await other.open(path("elsewhere.ts"), proved);
  const [problem] = await other.diagnostics(uri);
  expect(problem?.severity).toBe(1);
  expect(await other.close()).toBe(0);
  rmSync(elsewhere, { recursive: true });
  writeFileSync(path("elsewhere.ts"), "");
});
