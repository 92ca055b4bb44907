/** The published schema says of every JSON value what the decoder says of its shape. */
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyDocument } from "../../../tests/support/arbitrary-document.ts";
import { Chance } from "../../../tests/support/program/chance.ts";
import { anySeed } from "../../../tests/support/program/traces.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import { timeout } from "../../../tests/support/timeout.ts";
import { defaultLimits } from "../limits.ts";
import { documentFromJsonText } from "./decode.ts";
import { documentToJson } from "./encode.ts";
import { jsonSchema } from "./schema.ts";

const ajv = new Ajv2020();
const validate = ajv.compile(jsonSchema() as object);
const options = { timeout: timeout(30) };

test("is a schema", () => {
  expect(ajv.validateSchema(jsonSchema() as object)).toBe(true);
});

test("takes every document", options, () => {
  fc.assert(
    fc.property(anyDocument(), (document) => {
      expect(validate(JSON.parse(JSON.stringify(documentToJson(document))))).toBe(true);
    }),
    { numRuns: runs(150) },
  );
});

test(
  "takes and refuses what the decoder takes and refuses, for documents with something changed",
  options,
  () => {
    let [taken, refused] = [0, 0];
    fc.assert(
      fc.property(anyDocument(), anySeed(), (document, seed) => {
        const json: unknown = JSON.parse(JSON.stringify(documentToJson(document)));
        const chance = Chance.seeded(seed);
        const changed = changedJson(chance, json, chance.int(0, nodes(json) - 1)).json;
        // How big a bound may be is a limit and not a matter of shape.
        const limits = { ...defaultLimits, listLength: Number.MAX_SAFE_INTEGER };
        const decoded = documentFromJsonText(JSON.stringify(changed), limits);
        const why = decoded.ok
          ? ""
          : decoded.problems.map(({ code, message }) => `${code} ${message}`).join("\n");
        expect(validate(changed), `${why}\n${JSON.stringify(changed)}`).toBe(decoded.ok);
        if (decoded.ok) taken++;
        else refused++;
      }),
      { numRuns: runs(500) },
    );
    expect(taken).toBeGreaterThan(atLeast(30));
    expect(refused).toBeGreaterThan(atLeast(100));
  },
);

function nodes(json: unknown): number {
  if (typeof json !== "object" || json === null) return 1;
  return Object.values(json).reduce<number>((sum, part) => sum + nodes(part), 1);
}

/** The value with its `at`-th part made another. */
function changedJson(
  chance: Chance,
  json: unknown,
  at: number,
): { readonly json: unknown; readonly left: number } {
  if (at === 0) return { json: another(chance, json), left: -1 };
  if (typeof json !== "object" || json === null) return { json, left: at - 1 };
  let left = at - 1;
  const entries = Object.entries(json).map(([key, part]): [string, unknown] => {
    if (left < 0) return [key, part];
    const changed = changedJson(chance, part, left);
    left = changed.left;
    return [key, changed.json];
  });
  return { json: Array.isArray(json) ? entries.map(([, part]) => part) : Object.fromEntries(entries), left };
}

function another(chance: Chance, json: unknown): unknown {
  const scalars = [null, true, false, 0, 1, 2, -1, 1.5, "", "x", "1", "1/2", "int", "forall", [], {}, ["x"]];
  if (chance.odds(40)) return chance.pick(scalars);
  if (Array.isArray(json)) return chance.odds(50) ? json.slice(1) : [...json, chance.pick(scalars)];
  if (typeof json !== "object" || json === null) return chance.pick(scalars);
  const entries = Object.entries(json);
  if (chance.odds(50))
    return Object.fromEntries(entries.filter((_, i) => i !== chance.int(0, entries.length)));
  const name = chance.pick(["optional", "value", "kind", "name", "args", "type", "when", "max", "further"]);
  return Object.fromEntries([...entries.filter(([key]) => key !== name), [name, chance.pick(scalars)]]);
}
