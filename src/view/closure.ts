/**
 * Closure axioms of a view: nothing happens beyond its contents (closed world). Guarantees name the ones that they
 * need.
 */

export const closures = {
  effects: "every operation is an effect of the run, and the run has no other",
  rows: "every row was returned to the run, and the run was returned no other",
  tools:
    "every operation is a call of one of these tools, and of one only; a label is on the calls of its tools",
  calls: "every call of a tool is one of the calls that stand in the program",
  values: "an argument has one value, and an optional one at most one",
  names: "different calls, and different rows, are different individuals",
  named: "every call and every row of the run is a named individual",
} as const;

export type ClosureName = keyof typeof closures;
