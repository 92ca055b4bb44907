/** Holds `grammar.ebnf` to the parser: its words are the parser's words, and its sentences are read. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../tests/support/runs.ts";
import { parseDocument } from "./parser.ts";
import { infixes, isWord, prefixes, reserved, signs } from "./syntax.ts";

/** Samples for parts that the grammar describes in words, or leaves to the operator table. */
const samples: ReadonlyMap<string, readonly string[]> = new Map([
  ["name", ["x", "tool", "max", "value", "$a", "`in`", "`a b`"]],
  ["label", ["x", "in", "next", "call", "`a.b`", "count"]],
  ["STRING", ['"a"', '""', '"\\n\\u00e9"']],
  ["NUMBER", ["0", "12", "3"]],
  ["INFIX", [...infixes.keys()]],
  ["PREFIX", [...prefixes.keys()]],
]);

const grammar = readFileSync(new URL("./grammar.ebnf", import.meta.url), "utf8");

describe("words", () => {
  test("the reserved ones", () => {
    const listed = /\(\* Reserved are .*: ([^.]*)\.\s+([^.]*?)\n {3}All other/s.exec(grammar);
    const words = `${listed?.[1]} ${listed?.[2]}`.split(/[\s,]+/);
    expect(words.toSorted()).toStrictEqual([...reserved].toSorted());
  });

  test("the operators, from loose to tight", () => {
    const table = /From loose to tight:\n\n(.*?)\n\n/s.exec(grammar)?.[1] ?? "";
    const lines = table.split("\n").map((line) => (/^ {5}(.*?)(?: {2}|$)/.exec(line)?.[1] ?? "").split(" "));
    const written = [...infixes.values(), ...prefixes.values()];
    const levels = [...new Set(written.map(({ precedence }) => precedence))].sort((a, b) => a - b);
    const expected = levels.map((level) => written.filter(({ precedence }) => precedence === level));
    expect(lines.map((line) => line.toSorted())).toStrictEqual(
      expected.map((level) => level.map(({ symbol }) => symbol).toSorted()),
    );
  });

  test("the others are words or signs of the lexer", () => {
    const all = new Set([...signs.values()].flat());
    const unknown = [...literalsOf(rules)].filter((word) => !isWord(word) && !all.has(word));
    expect(unknown).toStrictEqual(["effect-ir", "1"]);
  });
});

test("every sentence of the grammar is read", () => {
  // What the rules do not say: chains, repetitions, matching `next`, integers.
  const beyondRules = /^FC1(004|007|008|211|212|213)$/;
  const start = fc.constantFrom("document", "fluent", "tool", "program", "guarantee");
  const choices = fc.noBias(fc.array(fc.nat(1000), { minLength: 100, maxLength: 500 }));
  fc.assert(
    fc.property(start, choices, (rule, tape) => {
      const words = sentence(rule, tape);
      const read = parseDocument([...(rule === "document" ? [] : ["effect-ir 1"]), ...words].join(" "));
      expect((read.ok ? [] : read.problems).filter(({ code }) => !beyondRules.test(code))).toStrictEqual([]);
    }),
    { numRuns: runs(1000) },
  );
});

// ── a reader of EBNF ─────────────────────────────────────────────────────────────────────────────────────

type Node =
  | { readonly kind: "literal" | "rule"; readonly text: string }
  | { readonly kind: "all" | "one"; readonly parts: readonly Node[] }
  | { readonly kind: "maybe" | "many"; readonly part: Node };

const rules = readRules();

function readRules(): ReadonlyMap<string, Node> {
  const [syntax = ""] = grammar.replace(/\(\*.*?\*\)/gs, "").split("WORD       =");
  const found = new Map<string, Node>();
  for (const rule of syntax.split(/;\s*\n/)) {
    const [, name, body] = /^\s*(\w+)\s*=(.*)$/s.exec(rule) ?? [];
    // `name` and `label` are said in words, and have samples below.
    if (name === undefined || body === undefined || samples.has(name)) continue;
    found.set(name, readAlternatives((body.match(/"[^"]*"|\w+|[[\](){}|,]/g) ?? []).reverse()));
  }
  return found;
}

/** `tokens` are in reverse, so that `pop` takes the next one. */
function readAlternatives(tokens: string[]): Node {
  const parts = [readSequence(tokens)];
  while (tokens.at(-1) === "|" && tokens.pop()) parts.push(readSequence(tokens));
  return { kind: "one", parts };
}

function readSequence(tokens: string[]): Node {
  const parts = [readPart(tokens)];
  while (tokens.at(-1) === "," && tokens.pop()) parts.push(readPart(tokens));
  return { kind: "all", parts };
}

function readPart(tokens: string[]): Node {
  const token = tokens.pop() ?? "";
  if (token.startsWith('"')) return { kind: "literal", text: token.slice(1, -1) };
  if (isWord(token)) return { kind: "rule", text: token };
  const part = readAlternatives(tokens);
  tokens.pop();
  if (token === "[") return { kind: "maybe", part };
  return token === "{" ? { kind: "many", part } : part;
}

function literalsOf(all: ReadonlyMap<string, Node>): Set<string> {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    if (node.kind === "literal") found.add(node.text);
    else if (node.kind === "maybe" || node.kind === "many") visit(node.part);
    else if ("parts" in node) node.parts.forEach(visit);
  };
  for (const node of all.values()) visit(node);
  return found;
}

// ── random sentences ─────────────────────────────────────────────────────────────────────────────────────

/** Decides by the choices; when they are used up, as short as it can. */
function sentence(rule: string, choices: readonly number[]): string[] {
  const words: string[] = [];
  let used = 0;
  const choose = (among: number): number => (choices[used++] ?? 0) % among;
  const write = (node: Node, depth: number): void => {
    const short = depth > 30 || used >= choices.length;
    switch (node.kind) {
      case "literal":
        words.push(node.text);
        return;
      case "rule": {
        const sample = samples.get(node.text);
        const body = rules.get(node.text);
        if (sample !== undefined) words.push(sample[choose(sample.length)] ?? "");
        else if (body !== undefined) write(body, depth + 1);
        else throw new Error(`no rule ${node.text}`);
        return;
      }
      case "all":
        for (const part of node.parts) write(part, depth);
        return;
      case "one": {
        const part = short ? shortest(node.parts) : node.parts[choose(node.parts.length)];
        if (part !== undefined) write(part, depth);
        return;
      }
      case "maybe":
        if (!short && choose(2) === 1) write(node.part, depth);
        return;
      case "many":
        if (!short) for (let count = choose(3); count > 0; count--) write(node.part, depth);
    }
  };
  write({ kind: "rule", text: rule }, 0);
  return words;
}

function shortest(parts: readonly Node[]): Node | undefined {
  return parts.toSorted((a, b) => height(a) - height(b))[0];
}

const heights = new Map<string, number>();

/** Returns the depth of the shortest sentence; a rule that is being measured counts as infinite. */
function height(node: Node): number {
  switch (node.kind) {
    case "literal":
    case "maybe":
    case "many":
      return 0;
    case "all":
      return Math.max(...node.parts.map(height));
    case "one":
      return Math.min(...node.parts.map(height));
    case "rule": {
      if (samples.has(node.text)) return 0;
      const known = heights.get(node.text);
      if (known !== undefined) return known;
      heights.set(node.text, Number.POSITIVE_INFINITY);
      const body = rules.get(node.text);
      const own = body === undefined ? 0 : 1 + height(body);
      // What was measured while a rule was endless may be too high, so only the finite is kept.
      if (Number.isFinite(own)) heights.set(node.text, own);
      else heights.delete(node.text);
      return own;
    }
  }
}
