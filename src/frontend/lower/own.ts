/**
 * Values of the run that a program changes in place. In JavaScript an object that was taken out of another is the same
 * object; here it is a value of its own. So a value remembers its place in the variable that it was taken from, and a
 * change of it is written there too. Whatever would let two places hold one object without knowing is refused.
 *
 * SOUNDNESS: `sharedFrom` says from which depth on parts of a variable may be held elsewhere; nothing at that depth or
 * below it is ever changed in place.
 */
import type { Expr } from "../../ir/index.ts";
import { choose, field, listExpr, none, num, op, recordExpr, same, some, variable, yes } from "../build.ts";
import {
  fieldTy,
  isOptional,
  joinTy,
  listLike,
  type MapTy,
  mapTy,
  optionTy,
  type RecordTy,
  sameTy,
  type Ty,
  tyText,
} from "../ty.ts";
import { type DataVal, data, type Link, type Place, type Step, type Val } from "../value.ts";
import type { Lowering } from "./core.ts";
import { asType, mixed, namedField, reify, typedField, withPlainWords } from "./data.ts";
import { withoutNaN } from "./not-a-number.ts";

type At = { readonly start: number; readonly end: number };

/** Returns true if JavaScript can change a value of the type in place. */
export function isMutable(type: Ty): boolean {
  if (type.kind === "option") return isMutable(type.value);
  return type.kind === "list" || type.kind === "map" || type.kind === "record";
}

/** The type of what values of this type hold. */
export function partsOf(type: Ty): readonly Ty[] {
  switch (type.kind) {
    case "option":
      return partsOf(type.value);
    case "list":
      return [type.element];
    case "map":
      return [type.value];
    case "record":
      return type.fields.map((one) => one.type);
    default:
      return [];
  }
}

/** A part of a value, which knows where it is if the whole does. */
export function inside(of: DataVal, step: Step, part: DataVal): DataVal {
  if (of.place === undefined || !isMutable(part.type)) return part;
  return { ...part, place: { ...of.place, path: [...of.place.path, step] } };
}

export const held: Step = { kind: "some" };

export function depthOf(path: readonly Step[]): number {
  return path.filter((step) => step.kind !== "some").length;
}

/** The value, without knowing where it is: its receiver may keep it. */
export function letGo(low: Lowering, val: Val, deeper = 0): Val {
  if (val.kind === "items") {
    if (!val.items.some((item) => item.kind === "data" && (item.place ?? item.hold))) return val;
    return { kind: "items", items: val.items.map((item) => letGo(low, item, deeper)) };
  }
  if (val.kind !== "data" || val.place === undefined) return val;
  const { place, hold: _, ...plain } = val;
  const isShared = deeper === 0 ? isMutable(val.type) : partsOf(val.type).some(isMutable);
  if (isShared) share(low, place.slot, depthOf(place.path) + deeper);
  return plain;
}

/** The value for somebody who only looks at it: keeps neither it nor a part of it, so it need not be told apart from a copy. */
export function looked(val: Val): Val {
  if (val.kind !== "data" || (val.place === undefined && val.hold === undefined)) return val;
  const { place: _, hold: __, ...plain } = val;
  return plain;
}

/** Notes that parts of what the slot holds are held elsewhere too, from that depth on. */
export function share(low: Lowering, slot: number, depth: number): void {
  if (depth === 0) low.freeze(slot);
  const before = low.sharedFrom.get(slot) ?? 1;
  if (depth < before) low.sharedFrom.set(slot, depth);
  const val = low.state.get(slot);
  if (val?.kind === "data" && typeof val.hold === "object")
    share(low, val.hold.slot, depthOf(val.hold.path) + depth);
  const choice = low.choices.get(slot);
  if (choice === undefined) return;
  share(low, choice.yes, depth);
  share(low, choice.no, depth);
}

/** Tells everyone that the array or object was put into that it is elsewhere too. */
export function shareStored(low: Lowering, slot: number): void {
  for (const [holder, slots] of low.stored) if (slots.has(slot)) share(low, holder, 1);
}

