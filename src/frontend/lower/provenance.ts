/** Provenance in contracts: `flowsFrom`, `influencedBy`, `untrusted`, `mayRead`. */
import type { Node } from "oxc-parser";
import { type Expr, looksBeyond, misplacedIn, type Source, Trail } from "../../ir/index.ts";
import { refuse, type Spot } from "../refusal.ts";
import { bool, isText, type Ty, tyText } from "../ty.ts";
import { data, isUndefined, type ToolInfo, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { describe, present, reify } from "./data.ts";
import { inTrace } from "./relation.ts";

type Word = "flowsFrom" | "influencedBy" | "untrusted" | "mayRead";

const forms: Readonly<
  Record<Word, { readonly takes: string; readonly example: string; readonly most: number }>
> = {
  flowsFrom: {
    takes: "a value and where it may come from",
    example: "write `flowsFrom(e.body, mail.fetch)`",
    most: 3,
  },
  influencedBy: {
    takes: "a call and what may influence it",
    example: "write `influencedBy(e, mail.fetch)`",
    most: 2,
  },
  untrusted: { takes: "a value", example: "write `untrusted(e.body)`", most: 1 },
  mayRead: { takes: "a value and who reads it", example: "write `mayRead(e.body, e.to)`", most: 2 },
};

export function provenance(low: Lowering, word: Word, args: readonly Val[], node: Node): Val {
  inTrace(low, node);
  const { takes, example, most } = forms[word];
  const [first, second, third] = args;
  if (first === undefined || args.length > most || (second === undefined && word !== "untrusted"))
    return low.refuse(node, "FC2314", `\`${word}\` takes ${takes}`, example);
  switch (word) {
    case "untrusted":
      return data(
        { kind: "flows", value: carried(low, word, first, node), from: { kind: "untrusted" } },
        bool,
      );
    case "flowsFrom": {
      const from = sourceOf(low, second, third, node);
      return data({ kind: "flows", value: carried(low, word, first, node), from }, bool);
    }
    case "influencedBy": {
      const from = sourceOf(low, second, undefined, node);
      return data({ kind: "influenced", call: callOf(low, first, node), from }, bool);
    }
    case "mayRead":
      return data(
        { kind: "mayRead", value: carried(low, word, first, node), reader: readerOf(low, second, node) },
        bool,
      );
  }
}

/** A value that is made of calls, and not of what is said about all of them. */
function carried(low: Lowering, word: Word, val: Val, node: Node): Expr {
  const { expr } = reify(low, val, node);
  if (!looksBeyond(expr, "results")) return expr;
  return low.refuse(
    node,
    "FC2227",
    `\`${word}\` has no provenance for this, because it reads the whole run or a fluent`,
    "give it arguments of a call",
  );
}

/** The row that a callback is given, where it is a call. */
function callOf(low: Lowering, val: Val, node: Node): string {
  if (val.kind === "data" && val.expr.kind === "var" && low.callsBound.has(val.expr.name))
    return val.expr.name;
  return low.refuse(
    node,
    "FC2227",
    "`influencedBy` takes a call itself, and this is none",
    "write `send.none((e) => influencedBy(e, mail.fetch))`, with the `e` that the function is given",
  );
}

function readerOf(low: Lowering, val: Val | undefined, node: Node): Expr {
  const reader = present(low, reify(low, val ?? { kind: "poison" }, node), node, "the reader of `mayRead`");
  if (isText(reader.type) || isTextList(reader.type)) return reader.expr;
  return low.refuse(
    node,
    "FC2108",
    `a reader is a string or a list of strings, and this is \`${tyText(reader.type)}\``,
    "write `mayRead(e.body, e.to)`",
  );
}

function isTextList(type: Ty): boolean {
  return type.kind === "list" && (isText(type.element) || type.element.kind === "never");
}

// ── sources ──────────────────────────────────────────────────────────────────────────────────────────────

const sources =
  'give a tool, a label such as `"private"`, `labelled("private")`, `untrusted`, `input()` or `input("name")`';

function sourceOf(low: Lowering, val: Val | undefined, field: Val | undefined, node: Node): Source {
  const source = plainSource(low, val, node);
  if (field === undefined || isUndefined(field)) return checkedSource(low, source, node);
  const name = field.kind === "data" && field.expr.kind === "string" ? field.expr.value : undefined;
  if (name === undefined)
    return low.refuse(node, "FC2204", "the field must be a constant string", 'write `"subject"`');
  if (val?.kind !== "tool" || source.kind !== "tool")
    return low.refuse(node, "FC2223", "only what a tool returned has a field", "omit the field");
  const known = fieldsOf(val.tool);
  if (!known.includes(name)) {
    const there = known.length === 0 ? "omit it" : `there is ${known.map((one) => `\`${one}\``).join(", ")}`;
    low.refuse(node, "FC2310", `what \`${source.tool}\` returns has no field \`${name}\``, there);
  }
  return { ...source, field: name };
}

