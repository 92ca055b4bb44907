/** Operations on symbolic values of any shape: choice, equality, naming. Part of what must be trusted. */
import { valueKey } from "../../ir/index.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import { NotFollowed } from "./call-events.ts";
import { escaped, type ListSymbolic, type RecordSymbolic, type Symbolic, scalar } from "./symbolic-value.ts";

/** `yes` where the condition holds, otherwise `no`. */
export function merge(terms: Terms, condition: Term, yes: Symbolic, no: Symbolic): Symbolic {
  if (condition === terms.true || yes === no) return yes;
  if (condition === terms.false) return no;
  if (yes.kind === "scalar" && no.kind === "scalar") return scalar(terms.ite(condition, yes.term, no.term));
  if (yes.kind === "option" && no.kind === "option") {
    const value = mergeMaybe(terms, condition, yes.value, no.value);
    return { kind: "option", present: terms.ite(condition, yes.present, no.present), value };
  }
  if (yes.kind === "record" && no.kind === "record") return mergeRecords(terms, condition, yes, no);
  if (yes.kind === "list" && no.kind === "list") return mergeLists(terms, condition, yes, no);
  if (yes.kind === "opaque" && no.kind === "opaque" && yes.key === no.key) return yes;
  const type = yes.kind === "opaque" ? yes.type : no.kind === "opaque" ? no.type : undefined;
  if (type === undefined) throw new TypeError(`no choice between a ${yes.kind} and a ${no.kind}`);
  const key = terms.brief(`if(${condition.id},${keyOf(yes)},${keyOf(no)})`);
  const [some, others] = [yes, no].map((one) => (one.kind === "opaque" ? one.entries : undefined));
  if (type.kind === "map" && some !== undefined && others !== undefined)
    return { kind: "opaque", key, type, entries: mergeLists(terms, condition, some, others) };
  if (type.kind === "json") return { kind: "opaque", key, type, either: [yes, no] };
  if (type.kind === "map") return { kind: "opaque", key, type, choice: { condition, yes, no } };
  if (type.kind !== "list") return { kind: "opaque", key, type };
  return { kind: "opaque", key, type, source: { kind: "choice", condition, yes, no } };
}

function mergeMaybe(
  terms: Terms,
  condition: Term,
  yes: Symbolic | undefined,
  no: Symbolic | undefined,
): Symbolic | undefined {
  // A side without a value is never present, so what the other holds serves for both.
  return yes === undefined ? no : no === undefined ? yes : merge(terms, condition, yes, no);
}

function mergeRecords(
  terms: Terms,
  condition: Term,
  yes: RecordSymbolic,
  no: RecordSymbolic,
): RecordSymbolic {
  const fields = [...new Set([...yes.fields.keys(), ...no.fields.keys()])].map((name) => {
    const [a, b] = [yes.fields.get(name), no.fields.get(name)];
    const value = mergeMaybe(terms, condition, a?.value, b?.value);
    if (value === undefined) throw new TypeError("a field has no value");
    const present = terms.ite(condition, a?.present ?? terms.false, b?.present ?? terms.false);
    return [name, { present, value }] as const;
  });
  return { kind: "record", fields: new Map(fields) };
}

function mergeLists(terms: Terms, condition: Term, yes: ListSymbolic, no: ListSymbolic): ListSymbolic {
  if (yes.items.length === no.items.length && isWhole(terms, yes) && isWhole(terms, no)) {
    const items = yes.items.map(({ present, value }, i) => ({
      present,
      value: merge(terms, condition, value, no.items[i]?.value ?? value),
    }));
    return { kind: "list", items };
  }
  // What both begin with stays as it is: otherwise each choice whether to append would double the list.
  const common = sharedStart(yes.items, no.items);
  const under = (guard: Term, { items }: ListSymbolic) =>
    items.slice(common).map(({ present, value }) => ({ present: terms.and(guard, present), value }));
  const start = yes.items.slice(0, common);
  checkLength(yes.items.length + no.items.length - common);
  return { kind: "list", items: [...start, ...under(condition, yes), ...under(terms.not(condition), no)] };
}

/** LIMIT: lists that are chosen from or appended to one another can double in length each time. */
const mostItems = 10_000;

export function checkLength(items: number): void {
  if (items > mostItems) throw new NotFollowed(`a list of more than ${mostItems} elements`, []);
}

function sharedStart(a: ListSymbolic["items"], b: ListSymbolic["items"]): number {
  let i = 0;
  for (; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    if (x === undefined || y === undefined || x.present !== y.present) return i;
    if (x.value !== y.value && keyOf(x.value) !== keyOf(y.value)) return i;
  }
  return i;
}

/** Returns true if every element is certainly present. */
export function isWhole(terms: Terms, { items }: ListSymbolic): boolean {
  return items.every(({ present }) => present === terms.true);
}

