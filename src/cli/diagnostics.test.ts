import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import type { Diagnostic } from "../ir/index.ts";
import { renderProblems } from "./diagnostics.ts";
import { columnsOf } from "./text/width.ts";

const plain = { colour: false, unicode: false, columns: 80 };

/** Renders one problem at the part of the source between `«` and `»`. */
function frame(marked: string, problem: Partial<Diagnostic<string>> = {}, options = plain): string {
  const start = marked.indexOf("«");
  const end = marked.indexOf("»") - 1;
  const source = marked.replace("«", "").replace("»", "");
  const problems = [{ code: "FC1201", message: "wrong", span: { start, end }, ...problem }];
  return renderProblems({ source, file: "a.eir", problems }, options);
}

const lines = (...all: readonly string[]) => `${all.join("\n")}\n`;

describe("a problem", () => {
  it("shows its place, underlined, with code, message, position and help", () => {
    expect(frame("one\ntwo «three» four\n", { help: "write `3`" })).toBe(
      lines(
        "error FC1201: wrong",
        " --> a.eir:2:5",
        "  |",
        "2 | two three four",
        "  |     ^^^^^",
        "  help: write `3`",
      ),
    );
  });

  it("widens the margin for long line numbers", () => {
    expect(frame(`${"\n".repeat(99)}a «b»`)).toBe(
      lines("error FC1201: wrong", "   --> a.eir:100:3", "    |", "100 | a b", "    |   ^"),
    );
  });

  it("marks an empty place with one sign", () => {
    expect(frame("ab«»cd")).toContain(lines("1 | abcd", "  |   ^"));
  });

  it("shows a blank line with what stands before it, as at the end of a file", () => {
    expect(frame("one {\n\n«»")).toContain(lines("1 | one {", "2 |", "3 |", "  | ^"));
    expect(frame("«»")).toContain(lines("1 |", "  | ^"));
    expect(frame("\n\n\n\n\n\n«»")).toContain(lines("7 |", "  | ^"));
  });

  it("shows the first and the last line of a long place", () => {
    expect(frame("a «b\n  c\n  d\n  e» f")).toContain(
      lines("1 | a b", "  |   ^", "...", "4 |   e f", "  |   ^"),
    );
    expect(frame("a «b\n  c» d")).toContain(lines("1 | a b", "  |   ^", "2 |   c d", "  |   ^"));
  });

  it("ends a place that ends with a line end on that line", () => {
    expect(frame("a «b\n»c")).toContain(lines("1 | a b", "  |   ^"));
    expect(frame("a «b\r\n\r\n»c")).toContain(lines("1 | a b", "  |   ^"));
  });

  it("lines up below tabs and wide characters", () => {
    expect(frame("\tcall «x»")).toContain(lines("1 |     call x", "  |          ^"));
    expect(frame('"日本" «日本» x')).toContain(lines('1 | "日本" 日本 x', "  |        ^^^^"));
    expect(frame("e\u0301 «x»")).toContain(lines("1 | e\u0301 x", "  |   ^"));
  });

  it("names what a terminal would obey, in the source, the message and the file", () => {
    const problems = [
      { code: "FC1201", message: "a\u001b[2Jb", span: { start: 2, end: 3 }, help: "c\u202e" },
    ];
    const text = renderProblems({ source: "x\u001by", file: "f\u0007", problems }, plain);
    expect(text).toBe(
      lines(
        "error FC1201: a\\u001b[2Jb",
        " --> f\\u0007:1:3",
        "  |",
        "1 | x\\u001by",
        "  |        ^",
        "  help: c\\u202e",
      ),
    );
  });

  it("cuts a long line around the place", () => {
    const before = "x".repeat(1000);
    const text = frame(`${before}«here»${before}`, {}, { ...plain, columns: 44 });
    expect(text).toContain(
      lines(`1 | ...${"x".repeat(15)}here${"x".repeat(15)}...`, `  | ${" ".repeat(18)}^^^^`),
    );
    expect(frame(`«here»${before}`, {}, { ...plain, columns: 30 })).toContain(
      lines(`1 | here${"x".repeat(16)}...`, "  | ^^^^"),
    );
    expect(frame(`${before}«here»`, {}, { ...plain, columns: 30 })).toContain(
      lines(`1 | ...${"x".repeat(16)}here`, `  | ${" ".repeat(19)}^^^^`),
    );
  });

  it("underlines as much of a very long place as is shown", () => {
    const text = frame(`a «${"b".repeat(500)}»`, {}, { ...plain, columns: 30 });
    const [, , , source = "", mark = ""] = text.split("\n");
    expect(source).toMatch(/^1 \| a b+\.\.\.$/);
    expect(mark).toBe(`  |   ${"^".repeat(source.length - "1 | a ...".length)}`);
  });

  it("takes no longer for a line of many megabytes", () => {
    const source = "x".repeat(20_000_000);
    const problems = Array.from({ length: 20 }, (_, i) => ({
      code: "FC1201",
      message: "wrong",
      span: { start: i * 1_000_000, end: i * 1_000_000 + 5 },
    }));
    const start = performance.now();
    renderProblems({ source, file: "a", problems }, plain);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("shows further places with their words", () => {
    const source = "let x = 1\nlet y = 2\nlet z = 3\nlet x = 2\n";
    const problem = {
      code: "FC1202",
      message: "the name `x` is taken",
      span: { start: 34, end: 35 },
      labels: [
        { span: { start: 4, end: 5 }, text: "first here" },
        { span: { start: 38, end: 39 }, text: "this value" },
      ],
    };
    expect(renderProblems({ source, file: "a.eir", problems: [problem] }, plain)).toBe(
      lines(
        "error FC1202: the name `x` is taken",
        " --> a.eir:4:5",
        "  |",
        "1 | let x = 1",
        "  |     - first here",
        "...",
        "4 | let x = 2",
        "  |     ^",
        "  |         - this value",
      ),
    );
  });

  it("is told without a frame when it has no place", () => {
    const problems = [{ code: "FC9002", message: "cannot read `x`", help: "look\nagain" }];
    expect(renderProblems({ source: "", file: "", problems }, plain)).toBe(
      lines("error FC9002: cannot read `x`", "  help: look", "        again"),
    );
  });

  it("may be called something else", () => {
    expect(frame("«a»", { title: "stopped" })).toMatch(/^stopped FC1201: wrong\n/);
  });
});

describe("several problems", () => {
  const many = (n: number) =>
    renderProblems(
      {
        source: "abc",
        file: "a",
        problems: Array.from({ length: n }, (_, i) => ({
          code: "FC1201",
          message: `m${i}`,
          span: { start: 0, end: 1 },
        })),
      },
      plain,
    );

  it("are all shown up to twenty", () => {
    expect(many(20).match(/^error/gm)).toHaveLength(20);
    expect(many(20)).not.toContain("more");
  });

  it("are counted beyond", () => {
    expect(many(23).match(/^error/gm)).toHaveLength(20);
    expect(many(23)).toMatch(/\n\nand 3 more\n$/);
  });
});

describe("colours and signs", () => {
  it("are there when asked for", () => {
    const text = frame("a «b»", {}, { colour: true, unicode: true, columns: 80 });
    expect(text).toContain("\u001b[31m^\u001b[39m");
    expect(text).toContain("│");
  });

  it("are not, otherwise: all but the source is ASCII", () => {
    const text = frame("é «b»", { help: "x" });
    expect(text.replace("é", "")).toMatch(/^[\n -~]*$/);
  });

  it("change nothing else", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are made of them
    const bare = frame("a «b»", { help: "x" }, { ...plain, colour: true }).replace(/\u001b\[\d+m/g, "");
    expect(bare).toBe(frame("a «b»", { help: "x" }));
  });
});

describe("whatever the source", () => {
  const anySource = fc.string({
    unit: fc.constantFrom("a", "b", " ", "\t", "\n", "\r\n", "日", "\u{1f600}", "\u0301", "\u001b", "\ud800"),
    maxLength: 200,
  });

  it("fits the width, and underlines something", () => {
    fc.assert(
      fc.property(
        anySource,
        fc.nat(220),
        fc.nat(60),
        fc.integer({ min: 40, max: 100 }),
        (source, start, length, columns) => {
          const problems = [{ code: "FC1201", message: "wrong", span: { start, end: start + length } }];
          const text = renderProblems({ source, file: "a", problems }, { ...plain, columns });
          expect(text).toContain("^");
          for (const line of text.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
          expect(text).not.toMatch(/\t|\r|[\p{Cf}\p{Cs}]/u);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it("underlines exactly the place, on a line that fits", () => {
    const anyLine = fc.string({ unit: fc.constantFrom("a", "日", " ", "\t"), maxLength: 15 });
    fc.assert(
      fc.property(
        anyLine,
        anyLine.filter((text) => text.length > 0),
        anyLine,
        (before, place, after) => {
          const [, , , source = "", mark = ""] = frame(`.${before}«${place}»${after}`).split("\n");
          const from = mark.indexOf("^");
          const spaced = (text: string) => text.replaceAll("\t", "    ");
          expect(columnsOf(`1 | .${spaced(before)}`)).toBe(from);
          expect(mark.length - from).toBe(columnsOf(spaced(place)));
          expect(source).toBe(`1 | .${spaced(before + place + after)}`.trimEnd());
        },
      ),
    );
  });
});