/** A slot whose value nobody else holds any part of. */
export function ownSlot(low: Lowering, slot: number): number {
  low.sharedFrom.set(slot, Number.POSITIVE_INFINITY);
  return slot;
}

/**
 * Returns true if the value is the slot's part at that path, or new: a variable that is part of it, or a choice
 * between that and something new. Then the variable is linked to that part.
 */
export function putBack(
  low: Lowering,
  val: Val,
  slot: number,
  path: readonly Step[],
): ((seen: Val) => void) | undefined {
  if (val.kind !== "data" || val.place === undefined || val.place.path.some((step) => step.kind !== "some"))
    return undefined;
  const home = val.place.slot;
  const own = low.state.get(home);
  if (own?.kind !== "data" || typeof own.hold !== "object" || own !== val.place.seen) return undefined;
  const { hold } = own;
  if (hold.slot !== slot || !samePath(solid(hold.path), solid(path))) return undefined;
  if ((low.sharedFrom.get(home) ?? 1) < 1) return undefined;
  return (seen) => {
    low.state.set(home, { ...own, hold: { ...hold, guard: yes, seen } });
  };
}

/**
 * Links variables that hold an array or object to the place that it was put into: from now on it is changed there.
 * Other names know it by its slots, which are frozen, and outdated once it is changed.
 */
export function relink(low: Lowering, val: Val, made: DataVal, slot: number, path: readonly Step[]): void {
  const seen = low.state.get(slot);
  if (val.kind !== "ref" || low.mode.kind !== "program" || seen?.kind !== "data") return;
  if (val.shape.kind === "date") return;
  if ((low.sharedFrom.get(slot) ?? 1) <= depthOf(path)) return;
  const { place: _, hold: __, ...plain } = made;
  for (const [variable, held] of low.state) {
    if (held !== val || variable === slot || low.constants.has(variable)) continue;
    low.state.set(variable, { ...plain, hold: { slot, path, guard: yes, seen } });
    ownSlot(low, variable);
  }
}

function solid(path: readonly Step[]): readonly Step[] {
  return path.filter((step) => step.kind !== "some");
}

/** From which depth on parts of it may be held by someone else. */
export function sharedDepth(low: Lowering, val: Val): number {
  switch (val.kind) {
    case "data":
      if (!isMutable(val.type)) return Number.POSITIVE_INFINITY;
      return val.hold === "own" && val.place === undefined ? Number.POSITIVE_INFINITY : 0;
    case "items":
      return 1 + Math.min(Number.POSITIVE_INFINITY, ...val.items.map((item) => sharedDepth(low, item)));
    case "ref": {
      const { shape } = val;
      // What was put somewhere before is there too.
      if (slotsOf(val).some((slot) => low.frozen.has(slot))) return 0;
      if (shape.kind === "object")
        return (
          1 +
          Math.min(
            Number.POSITIVE_INFINITY,
            ...[...shape.fields.values()].map((slot) => sharedDepth(low, low.read(slot))),
          )
        );
      const inner = low.state.get(shape.slot);
      if (inner?.kind === "items") return sharedDepth(low, inner);
      if (inner?.kind === "data" && !partsOf(inner.type).some(isMutable)) return Number.POSITIVE_INFINITY;
      return low.sharedFrom.get(shape.slot) ?? 1;
    }
    default:
      return 0;
  }
}

/** A slot that may be read and changed under a name; undefined if a plain constant will do. */
export function homeOf(low: Lowering, val: Val): number | undefined {
  if (val.kind !== "data" || !isMutable(val.type) || low.mode.kind !== "program") return undefined;
  const { place } = val;
  if (place === undefined) {
    if (val.hold !== "own") return undefined;
    return ownSlot(low, low.newSlot(val));
  }
  if (place.path.length === 0 && low.unnamed.delete(place.slot)) return place.slot;
  checkSeen(low, place, { start: 0, end: 0 });
  const { place: _, hold: __, ...plain } = val;
  return linked(low, plain, { slot: place.slot, path: place.path, guard: yes, seen: place.seen });
}

