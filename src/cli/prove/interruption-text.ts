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
  const calls = points.flatMap(({ after }) => after ?? []);
  const before = calls.length < points.length ? ["before the first call"] : [];
  const after = named(
    calls.filter(({ lanes }) => lanes.length === 0),
    places,
  );
  // Where one of these has failed the others have gone on, and each of them may be anywhere.
  const amid = named(
    calls.filter(({ lanes }) => lanes.length > 0),
    places,
  );
  const where = [
    ...before,
    ...(after.length === 0 ? [] : [`after ${listed(after, "or")}`]),
    ...(amid.length === 0 ? [] : [`amid ${listed(amid)}, which are made at the same time`]),
  ];
  return [`if the run stops ${where.join(" or ")}, ${what}`];
}

/** A loop has many stopping points at one place. */
function named(calls: readonly NonNullable<StoppingPoint["after"]>[], places: Places): readonly string[] {
  const all = new Set(
    calls.map(({ path, tool }) => {
      const place = places.at(path);
      return `\`${tool.name}\`${place === undefined ? "" : ` (${places.words(place)})`}`;
    }),
  );
  const shown = [...all].slice(0, mostPlaces);
  const more = all.size - shown.length;
  return more === 0 ? shown : [...shown, `${more} more ${more === 1 ? "call" : "calls"}`];
}
