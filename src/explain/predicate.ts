/** Statements about one row, as a phrase that follows it: every `email.send` has `addr` equal to "bob". */
import type { Expr, Selection } from "../ir/index.ts";
import { type Clause, clause } from "./clause.ts";
import { knowing, type Relation, relationOf } from "./relation.ts";
import { mentions } from "./rename.ts";
import { about, inline, plain, type Row, type Scene } from "./scene.ts";
import { operand, pathOf } from "./term.ts";
import { intro, joined, say, type Text } from "./text.ts";

export type Said =
  /** `self`: it is about the row itself, or the value of a cell, and not about one of its fields. */
  | { readonly kind: "one"; readonly head: () => Text; readonly self: boolean; readonly relation: Relation }
  | { readonly kind: "all" | "any"; readonly parts: readonly Said[] };

/** Undefined if it is not about this row, or not about it alone. */
export function predicateOf(expr: Expr, row: Row | "call", scene: Scene, yes = true): Said | undefined {
  const isHead = (part: Expr) => isAbout(part, row, scene);
  const relation = relationOf(expr, yes, about(scene, row, "its "), isHead);
  if (relation !== undefined) {
    const { left } = relation;
    // A number of other rows, or a state, is not something that the row has.
    const isOwn = left.kind !== "aggregate" && left.kind !== "cell" && isHead(left);
    return isOwn ? one(relation, row, scene) : undefined;
  }
  if (expr.kind !== "op") return undefined;
  const [a, b] = expr.args;
  switch (expr.op) {
    case "not":
      return a && predicateOf(a, row, scene, !yes);
    case "and":
      return group(yes ? "all" : "any", knowingly(expr.args, true, scene), row, yes);
    case "or":
      return group(yes ? "any" : "all", knowingly(expr.args, false, scene), row, yes);
    case "implies": {
      const left = a && predicateOf(a, row, scene, !yes);
      const known = a === undefined ? scene : learnt(scene, a, true);
      const right = b && predicateOf(b, row, known, yes);
      return left && right && { kind: yes ? "any" : "all", parts: [left, right] };
    }
    default:
      return undefined;
  }
}

function one(relation: Relation, row: Row | "call", scene: Scene): Said {
  const { left } = relation;
  const found = pathOf(left, scene);
  const steps = found !== undefined && !found.ofResult && !found.maybe ? found.steps : undefined;
  const self =
    row !== "call" &&
    steps !== undefined &&
    (row.relation.kind === "cells" ? steps.length === 1 && steps[0] === "value" : steps.length === 0);
  return { kind: "one", head: () => operand(left, about(scene, row)), self, relation };
}

function group(
  kind: "all" | "any",
  parts: readonly { readonly expr: Expr; readonly scene: Scene }[],
  row: Row | "call",
  yes: boolean,
): Said | undefined {
  const said: Said[] = [];
  for (const { expr, scene } of parts) {
    const part = predicateOf(expr, row, scene, yes);
    if (part === undefined) return undefined;
    said.push(part);
  }
  return { kind, parts: said };
}

/** Each operand with what the ones before it tell: of `and` that they are true, of `or` that they are false. */
export function knowingly(
  args: readonly Expr[],
  isAnd: boolean,
  scene: Scene,
): { readonly expr: Expr; readonly scene: Scene }[] {
  let known = scene;
  return args.map((expr) => {
    const here = { expr, scene: known };
    known = learnt(known, expr, isAnd);
    return here;
  });
}

/** The scene where the test is known to be so; only what it says about options matters. */
export function learnt(scene: Scene, expr: Expr, isTrue: boolean): Scene {
  if (expr.kind !== "op") return scene;
  const [a] = expr.args;
  if (expr.op === "not") return a === undefined ? scene : learnt(scene, a, !isTrue);
  if (expr.op === "isSome" && isTrue && a !== undefined) return knowing(scene, a);
  if (expr.op === "and" && isTrue) return expr.args.reduce((known, arg) => learnt(known, arg, true), scene);
  return scene;
}

/** The scene of a row that was chosen. */
export function chosen(inner: Scene, { where }: Selection): Scene {
  return where === undefined ? inner : learnt(inner, where, true);
}

function isAbout(expr: Expr, row: Row | "call", { names }: Scene): boolean {
  for (const [name, binding] of names) {
    const own = row === "call" ? binding.kind === "param" : binding.kind === "row" && binding.row === row;
    if (own && mentions(expr, name)) return true;
  }
  return false;
}

// ── as words ─────────────────────────────────────────────────────────────────────────────────────────────

export function phrase(said: Said, form: "has" | "with"): Text {
  if (said.kind === "one" && said.self && form === "has") return said.relation.verb();
  return say`${form} ${bare(said)}`;
}

/** Without a verb: `addr` equal to "bob". */
export function bare(said: Said): Text {
  if (said.kind === "one") {
    const { noun, adjective } = said.relation;
    return noun === undefined ? say`${said.head()} ${adjective()}` : noun();
  }
  const parts = said.parts.map((part) => {
    const words = bare(part);
    return part.kind !== "one" || part.relation.loose ? say`[${words}]` : words;
  });
  if (said.kind === "all")
    return parts.length === 2
      ? say`both ${joined(parts, " and ")}`
      : say`all of [${joined(parts, ", ", " and ")}]`;
  return say`${joined(parts, " or ")} (or ${parts.length === 2 ? "both" : "several of these"})`;
}

/** The noun with what chooses its rows: calls of `email.send` with `addr` equal to "bob". */
export function filtered(noun: Text, row: Row, { where }: Selection, inner: Scene): Text {
  const named = say`${noun}${intro(row)}`;
  if (where === undefined) return named;
  const said = predicateOf(where, row, plain(inner));
  if (said !== undefined) return say`${named} ${phrase(said, "with")}`;
  return say`${named} for which ${bracketed(clause(where, inline(plain(inner))))}`;
}

export function bracketed({ text }: Clause): Text {
  return say`[${text}]`;
}
