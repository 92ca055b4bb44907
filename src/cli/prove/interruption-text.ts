/** What may be broken if a run stops early, in words. */
import type { Interruption, StoppingPoint } from "../../prove/index.ts";
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

/** Whether it holds wherever the run may stop, and where it may not. */
export function interruptionView(
  interruption: Interruption,
  places: Places,
): { readonly safe: boolean; readonly text: string | null } {
  const words = interruptionWords(interruption, places);
  return { safe: interruption.kind === "safe", text: words.length === 0 ? null : words.join("; ") };
}

function sentence(points: readonly StoppingPoint[], what: string, places: Places): string[] {
  if (points.length === 0) return [];
  const before = points.some(({ after }) => after === undefined) ? ["before the first call"] : [];
  // A loop has many stopping points at one place.
  const calls = new Set(
    points.flatMap(({ after }) => {
      if (after === undefined) return [];
      const place = places.at(after.path);
      const beside = after.lanes.length > 0 ? ", while calls beside it are under way" : "";
      return [`\`${after.tool.name}\`${place === undefined ? "" : ` (${places.words(place)})`}${beside}`];
    }),
  );
  const shown = [...calls].slice(0, mostPlaces);
  const more = calls.size - shown.length;
  const all = more === 0 ? shown : [...shown, `${more} more ${more === 1 ? "call" : "calls"}`];
  const after = all.length === 0 ? [] : [`after ${listed(all, "or")}`];
  return [`if the run stops ${[...before, ...after].join(" or ")}, ${what}`];
}
