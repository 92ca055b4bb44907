/** The equivalence of two plans, for people. */
import { listed } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { type Equivalence, shownValue } from "../../../plan/index.ts";
import { mostTold } from "./render.ts";

export function equivalenceText(found: Exclude<Equivalence, { readonly kind: "broken" }>): string {
  switch (found.kind) {
    case "equivalent":
      return "equivalent\n";
    case "unknown":
      return `not known to be equivalent: ${found.why}, and no run was found in which they differ\n`;
    case "different": {
      const { state, failing, runs } = found.difference;
      const given = [...state]
        .slice(0, mostTold)
        .map(([key, value]) => `${visibleText(key)} = ${visibleText(shownValue(value, 40))}`);
      const lines = [
        "not equivalent",
        `  from ${given.length === 0 ? "an empty state" : listed(given)}`,
        ...failing.map((call) => `  where ${visibleText(call)} fails`),
        ...runs.flatMap(({ endedBy, calls, state: left }, i) => [
          `  the ${i === 0 ? "first" : "second"} ${endedBy === undefined ? "goes to its end" : `ends at ${visibleText(endedBy)}`}`,
          ...calls.slice(0, 20).map((call) => `    calls ${visibleText(call)}`),
          ...(endedBy === undefined
            ? [...left]
                .slice(0, 20)
                .map(
                  ([key, value]) => `    leaves ${visibleText(key)} = ${visibleText(shownValue(value, 60))}`,
                )
            : []),
        ]),
      ];
      return `${lines.join("\n")}\n`;
    }
  }
}