function linked(low: Lowering, val: DataVal, hold: Link): number {
  const slot = low.newSlot(val);
  low.state.set(slot, { ...val, hold });
  return ownSlot(low, slot);
}

/** Two values, of which the condition chose one, where the first has a place. Undefined if that cannot be known. */
export function chosenPlace(
  low: Lowering,
  guard: Expr,
  from: Place,
  merged: DataVal,
  other: Val,
): DataVal | undefined {
  if (low.mode.kind !== "program" || low.state.get(from.slot) !== from.seen) return undefined;
  const slot = linked(low, merged, { slot: from.slot, path: from.path, guard, seen: from.seen });
  low.unnamed.add(slot);
  low.mayBe(slot, [...slotsWithin(low, other)]);
  const found = low.read(slot);
  return found.kind === "data" ? found : undefined;
}

/** The slots of a value and of all its parts. */
function slotsWithin(low: Lowering, val: Val, found = new Set<number>()): ReadonlySet<number> {
  if (val.kind === "items") for (const item of val.items) slotsWithin(low, item, found);
  for (const slot of slotsOf(val)) {
    if (found.has(slot)) continue;
    found.add(slot);
    const held = low.state.get(slot);
    if (held !== undefined) slotsWithin(low, held, found);
  }
  return found;
}

function slotsOf(val: Val): number[] {
  if (val.kind !== "ref") return [];
  return val.shape.kind === "object" ? [...val.shape.fields.values()] : [val.shape.slot];
}

function checkSeen(low: Lowering, place: Place | Link, node: At): void {
  if (low.state.get(place.slot) === place.seen) return;
  low.refuse(
    node,
    "FC2312",
    "what this was taken from has changed since",
    "take it out again after the change, or change a copy",
  );
}

/** Returns true if the slot's value is no longer the one that it was linked to. */
export function isOutdated(low: Lowering, val: Val): boolean {
  return (
    val.kind === "data" && typeof val.hold === "object" && low.state.get(val.hold.slot) !== val.hold.seen
  );
}

/** Changes what is at the place: `make` gives the new value for the present one. */
export function storeAt(low: Lowering, place: Place, value: DataVal, node: At): void {
  checkSeen(low, place, node);
  if (value.type.kind === "list") low.changedParts.push(wholePlace(low, place));
  const depth = depthOf(place.path);
  if (depth > 0) mayChange(low, place.slot, depth, node);
  const root = low.state.get(place.slot);
  if (root?.kind !== "data") low.refuse(node, "FC2312", "this cannot be changed here");
  const whole = rebuilt(low, root, place.path, value, node);
  const hold = root.hold === "own" ? { hold: root.hold } : {};
  low.write(place.slot, { ...named(low, whole, place.slot, node), ...hold }, node, true);
}

function named(low: Lowering, val: DataVal, slot: number, node: At): DataVal {
  return data(low.named(val.expr, low.slotNames.get(slot) ?? "changed", node), val.type);
}

/** SOUNDNESS: refuses to change in place what someone else may hold. */
export function mayChange(low: Lowering, slot: number, depth: number, node: At): void {
  if ((low.sharedFrom.get(slot) ?? 1) <= depth)
    low.refuse(
      node,
      "FC2312",
      "this changes an object that may be held elsewhere too, which would not see the change",
      "build a new value with `[...list, item]` or `{ ...object, field }`, and set it",
    );
  for (const inner of low.stored.get(slot) ?? []) low.outdate(inner, node);
  // A part of a part is held elsewhere too where its holder says so.
  const held = low.state.get(slot);
  if (held?.kind === "data" && typeof held.hold === "object")
    mayChange(low, held.hold.slot, depthOf(held.hold.path) + depth, node);
}

