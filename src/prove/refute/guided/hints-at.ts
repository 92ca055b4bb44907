/** The hints of the program about one place. */
import type { Hints, ProgramHints } from "../random/hints.ts";
import type { Place } from "./places.ts";
import type { Tape } from "./tape.ts";

export function hintsAt(
  { inputs, results }: ProgramHints,
  { calls }: Tape,
  { root, steps }: Place,
): Hints | undefined {
  let at: Hints | undefined = root === "" ? inputs : results.get(calls.get(root)?.id ?? "");
  for (const step of steps) {
    if (at === undefined) return undefined;
    switch (step.kind) {
      case "field":
        at = at.fields.get(step.name);
        break;
      case "item":
        at = at.hasElements ? at.element : undefined;
        break;
      case "text":
        at = at.parsed;
        break;
      case "some":
        break;
    }
  }
  return at;
}
