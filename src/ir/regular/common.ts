/** Emptiness of intersections of regular languages. Part of what must be trusted. */
import type { Automaton } from "./automaton.ts";
import { lastUnit } from "./units.ts";

export interface Member {
  readonly automaton: Automaton;
  /** False for the complement of the language. */
  readonly truth: boolean;
}

/**
 * Decides if some text is in all of the languages, and in none of those whose `truth` is false, by the product of
 * their subset automata.
 * @param most LIMIT: of visited states; undefined if there are more
 */
export function haveCommonText(members: readonly Member[], most: number): boolean | undefined {
  const cuts = new Set([0, ...members.flatMap(({ automaton }) => automaton.cuts())]);
  const codes = [...cuts].filter((code) => code <= lastUnit);
  const waiting = [members.map(({ automaton }) => automaton.first())];
  const seen = new Set(waiting.map(keyOf));
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const here = place;
    const at = (i: number) => here[i] ?? [];
    if (members.every(({ automaton, truth }, i) => automaton.isEnd(at(i)) === truth)) return true;
    for (const code of codes) {
      const next = members.map(({ automaton }, i) => automaton.after(at(i), code));
      // From no state no text of the language is left.
      if (members.some(({ truth }, i) => truth && next[i]?.length === 0)) continue;
      const key = keyOf(next);
      if (seen.has(key)) continue;
      if (seen.size >= most) return undefined;
      seen.add(key);
      waiting.push(next);
    }
  }
  return false;
}

function keyOf(place: readonly (readonly number[])[]): string {
  return place.map((states) => [...states].sort((a, b) => a - b).join()).join(";");
}
