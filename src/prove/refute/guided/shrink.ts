/** Makes the run of a counterexample shorter, for people to read: shorter lists, and no long texts. */
import { type Checked, isList, list, type Value } from "../../../ir/index.ts";
import { type Place, withValue } from "./places.ts";
import type { Ran } from "./runner.ts";
import { placesOf, rootOf, type Tape, withRoot } from "./tape.ts";

/** LIMIT: of runs that are tried, and of rounds over all places. */
const mostRuns = 120;
const mostRounds = 3;
/** LIMIT: of elements that are taken out one by one. */
const fewElements = 12;
const longText = 40;

/** @param stillBreaks makes the run of a tape; undefined if it does not break the claim */
export async function shrunk(
  checked: Checked,
  from: Ran,
  stillBreaks: (tape: Tape) => Promise<Ran | undefined>,
): Promise<Ran> {
  let [best, runs] = [from, 0];
  const attempt = async (place: Place, value: Value): Promise<boolean> => {
    const whole = rootOf(best.tape, place.root);
    const made = whole === undefined ? undefined : withValue(whole, place, value);
    if (made === undefined || runs >= mostRuns) return false;
    runs++;
    const ran = await stillBreaks(withRoot(best.tape, place.root, made));
    if (ran === undefined) return false;
    best = ran;
    return true;
  };
  for (let round = 0; round < mostRounds; round++) {
    const before = best;
    for (const { root, steps } of placesOf(checked, best.tape)) {
      // What was taken out of one list may have changed the others.
      const now = () =>
        placesOf(checked, best.tape).find((one) => one.root === root && sameSteps(one.steps, steps));
      const place = now();
      if (place?.value === undefined || runs >= mostRuns) continue;
      if (typeof place.value === "string" && place.value.length > longText)
        await shorterText(place, place.value, attempt);
      if (isList(place.value) && place.value.length > 0) await shorterList(now, attempt);
    }
    if (best === before) break;
  }
  return best;
}

type TryIt = (place: Place, value: Value) => Promise<boolean>;

/** The shortest beginning that is enough, if longer ones are enough too; then elements in the middle. */
async function shorterList(now: () => Place | undefined, attempt: TryIt): Promise<void> {
  const items = () => {
    const place = now();
    return place?.value !== undefined && isList(place.value) ? { place, value: place.value } : undefined;
  };
  const first = items();
  if (first === undefined) return;
  let [least, most] = [0, first.value.length];
  while (least < most) {
    const length = Math.floor((least + most) / 2);
    const at = items();
    if (at === undefined) return;
    if (await attempt(at.place, list(first.value.slice(0, length)))) most = length;
    else least = length + 1;
  }
  for (let i = 0; ; ) {
    const at = items();
    if (at === undefined || i >= at.value.length || at.value.length > fewElements) return;
    if (!(await attempt(at.place, list(at.value.toSpliced(i, 1))))) i++;
  }
}

async function shorterText(place: Place, text: string, attempt: TryIt): Promise<void> {
  let [least, most] = [0, text.length];
  while (least < most) {
    const length = Math.floor((least + most) / 2);
    if (await attempt(place, text.slice(0, length))) most = length;
    else least = length + 1;
  }
}

function sameSteps(a: Place["steps"], b: Place["steps"]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
