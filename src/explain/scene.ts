/** The names in sight at a place of a formula, and the words for rows of relations. */
import {
  answerLabel,
  type Checked,
  type Expr,
  type Moment,
  printLabel,
  printName,
  type Relation,
  type Selection,
  type Type,
} from "../ir/index.ts";
import { atom, intro, say, type Text, type Thing } from "./text.ts";
import { codeText, quotedText } from "./visible.ts";

export interface SentenceOptions {
  /** Everything: long lists and texts are written out, and the sentence is not cut. */
  readonly full?: boolean;
}

/** The meaning of a name in a formula. */
export type Binding =
  | { readonly kind: "row"; readonly row: Row }
  /** A number or a value with a letter. */
  | { readonly kind: "thing"; readonly thing: Thing }
  | { readonly kind: "input" }
  /** A parameter of the tool whose clause is read. */
  | { readonly kind: "param" }
  /** A variable of the program. */
  | { readonly kind: "local" };

export interface Row extends Thing {
  readonly relation: Relation;
}

export interface Scene {
  readonly checked: Checked;
  readonly options: SentenceOptions;
  readonly names: ReadonlyMap<string, Binding>;
  /** The row that the words around this place are about, and how its fields are spoken of. */
  readonly subject?: { readonly row: Row | "call"; readonly its: "" | "its " };
  /** Options that are known to be present here, in text form. */
  readonly present: ReadonlySet<string>;
  /** The state that `now` is: each in turn below `always`, and for a clause of a tool the one before the call. */
  readonly now: "each" | "before";
  /** The number prefix of parts, or undefined where they stand in brackets. */
  readonly number: string | undefined;
}

export function typeOf(scene: Scene, expr: Expr): Type | undefined {
  return scene.checked.types.get(expr);
}

/** The scene with a row bound; if another in sight is called the same, both need letters to be told apart. */
export function bindRow(scene: Scene, { var: name, in: relation }: Selection): { row: Row; inner: Scene } {
  const noun = nounKey(relation);
  const row: Row = {
    relation,
    again: say`that ${singular(relation)}`,
    alike: false,
    mentioned: false,
    lettered: false,
  };
  for (const binding of scene.names.values()) {
    if (binding.kind !== "row" || nounKey(binding.row.relation) !== noun) continue;
    binding.row.alike = true;
    row.alike = true;
  }
  const names = new Map(scene.names).set(name, { kind: "row", row });
  return { row, inner: { ...plain(scene), names } };
}

/** A thing with a letter. */
export function bindThing(scene: Scene, name: string): { thing: Thing; inner: Scene } {
  const thing: Thing = { again: "", alike: false, mentioned: true, lettered: true };
  const names = new Map(scene.names).set(name, { kind: "thing", thing });
  return { thing, inner: { ...plain(scene), names } };
}

/** Without a subject: rows are spoken of from outside. */
export function plain({ subject: _, ...scene }: Scene): Scene {
  return scene;
}

export function about(scene: Scene, row: Row | "call", its: "" | "its " = ""): Scene {
  return { ...scene, subject: { row, its } };
}

/** The depth of brackets. */
export function inline(scene: Scene): Scene {
  return { ...scene, number: undefined };
}

// ── names and nouns ──────────────────────────────────────────────────────────────────────────────────────

export const nameWord = (name: string): Text => atom(codeText(printName(name)));
export const fieldWord = (path: readonly string[]): Text => atom(codeText(path.map(printLabel).join(".")));

/** One of its rows, after an article. */
export function singular(relation: Relation): Text {
  switch (relation.kind) {
    case "calls":
      return nameWord(relation.tool);
    case "label":
      if (relation.label === answerLabel) return say`answer or note`;
      return say`call labeled ${atom(quotedText(relation.label))}`;
    case "rows":
      return say`row returned by ${nameWord(relation.tool)}`;
    case "cells":
      return nameWord(relation.fluent);
  }
}

/** The indefinite article before `singular`. */
export function article(relation: Relation): "a" | "an" {
  return /^(?!us|uni|eu|one)[aeiou]/i.test(firstWord(relation)) ? "an" : "a";
}

function firstWord(relation: Relation): string {
  switch (relation.kind) {
    case "calls":
      return relation.tool;
    case "label":
      return relation.label === answerLabel ? "answer" : "call";
    case "rows":
      return "row";
    case "cells":
      return relation.fluent;
  }
}

/** Several of its rows. */
export function plural(relation: Relation, one = false): Text {
  const s = one ? "" : "s";
  switch (relation.kind) {
    case "calls":
      return say`call${s} of ${nameWord(relation.tool)}`;
    case "label":
      if (relation.label === answerLabel) return say`answer${s} or note${s}`;
      return say`call${s} labeled ${atom(quotedText(relation.label))}`;
    case "rows":
      return say`row${s} returned by ${nameWord(relation.tool)}`;
    case "cells":
      return say`key${s} of ${nameWord(relation.fluent)}`;
  }
}

/** Returns the words before a statement about cells that name the state. */
export function momentOf(relation: Relation): string {
  return relation.kind === "cells" ? moments[relation.at] : "";
}

const moments: Readonly<Record<Moment, string>> = {
  initial: "at the start, ",
  now: "",
  final: "at the end, ",
};

/** The verb for what is done with a row of the relation. */
export function happens(relation: Relation): string {
  return { calls: "is called", label: "is made", rows: "is there", cells: "is there" }[relation.kind];
}

/** `email.send` (call it A). */
export function introduced(row: Row): Text {
  return say`${singular(row.relation)}${intro(row)}`;
}

function nounKey(relation: Relation): string {
  return JSON.stringify(relation);
}