/** Returns the source that a value names, without checking that it exists. */
export function plainSource(low: Lowering, val: Val | undefined, node: Node): Source {
  if (val?.kind === "tool") {
    low.usedTools.set(val.tool.tool.name, val.tool);
    return { kind: "tool", tool: val.tool.tool.name };
  }
  if (val?.kind === "source") return val.source;
  if (val?.kind === "builtin" && val.name === "foreclaim:untrusted") return { kind: "untrusted" };
  if (val?.kind === "relation" && val.relation.kind === "label" && val.where.length === 0)
    return { kind: "label", label: val.relation.label };
  if (val?.kind === "data" && val.expr.kind === "string") return { kind: "label", label: val.expr.value };
  const what = val === undefined ? "nothing" : describe(val);
  return low.refuse(node, "FC2223", `${what} is no source of data`, sources);
}

function checkedSource(low: Lowering, source: Source, node: Node): Source {
  if (source.kind === "label") {
    const tools = low.labelled(source.label);
    if (tools.length === 0)
      low.refuse(
        node,
        "FC2207",
        `no tool has the label \`${source.label}\``,
        "add it to the `labels` of a tool",
      );
    for (const tool of tools) low.usedTools.set(tool.tool.name, tool);
  }
  if (source.kind === "input" && source.input !== undefined && low.inputs?.has(source.input) === false)
    low.refuse(
      node,
      "FC2228",
      `the program has no input \`${source.input}\``,
      low.inputs.size === 0
        ? "state this contract where `run` takes that input"
        : `it has ${[...low.inputs].map((one) => `\`${one}\``).join(", ")}`,
    );
  return source;
}

function fieldsOf({ result }: ToolInfo): string[] {
  const held = result?.kind === "list" ? result.element : result;
  return held?.kind === "record" && !held.tuple ? held.fields.map(({ name }) => name) : [];
}

/** `input()` or `input("name")`. */
export function inputSource(low: Lowering, args: readonly Val[], node: Node): Val {
  const [name] = args;
  if (name === undefined) return { kind: "source", source: { kind: "input" } };
  if (name.kind === "data" && name.expr.kind === "string" && args.length === 1)
    return { kind: "source", source: { kind: "input", input: name.expr.value } };
  return low.refuse(
    node,
    "FC2204",
    "the name of an input must be a constant string",
    'write `input()` or `input("name")`',
  );
}

// ── what a contract can rest on ──────────────────────────────────────────────────────────────────────────

/** Checks polarity: possibilities can only be excluded, and certainties only be guaranteed. */
export function checkPromise(formula: Expr, name: string, spot: Spot): void {
  const [first] = misplacedIn(formula, Trail.root);
  if (first === undefined) return;
  const { expr } = first;
  if (expr.kind === "mayRead")
    refuse(
      spot,
      "FC2226",
      `\`${name}\` would hold because something is not \`mayRead\`, which can only be guaranteed`,
      "use `mayRead(…)` positively for every call that matters, without `!` before it",
    );
  const word =
    expr.kind === "influenced" ? "influencedBy" : expr.from.kind === "untrusted" ? "untrusted" : "flowsFrom";
  refuse(
    spot,
    "FC2226",
    `\`${name}\` would hold because of \`${word}\`, which only says what may be`,
    `a contract can only rule it out: write \`!${word}(…)\` or \`.none((e) => ${word}(…))\``,
  );
}
