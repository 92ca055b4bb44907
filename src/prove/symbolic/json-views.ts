/**
 * What a program looks at in JSON values that are not known: to a proof each look gives an unknown of its own, and a search
 * for a run puts the value together from them. Nothing rests on it: the run that is made from it is tried.
 */
import type { Lists } from "../loops/unbounded-list.ts";
import type { Scalar, Term } from "../terms/term.ts";
import type { OpaqueSymbolic, Symbolic } from "./symbolic-value.ts";

/** One look at a value, and what it gave. */
interface View {
  readonly op: string;
  /** Of a field: its name. */
  readonly field: string | undefined;
  readonly made: Symbolic;
}

interface Parsed {
  readonly text: Term;
  readonly made: Symbolic;
}

interface Views {
  readonly byKey: Map<string, View[]>;
  readonly parsed: Parsed[];
}

/** Of each walk, by what it knows of lists. */
const all = new WeakMap<Lists, Views>();

/** Notes what an operator gave, and returns whether it looks at JSON. */
export function noteView(lists: Lists, op: string, operands: readonly Symbolic[], made: Symbolic): boolean {
  if (op !== "parseJson" && !(op.startsWith("json") && operands[0]?.kind === "opaque")) return false;
  const views: Views = all.get(lists) ?? { byKey: new Map(), parsed: [] };
  all.set(lists, views);
  const [of, name] = operands;
  if (op === "parseJson") {
    const text = of?.kind === "scalar" ? textIn(of.term) : undefined;
    if (text !== undefined) views.parsed.push({ text, made });
    return true;
  }
  if (of?.kind !== "opaque" || of.type.kind !== "json") return true;
  const field = name?.kind === "scalar" && name.term.kind === "literal" ? String(name.term.value) : undefined;
  const { key } = lookedAt(of);
  const known = views.byKey.get(key);
  if (known === undefined) views.byKey.set(key, [{ op, field, made }]);
  else known.push({ op, field, made });
  return true;
}

/** The unknown among what it is one of. */
function lookedAt(value: OpaqueSymbolic): OpaqueSymbolic {
  for (const one of value.either ?? [])
    if (one.kind === "opaque" && !one.key.startsWith("json@")) return lookedAt(one);
  return value;
}

function textIn(term: Term): Term | undefined {
  if (term.kind === "constant") return term;
  if (term.kind !== "apply" || term.op !== "if") return undefined;
  return term.args
    .slice(1)
    .map(textIn)
    .find((one) => one !== undefined);
}

type Model = ReadonlyMap<string, Scalar>;

/** The model with the texts of the JSON values that it speaks of, and these values by their names. */
export function withJson(
  lists: Lists,
  model: Model,
): { readonly model: Model; readonly json: ReadonlyMap<string, unknown> } {
  const views = all.get(lists);
  if (views === undefined) return { model, json: new Map() };
  const more = new Map(model);
  for (const { text, made } of views.parsed) {
    if (text.kind !== "constant" || made.kind !== "option") continue;
    const isJson = heldBy(made.present, model) === true && made.value?.kind === "opaque";
    if (isJson && made.value !== undefined)
      more.set(text.name, JSON.stringify(jsonOf(views, made.value, model, 0)));
  }
  const json = new Map<string, unknown>();
  for (const key of views.byKey.keys())
    json.set(key, jsonOf(views, { kind: "opaque", key, type: { kind: "json" } }, model, 0));
  return { model: more, json };
}

/** LIMIT: of values in values. */
const deepest = 12;

function jsonOf(views: Views, value: Symbolic, model: Model, depth: number): unknown {
  if (value.kind !== "opaque" || depth > deepest) return null;
  const looks = views.byKey.get(value.key) ?? [];
  const fields: [string, unknown][] = [];
  let kind: unknown;
  let plain: unknown;
  let items: readonly unknown[] | undefined;
  for (const { op, field, made } of looks) {
    if (op === "jsonKind" && made.kind === "scalar") kind = heldBy(made.term, model);
    if (made.kind !== "option" || made.value === undefined || heldBy(made.present, model) !== true) continue;
    const found = made.value;
    if (op === "jsonField" && field !== undefined)
      fields.push([field, jsonOf(views, found, model, depth + 1)]);
    else if (op === "jsonItems") items = itemsOf(views, found, model, depth + 1);
    else if (found.kind === "scalar") plain ??= plainOf(heldBy(found.term, model), op);
  }
  if (kind === "record" || (kind === undefined && fields.length > 0)) return Object.fromEntries(fields);
  if (kind === "list" || (kind === undefined && items !== undefined)) return items ?? [];
  if (plain !== undefined) return plain;
  const samples = new Map<unknown, unknown>([
    ["string", ""],
    ["number", 0],
    ["bool", false],
  ]);
  return samples.get(kind) ?? null;
}

function itemsOf(views: Views, list: Symbolic, model: Model, depth: number): readonly unknown[] {
  if (list.kind !== "list") return [];
  return list.items
    .filter(({ present }) => heldBy(present, model) === true)
    .map(({ value }) => jsonOf(views, value, model, depth));
}

function plainOf(value: Scalar | undefined, op: string): unknown {
  if (value === undefined) return op === "jsonString" ? "" : op === "jsonNumber" ? 0 : false;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "object" ? Number(value.num) / Number(value.den) : value;
}

function heldBy(term: Term, model: Model): Scalar | undefined {
  if (term.kind === "literal") return term.value;
  if (term.kind === "constant") return model.get(term.name);
  const [a, b] = term.args.map((arg) => heldBy(arg, model));
  if (term.op === "<" && typeof a === "bigint" && typeof b === "bigint") return a < b;
  return undefined;
}