/** Writes a linked slot's new value through to where it is an alias of. */
export function writtenThrough(low: Lowering, link: Link, value: Val, node: At): DataVal {
  const leaf = reify(low, value, node, true);
  checkSeen(low, link, node);
  mayChange(low, link.slot, depthOf(link.path), node);
  const parent = low.state.get(link.slot);
  if (parent?.kind !== "data") return low.refuse(node, "FC2312", "this cannot be changed here");
  const { place: _, hold: __, ...plain } = leaf;
  const known = data(low.named(leaf.expr, "changed", node), leaf.type);
  const whole = rebuilt(low, parent, link.path, known, node);
  const before = asType(low, parent, whole.type);
  if (before === undefined) return low.refuse(node, "FC2107", "this changes the type of what it is part of");
  const next = data(
    low.named(choose(link.guard, whole.expr, before), low.slotNames.get(link.slot) ?? "changed", node),
    whole.type,
  );
  low.write(link.slot, { ...next, ...(parent.hold === "own" && { hold: parent.hold }) }, node, true);
  const seen = low.state.get(link.slot) ?? next;
  return { ...plain, expr: known.expr, hold: { ...link, seen } };
}

/** Unwraps a value that is changed in place, which cannot be `undefined`. */
function there(val: DataVal): DataVal {
  return isOptional(val.type) ? data(op("value", val.expr), val.type.value) : val;
}

/** The value with another in the place of one of its parts. */
export function rebuilt(low: Lowering, of: DataVal, path: readonly Step[], leaf: DataVal, node: At): DataVal {
  const [step, ...rest] = path;
  if (step === undefined) return leaf;
  switch (step.kind) {
    case "some": {
      // The value of a key may be absent only as long as nobody looked for it.
      if (of.type.kind !== "option") return rebuilt(low, of, rest, leaf, node);
      const value = rebuilt(low, data(op("value", of.expr), of.type.value), rest, leaf, node);
      return data(some(value.expr), optionTy(value.type, of.type.absent));
    }
    case "field":
      return withField(low, of, step.name, rest, leaf, node);
    case "key": {
      if (of.type.kind !== "map") break;
      const old = data(op("value", op("mapGet", of.expr, step.key)), of.type.value);
      return withKey(
        low,
        { ...of, type: of.type },
        step.key,
        there(rebuilt(low, old, rest, leaf, node)),
        node,
      );
    }
    case "entry":
      return withEntry(low, of, step.key, rest, leaf, node);
    case "index": {
      if (of.type.kind !== "list") break;
      const old = data(op("value", op("at", of.expr, step.at)), of.type.element);
      const isOption = of.type.element.kind === "option";
      const made = rebuilt(low, old, rest, leaf, node);
      return withElement(low, of, step.at, isOption ? made : there(made), node);
    }
  }
  return low.refuse(node, "FC2312", `a part of \`${tyText(of.type)}\` cannot be changed here`);
}

/**
 * The part of a value at the path, as what it is read as: what holds it is there. Undefined where that cannot be said.
 * @param wanted the type that it had when it was read; one that may be `undefined` says that it may be absent
 */
export function partAt(low: Lowering, of: DataVal, path: readonly Step[], wanted: Ty): DataVal | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return sameTy(of.type, wanted) ? data(of.expr, of.type) : undefined;
  const isLast = rest.length === 0 && wanted.kind === "option" && wanted.absent === "undefined";
  const part = stepInto(low, of, step, isLast);
  return part && partAt(low, part, rest, wanted);
}

