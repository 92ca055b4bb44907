import { describe, expect, test } from "vitest";
import { jsonWithoutSecrets, secretsOf, withoutSecrets } from "./secrets.ts";
import { ServerLog } from "./server-log.ts";
import { expandedText } from "./variables.ts";

const variables = { environment: { TOKEN: "hunter-22", HOME: "/people/ann", EMPTY: "" }, folder: "/srv/p" };
const brace = (text: string) => `\${${text}}`;

describe("variables", () => {
  test.each([
    ["TOKEN", "hunter-22"],
    ["env:TOKEN", "hunter-22"],
    ["MISSING:-else", "else"],
    ["MISSING:-", ""],
    ["EMPTY:-else", "else"],
    ["EMPTY", ""],
    ["workspaceFolder", "/srv/p"],
  ])("%s", (name, value) => expect(expandedText(`a ${brace(name)} b`, variables)).toBe(`a ${value} b`));

  test("a variable that is not there, or that only an editor knows, is an error", () => {
    expect(() => expandedText(brace("MISSING"), variables)).toThrow("no variable `MISSING`");
    expect(() => expandedText(brace("input:api-key"), variables)).toThrow(brace("API_KEY"));
  });

  test("other texts stay, and values are not expanded again", () => {
    for (const text of ["$TOKEN", "$ {TOKEN}", brace("a b"), brace(""), "{TOKEN}"])
      expect(expandedText(text, variables)).toBe(text);
    const nested = { ...variables, environment: { A: brace("TOKEN") } };
    expect(expandedText(brace("A"), nested)).toBe(brace("TOKEN"));
  });
});

describe("secrets", () => {
  test("by the names of values and of variables, in every part of a configuration", () => {
    const stdio = {
      command: "x",
      args: ["--key", brace("TOKEN")],
      env: { API_KEY: "literal-1", MODE: "production", GH: brace("TOKEN"), PASSWORD: "short" },
    };
    expect(secretsOf(stdio, variables)).toEqual(["literal-1", "hunter-22"]);
    const http = {
      url: `https://example.org/mcp?k=${brace("TOKEN")}`,
      headers: { Authorization: "Bearer abc-def-ghi", Accept: "application/json" },
    };
    expect(secretsOf(http, variables)).toEqual(["Bearer abc-def-ghi", "abc-def-ghi", "hunter-22"]);
    expect(secretsOf({ command: "x", env: { MODE: "production" } }, variables)).toEqual([]);
  });

  test("are removed at any depth, and nothing else is changed", () => {
    const json = { a: ["x hunter-22 y", 1, null, { "hunter-22": true }], b: "plain" };
    expect(jsonWithoutSecrets(json, ["hunter-22"])).toEqual({
      a: ["x [secret] y", 1, null, { "[secret]": true }],
      b: "plain",
    });
    expect(jsonWithoutSecrets(json, [])).toBe(json);
    // One that begins with another is removed whole.
    expect(withoutSecrets("hunter-22-long", ["hunter-22-long", "hunter-22"])).toBe("[secret]");
  });
});

describe("the standard error of a server", () => {
  const logged = (chunks: readonly string[]) => {
    const written: string[] = [];
    const log = new ServerLog(["hunter-22"], (text) => written.push(text));
    for (const chunk of chunks) log.add(Buffer.from(chunk));
    log.end();
    return written.join("");
  };

  test("a secret is removed, wherever the chunks are cut", () => {
    const text = "a hunter-22 b\nzwölf\n";
    for (let cut = 0; cut <= text.length; cut++)
      expect(logged([text.slice(0, cut), text.slice(cut)])).toBe("a [secret] b\nzwölf\n");
    expect(logged(["no end hunter-22"])).toBe("no end [secret]\n");
    expect(logged([])).toBe("");
    expect(logged(["\n\n"])).toBe("\n\n");
  });

  test.each([0, 1, 5, 8, 9, 10])("a long line is cut, and shows no part of a secret (%i)", (before) => {
    const start = "x".repeat(64 * 1024 - before);
    const shown = logged([`${start}hunter-22`, " more".repeat(100_000), "\nnext\n"]);
    expect(shown).not.toContain("hunter");
    expect(shown.length).toBeLessThan(70_000);
    expect(shown.endsWith("…\nnext\n")).toBe(true);
    const split = logged([`${start}${"y".repeat(before)}hunte`, "r-22\n"]);
    expect(split).not.toMatch(/h|hu|hun/);
  });
});
