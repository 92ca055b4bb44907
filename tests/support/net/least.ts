/** Makes a wrong proof smaller: the least document that is still proved and still broken by a run. */
import type { Checked } from "../../../src/ir/check/index.ts";
import type { ProgramCase } from "../arbitrary-program.ts";
import { Chance } from "../program/chance.ts";
import { smaller } from "../program/shrink.ts";
import { type Net, wronglyProved } from "./attempt.ts";
import { brokenIn } from "./broken.ts";
import { vocabularyOf, World } from "./world.ts";

/** LIMIT: of documents that are tried. */
const mostTries = 4_000;

/** Runs for checking that it is still broken. */
const runs = 60;

export async function leastWrong(checked: Checked, net: Net): Promise<Checked> {
  const { inputs } = new World(checked, Chance.seeded(1), vocabularyOf(checked));
  let least: ProgramCase = {
    document: checked.document,
    checked,
    inputs,
    behaviour: { seed: 1, failing: 0 },
    initial: [],
  };
  let tries = 0;
  for (let found = true; found && tries < mostTries; ) {
    found = false;
    for (const one of smaller(least)) {
      if (++tries > mostTries) break;
      if (!(await isWrong(one.checked, net))) continue;
      least = one;
      found = true;
      break;
    }
  }
  return least.checked;
}

/** Returns true if all guarantees are proved, and a run breaks one. */
async function isWrong(checked: Checked, net: Net): Promise<boolean> {
  const { guarantees } = checked.document;
  if (guarantees.length !== 1) return false;
  if ((await wronglyProved(checked, new Set(), net, new Map())).length === 0) return false;
  return (await brokenIn(checked, 1, runs)).guarantees.length === 1;
}
