/**
 * The stages of a program: loaded, proved, approved, finished. Only the function of a stage can stamp a value with it, so
 * code that runs what nobody approved does not compile, and a value made up at run time is refused.
 */
declare const stage: unique symbol;

export type StageName = "loaded" | "proved" | "approved" | "finished";

/** The type of a value that has reached a stage. */
export interface Stage<Name extends StageName> {
  readonly [stage]: Name;
}

const reached = new Map<StageName, WeakSet<object>>();

/** Stamps a value. No other room can call this: the door does not export it. */
export function stamp<Name extends StageName, T extends object>(name: Name, parts: T): T & Stage<Name> {
  Object.freeze(parts);
  const all = reached.get(name) ?? new WeakSet();
  reached.set(name, all.add(parts));
  // SAFETY: the field exists in the type alone; `mustBe` looks at the set.
  return parts as T & Stage<Name>;
}

/** Throws a fault for a value that was not stamped, such as a copy. */
export function mustBe<Name extends StageName>(name: Name, value: Stage<Name>): void {
  if (reached.get(name)?.has(value) !== true) throw new TypeError(`a value that is not ${name} was passed`);
}