/** A name for a value of which nothing is open: two such values are equal if and only if their names are. */
export function knownKey(terms: Terms, value: Symbolic): string | undefined {
  switch (value.kind) {
    case "scalar":
      // SOUNDNESS: the name is the value's, not the term's: 1 is one number, whatever sort it has here.
      return value.term.kind === "literal" ? valueKey(value.term.value) : undefined;
    case "option":
      if (value.present === terms.false) return "-";
      return value.present === terms.true
        ? wrapped("o", [value.value && knownKey(terms, value.value)])
        : undefined;
    case "record": {
      const there = [...value.fields].filter(([, field]) => field.present !== terms.false);
      if (there.some(([, field]) => field.present !== terms.true)) return undefined;
      const named = there
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, field]) => {
          const key = knownKey(terms, field.value);
          return key === undefined ? undefined : `${escaped(name)}:${key}`;
        });
      return wrapped("r", named);
    }
    case "list":
      if (!isWhole(terms, value)) return undefined;
      return wrapped(
        "l",
        value.items.map((item) => knownKey(terms, item.value)),
      );
    case "opaque":
      return undefined;
  }
}

/** Each part with its length before it, so that no part can be taken for two. */
function wrapped(kind: string, parts: readonly (string | undefined)[]): string | undefined {
  if (parts.includes(undefined)) return undefined;
  return `${kind}(${parts.map((part) => `${part?.length}=${part}`).join()})`;
}

/** Returns the equality of two values as a term. */
export function equalTerm(terms: Terms, a: Symbolic, b: Symbolic): Term {
  if (a.kind === "scalar" && b.kind === "scalar") return terms.equal(a.term, b.term);
  if (a.kind === "option" && b.kind === "option") {
    const both =
      a.value === undefined || b.value === undefined ? terms.false : equalTerm(terms, a.value, b.value);
    return terms.or(
      terms.and(terms.not(a.present), terms.not(b.present)),
      terms.and(a.present, b.present, both),
    );
  }
  if (a.kind === "record" && b.kind === "record") return equalRecords(terms, a, b);
  if (a.kind === "list" && b.kind === "list" && isWhole(terms, a) && isWhole(terms, b)) {
    if (a.items.length !== b.items.length) return terms.false;
    return terms.all(a.items.map(({ value }, i) => equalTerm(terms, value, b.items[i]?.value ?? value)));
  }
  const [first, second] = [keyOf(a), keyOf(b)].sort();
  return first === second ? terms.true : terms.constant(`same(${first},${second})`, "Bool");
}

/** Returns the equality of two values as far as they are made of scalars. */
export function agrees(terms: Terms, a: Symbolic, b: Symbolic): Term {
  if (a.kind === "scalar" && b.kind === "scalar") return terms.equal(a.term, b.term);
  if (a.kind === "option" && b.kind === "option") {
    const same = a.value && b.value ? agrees(terms, a.value, b.value) : terms.true;
    return terms.and(terms.equal(a.present, b.present), terms.implies(a.present, same));
  }
  if (a.kind !== "record" || b.kind !== "record") return terms.true;
  return terms.all(
    [...a.fields].map(([name, field]) => {
      const other = b.fields.get(name);
      if (other === undefined) return terms.not(field.present);
      const same = agrees(terms, field.value, other.value);
      return terms.and(terms.equal(field.present, other.present), terms.implies(field.present, same));
    }),
  );
}

function equalRecords(terms: Terms, a: RecordSymbolic, b: RecordSymbolic): Term {
  const names = [...new Set([...a.fields.keys(), ...b.fields.keys()])];
  return terms.all(
    names.map((name) => {
      const [left, right] = [a.fields.get(name), b.fields.get(name)];
      const [here, there] = [left?.present ?? terms.false, right?.present ?? terms.false];
      const same = left && right ? equalTerm(terms, left.value, right.value) : terms.false;
      return terms.or(terms.and(terms.not(here), terms.not(there)), terms.and(here, there, same));
    }),
  );
}

/** SOUNDNESS: values with one key are built from the same terms in the same way, so they are equal. */
export function keyOf(value: Symbolic): string {
  switch (value.kind) {
    case "scalar":
      return `t${value.term.id}`;
    case "option":
      return `o(${value.present.id}${value.value === undefined ? "" : `,${keyOf(value.value)}`})`;
    case "record":
      return `r(${[...value.fields].map(([name, field]) => `${escaped(name)}:${field.present.id}:${keyOf(field.value)}`).join(",")})`;
    case "list":
      return `l(${value.items.map((item) => `${item.present.id}:${keyOf(item.value)}`).join(",")})`;
    case "opaque":
      return `q${value.key.length}:${value.key}`;
  }
}