function stepInto(low: Lowering, of: DataVal, step: Step, isOption: boolean): DataVal | undefined {
  const { expr, type } = of;
  switch (step.kind) {
    case "some":
      return isOption ? undefined : there(data(expr, type));
    case "field": {
      const mine = type.kind === "record" && !type.tuple ? fieldTy(type, step.name) : undefined;
      return mine && data(typedField(expr, step.name, mine), mine);
    }
    case "key":
      if (type.kind !== "map") return undefined;
      return maybe(op("mapGet", expr, step.key), type.value, isOption);
    case "entry": {
      const entry = type.kind === "list" && type.element.kind === "record" ? type.element : undefined;
      const value = entry && fieldTy(entry, "value");
      if (value === undefined) return undefined;
      const found = op("find", expr, entryTest(low, step.key));
      const held = field(op("value", found), "value");
      return isOption ? maybe(choose(op("isSome", found), some(held), none), value, true) : data(held, value);
    }
    case "index":
      if (type.kind !== "list" || type.element.kind === "option") return undefined;
      return maybe(op("at", expr, step.at), type.element, isOption);
  }
}

function maybe(option: Expr, type: Ty, isOption: boolean): DataVal {
  return isOption ? data(option, optionTy(type, "undefined")) : data(op("value", option), type);
}

/** The test for the entry of a `Map` with that key. */
function entryTest(low: Lowering, key: Expr): Expr {
  const name = low.names.fresh("entry");
  return { kind: "lambda", params: [{ name }], body: op("==", field(variable(name), "key"), key) };
}

function withField(
  low: Lowering,
  of: DataVal,
  name: string,
  rest: readonly Step[],
  leaf: DataVal,
  node: At,
): DataVal {
  if (of.type.kind !== "record" || of.type.tuple)
    return low.refuse(node, "FC2312", `a field of \`${tyText(of.type)}\` cannot be changed here`);
  const type: RecordTy = of.type;
  const mine = fieldTy(type, name);
  if (mine === undefined)
    return low.refuse(
      node,
      "FC2312",
      `the object was made without the field \`${name}\``,
      `give \`${name}\` a first value where the object is made`,
    );
  const old = data(typedField(of.expr, name, mine), mine);
  const made = rebuilt(low, old, rest, leaf, node);
  const part = widened(low, made, mine, node);
  const fields = type.fields.map((one) =>
    one.name === name
      ? namedField(name, part.expr, part.type)
      : namedField(one.name, typedField(of.expr, one.name, one.type), one.type),
  );
  const types = type.fields.map((one) => (one.name === name ? { name, type: part.type } : one));
  return data(recordExpr(fields), { kind: "record", fields: types });
}

/** The value as one of the type that it takes the place of, or of a wider one. */
function widened(low: Lowering, value: DataVal, before: Ty, node: At): DataVal {
  const type = joinTy(before, value.type) ?? mixedOf(before, value.type);
  const expr = type && asType(low, value, type);
  // Beside values of other kinds a number must be one, since JSON has no `NaN`.
  const sure =
    type === undefined ? withoutNaN(low, value, node, "a value beside those of other kinds") : undefined;
  if (sure !== undefined && sure !== value) return widened(low, sure, before, node);
  if (type === undefined || expr === undefined)
    return low.refuse(
      node,
      "FC2107",
      `this was \`${tyText(before)}\` and becomes \`${tyText(value.type)}\``,
      "keep values of one type in one place",
    );
  return data(expr, type);
}

/** Values of different kinds in one place are JSON values together. */
function mixedOf(before: Ty, now: Ty): Ty | undefined {
  return isOptional(before) || isOptional(now) ? undefined : mixed(before, now);
}

export function withKey(
  low: Lowering,
  of: DataVal & { readonly type: MapTy },
  key: Expr,
  value: DataVal,
  node: At,
): DataVal {
  const made = widened(low, withPlainWords(value), of.type.value, node);
  const type = mapTy(made.type);
  const whole = asType(low, of, type);
  if (whole === undefined || isOptional(made.type))
    return low.refuse(
      node,
      "FC2107",
      "a value that may be `undefined` cannot be kept in an object with computed keys",
      "check it first",
    );
  return data(op("mapSet", whole, key, made.expr), type);
}

