/**
 * Lists of entries with a key and a value, as which a `Map` of a program is kept: what is found at a key.
 * SOUNDNESS: what stands at a key is the first entry with it. Of a list of which nothing is known it is an unknown that
 * agrees with every entry that is looked at, and only where no two entries have one key.
 * Part of what must be trusted.
 */
import type { Type } from "../../ir/index.ts";
import type { Scene } from "../symbolic/compile.ts";
import { agrees, equalTerm, merge } from "../symbolic/shape.ts";
import { fresh, type OpaqueSymbolic, type Symbolic, scalar, sortOf } from "../symbolic/symbolic-value.ts";
import type { Sort, Term } from "../terms/term.ts";
import { distinctPart } from "./visited.ts";

/** The value at a key, if the condition holds. */
export interface AtKey {
  readonly present: Term;
  readonly value: Symbolic | undefined;
}

/** Returns the sort of the keys and the type of the values, of elements that are entries. */
export function entryOf(type: Type): { readonly sort: Sort; readonly value: Type } | undefined {
  if (type.kind !== "record" || type.fields.length !== 2) return undefined;
  const [key, value] = ["key", "value"].map((wanted) => type.fields.find(({ name }) => name === wanted));
  const sort = key && sortOf(key.type);
  if (key === undefined || value === undefined || key.optional || value.optional) return undefined;
  return sort === undefined || sort === "Bool" ? undefined : { sort, value: value.type };
}

/** Undefined where it is not known. */
export function entryAt(list: Symbolic, key: Term, type: Type, scene: Scene): AtKey | undefined {
  const { terms } = scene;
  const absent: AtKey = { present: terms.false, value: undefined };
  if (list.kind === "list") {
    let found = absent;
    for (const { present, value } of [...list.items].reverse()) {
      const entry = partsOf(value);
      if (entry === undefined) return undefined;
      const here: AtKey = {
        present: terms.and(present, equalTerm(terms, entry.key, scalar(key))),
        value: entry.value,
      };
      found = firstOf(here, found, scene);
    }
    return found;
  }
  if (list.kind !== "opaque") return undefined;
  const { source } = list;
  switch (source?.kind) {
    case "joined": {
      let found = absent;
      for (const part of [...source.parts].reverse()) {
        const here = entryAt(part, key, type, scene);
        if (here === undefined) return undefined;
        found = firstOf(here, found, scene);
      }
      return found;
    }
    case "choice": {
      const [yes, no] = [source.yes, source.no].map((one) => entryAt(one, key, type, scene));
      return yes && no && chosen(source.condition, yes, no, scene);
    }
    case "map": {
      if (!keepsKeys(source.apply, key.sort, type, scene)) return undefined;
      const before = entryAt(source.of, key, type, scene);
      if (before?.value === undefined) return before;
      const made = partsOf(source.apply(entry(scene, key, before.value)));
      return made && { present: before.present, value: made.value };
    }
    case "part":
    case "entries":
    case "range":
    case "flat":
      return undefined;
    case "collected":
    case "previous":
    case undefined:
      return distinctPart(list) === "key" ? unknownAt(list, key, type, scene) : undefined;
  }
}

/** SOUNDNESS: what is there is an element of the list, so that all is true of it that is true of every element. */
function unknownAt(list: OpaqueSymbolic, key: Term, type: Type, scene: Scene): AtKey {
  const { terms, lists, constrain } = scene;
  const found = lists.onceValue(`${list.key} at key t${key.id}`, () => {
    const name = terms.brief(`entry(${list.key})#t${key.id}`);
    const present = terms.constant(`${name}?`, "Bool");
    const value = fresh(terms, name, type, (term) => constrain(terms.implies(present, term)));
    const rule = (element: Symbolic, made: Term): Term => {
      const parts = partsOf(element);
      if (parts === undefined) return terms.true;
      const same = terms.and(made, equalTerm(terms, parts.key, scalar(key)));
      return terms.implies(same, terms.and(present, agrees(terms, parts.value, value)));
    };
    const own = { made: present, value: entry(scene, key, value) };
    lists.applyRules(list, own, constrain);
    lists.everyElement(list, rule, constrain);
    lists.addChosen(list, own);
    return { kind: "option", present, value };
  });
  if (found.kind !== "option") throw new TypeError("an option was kept");
  return found;
}

/** SOUNDNESS: of any entry whatever, so that no entry gets the key of another. */
function keepsKeys(apply: (value: Symbolic) => Symbolic, sort: Sort, type: Type, scene: Scene): boolean {
  const { terms } = scene;
  const number = scene.count();
  const key = terms.constant(`any key@${number}`, sort);
  const value = fresh(terms, `any value@${number}`, type, () => undefined);
  const made = partsOf(apply(entry(scene, key, value)));
  return made?.key.kind === "scalar" && made.key.term === key;
}

function firstOf(first: AtKey, otherwise: AtKey, scene: Scene): AtKey {
  return {
    present: scene.terms.or(first.present, otherwise.present),
    value: either(first.present, first.value, otherwise.value, scene),
  };
}

function chosen(condition: Term, yes: AtKey, no: AtKey, scene: Scene): AtKey {
  return {
    present: scene.terms.ite(condition, yes.present, no.present),
    value: either(condition, yes.value, no.value, scene),
  };
}

function either(
  condition: Term,
  yes: Symbolic | undefined,
  no: Symbolic | undefined,
  { terms }: Scene,
): Symbolic | undefined {
  return yes === undefined ? no : no === undefined ? yes : merge(terms, condition, yes, no);
}

function entry({ terms }: Scene, key: Term, value: Symbolic): Symbolic {
  const fields = [
    ["key", { present: terms.true, value: scalar(key) }],
    ["value", { present: terms.true, value }],
  ] as const;
  return { kind: "record", fields: new Map(fields) };
}

function partsOf(element: Symbolic): { readonly key: Symbolic; readonly value: Symbolic } | undefined {
  const [key, value] =
    element.kind === "record" ? [element.fields.get("key"), element.fields.get("value")] : [];
  return key && value && { key: key.value, value: value.value };
}
