/**
 * Task: Is anybody at home right now?
 * Verdict: holds
 * Why: Only presence is called and its unknown result is checked before use.
 * Features: unknown narrowing with several guards, Array.isArray, filter with type predicate, pluralised answer
 */
import { program } from "foreclaim";
import * as home from "./tools/home";

type Person = { name: string; home: boolean };

function people(value: unknown): Person[] {
  if (typeof value !== "object" || value === null || !("people" in value)) return [];
  const list = (value as { people: unknown }).people;
  if (!Array.isArray(list)) return [];
  return list.filter(
    (p): p is Person =>
      typeof p === "object" && p !== null && typeof p.name === "string" && typeof p.home === "boolean",
  );
}

export default program({
  guarantees: [home.readOnly()],
  async run() {
    const inside = people(await home.presence({})).filter((p) => p.home);
    if (inside.length === 0) return "Nobody is at home.";
    const names = inside.map((p) => p.name);
    const last = names.pop();
    return names.length === 0 ? `${last} is at home.` : `${names.join(", ")} and ${last} are at home.`;
  },
});