function withElement(low: Lowering, of: DataVal, at: Expr, value: DataVal, node: At): DataVal {
  if (of.type.kind !== "list") return low.refuse(node, "FC2312", "only a list has elements");
  const made = widened(low, withPlainWords(value), of.type.element, node);
  const type = listLike(of.type, made.type);
  const whole = asType(low, of, type);
  if (whole === undefined) return low.refuse(node, "FC2107", "a list holds values of one type");
  const list = low.named(whole, "list", node);
  const [before, after] = [
    op("slice", list, num(0n), at),
    op("slice", list, op("+", at, num(1n)), op("length", list)),
  ];
  return data(op("++", before, listExpr([made.expr]), after), type);
}

/** The entries of a `Map` with the value of one key replaced, which is there. */
function withEntry(
  low: Lowering,
  of: DataVal,
  key: Expr,
  rest: readonly Step[],
  leaf: DataVal,
  node: At,
): DataVal {
  const entry = of.type.kind === "list" ? of.type.element : undefined;
  if (of.type.kind !== "list" || entry?.kind !== "record")
    return low.refuse(node, "FC2312", "an entry of this `Map` cannot be changed here");
  const [keyTy, valueTy] = [fieldTy(entry, "key"), fieldTy(entry, "value")];
  if (keyTy === undefined || valueTy === undefined)
    return low.refuse(node, "FC2312", "an entry of this `Map` cannot be changed here");
  const old = data(field(op("value", op("find", of.expr, entryTest(low, key))), "value"), valueTy);
  const made = widened(low, withPlainWords(there(rebuilt(low, old, rest, leaf, node))), valueTy, node);
  const type = listLike(of.type, {
    ...entry,
    fields: entry.fields.map((one) => (one.name === "value" ? { ...one, type: made.type } : one)),
  });
  const whole = asType(low, of, type);
  if (whole === undefined)
    return low.refuse(node, "FC2107", "a `Map` must hold values of one type", "use two maps");
  const item = low.names.fresh("entry");
  const value = low.named(made.expr, "changed", node);
  const body = choose(
    op("==", field(variable(item), "key"), key),
    recordExpr([
      { name: "key", value: field(variable(item), "key") },
      { name: "value", value },
    ]),
    variable(item),
  );
  return data(op("map", whole, { kind: "lambda", params: [{ name: item }], body }), type);
}

/** A part by the slot that holds all of what it is part of. */
export interface WholePlace {
  readonly slot: number;
  readonly path: readonly Step[];
}

export function wholePlace(low: Lowering, { slot, path }: Place): WholePlace {
  const held = low.state.get(slot);
  const hold = held?.kind === "data" && typeof held.hold === "object" ? held.hold : undefined;
  if (hold === undefined) return { slot, path: solid(path) };
  const outer = wholePlace(low, hold);
  return { slot: outer.slot, path: [...outer.path, ...solid(path)] };
}

export function mayBeSamePlace(a: WholePlace, b: WholePlace): boolean {
  if (a.slot !== b.slot || a.path.length !== b.path.length) return false;
  return a.path.every((step, i) => {
    const other = b.path[i];
    if (other === undefined) return false;
    if (step.kind === "field" && other.kind === "field") return step.name === other.name;
    const [x, y] = [keyIn(step), keyIn(other)];
    return x?.kind !== "string" || y?.kind !== "string" || x.value === y.value;
  });
}

function keyIn(step: Step): Expr | undefined {
  if (step.kind === "index") return step.at;
  return step.kind === "key" || step.kind === "entry" ? step.key : undefined;
}

export function samePath(a: readonly Step[], b: readonly Step[]): boolean {
  return (
    a.length === b.length &&
    a.every((step, i) => {
      const other = b[i];
      if (other === undefined || step.kind !== other.kind) return false;
      if (step.kind === "some") return true;
      if (step.kind === "field" && other.kind === "field") return step.name === other.name;
      if (step.kind === "index" && other.kind === "index") return same(step.at, other.at);
      return "key" in step && "key" in other && same(step.key, other.key);
    })
  );
}
