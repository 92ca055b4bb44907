/** What may be broken if a run stops early, in words. */
import type { Interruption, StoppingPoint } from "../../prove/prove.ts";
import { listed } from "../text/words.ts";
import type { Places } from "./places.ts";

/** LIMIT: of places in one sentence. */
const mostPlaces = 4;

export function interruptionWords(interruption: Interruption, places: Places): string[] {
  if (interruption.kind === "safe") return [];
  const certain = interruption.at.filter((point) => point.certain);
  const other = interruption.at.filter((point) => !point.certain);
  return [
    ...sentence(certain, "this may not hold", places),
    ...sentence(other, "this is not shown to hold", places),
  ];
}

function sentence(points: readonly StoppingPoint[], what: string, places: Places): string[] {
  // A loop has many stopping points at one place.
  const words = points.map(({ after }) => {
    if (after === undefined) return "before the first call";
    const place = places.at(after.path);
    return `after \`${after.tool.name}\`${place === undefined ? "" : ` (${places.words(place)})`}`;
  });
  const all = [...new Set(words)];
  if (all.length === 0) return [];
  const shown = all.slice(0, mostPlaces);
  const more = all.length - shown.length;
  const where = listed(more === 0 ? shown : [...shown, `at ${more} more places`]).replace(
    / and (?=[^,]*$)/,
    " or ",
  );
  return [`if the run stops ${where}, ${what}`];
}
