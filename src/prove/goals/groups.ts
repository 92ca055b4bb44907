/**
 * Rows by their keys. Keys that are known before the run are told apart without comparing each with each, so that
 * what is said of thousands of calls with constant arguments costs no more than looking at each.
 * Part of what must be trusted.
 */

import { equalTerm, keyOf, knownKey } from "../symbolic/shape.ts";
import type { Symbolic } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";

interface Keyed<T> {
  readonly present: Term;
  readonly value: T;
}

export interface Group<T> {
  readonly key: Symbolic;
  /** The condition that a row with this key is present. */
  readonly present: Term;
  /** All rows whose keys may be equal to it. */
  readonly members: readonly Keyed<T>[];
}

/** One group for every way in which a key is written. */
export function groupsOf<T>(
  terms: Terms,
  rows: readonly Keyed<T>[],
  key: (value: T) => Symbolic,
): Group<T>[] {
  const byKey = new Map<string, { key: Symbolic; known: boolean; rows: Keyed<T>[] }>();
  const open: Keyed<T>[] = [];
  for (const row of rows) {
    const at = key(row.value);
    const name = knownKey(terms, at);
    const slot = name === undefined ? `open ${keyOf(at)}` : `known ${name}`;
    const group = byKey.get(slot);
    if (group === undefined) byKey.set(slot, { key: at, known: name !== undefined, rows: [row] });
    else group.rows.push(row);
    if (name === undefined) open.push(row);
  }
  return Array.from(byKey.values(), (group) => ({
    key: group.key,
    present: terms.any(group.rows.map((row) => row.present)),
    // SOUNDNESS: two known keys are equal only if they have one name, so the others cannot be members.
    members: group.known ? [...group.rows, ...open] : rows,
  }));
}

/** Returns the terms "no two rows have the same key". */
export function rowsApart(terms: Terms, rows: readonly Keyed<Symbolic>[]): Term[] {
  const apart: Term[] = [];
  const open: Keyed<Symbolic>[] = [];
  const met: Keyed<Symbolic>[] = [];
  const known = new Map<string, Term[]>();
  for (const row of rows) {
    const name = knownKey(terms, row.value);
    if (name === undefined) {
      open.push(row);
      continue;
    }
    met.push(row);
    const alike = known.get(name);
    if (alike === undefined) known.set(name, [row.present]);
    else alike.push(row.present);
  }
  for (const presents of known.values()) {
    if (presents.length === 1) continue;
    const there = presents.map((present) => terms.ite(present, terms.int(1), terms.int(0)));
    apart.push(terms.apply("<=", terms.sum(there, "Int"), terms.int(1)));
  }
  for (const row of open) {
    for (const other of met)
      apart.push(terms.not(terms.and(row.present, other.present, equalTerm(terms, row.value, other.value))));
    met.push(row);
  }
  return apart;
}
