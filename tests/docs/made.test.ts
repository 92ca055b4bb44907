/** The parts of pages that are made from the sources are what would be made of them now. */

import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { approveCodes, serviceCodes } from "../../src/approve/index.ts";
import { checkCodes } from "../../src/certificate/codes.ts";
import { frontCodes } from "../../src/frontend/index.ts";
import { sessionCodes } from "../../src/guard/codes.ts";
import { codes, operators } from "../../src/ir/index.ts";
import { linkCodes } from "../../src/link/codes.ts";
import { lintCodes } from "../../src/lint/index.ts";
import { planCodes } from "../../src/plan/index.ts";
import { runCodes } from "../../src/run/codes.ts";
import { regionsOf, withRegions } from "./fill.ts";
import { make } from "./made.ts";
import { operatorExamples } from "./operator-examples.ts";
import { blocksOf, pageNow, pages } from "./pages.ts";

describe("made parts are up to date (if not: `npx vitest run tests/docs -u`)", () => {
  const made = pages.filter((page) => regionsOf(page).length > 0);

  test.each(made.map(({ path }) => path))(
    "%s",
    async (path) => {
      await expect(withRegions(pageNow(path), make)).toMatchFileSnapshot(`${ROOT}/${path}`);
    },
    60_000,
  );
});

test("no example is for an operator that is gone", () => {
  expect(Object.keys(operatorExamples).filter((name) => !operators.has(name))).toEqual([]);
});

describe("every code has a page with a failing and a mended example", () => {
  test("and every page has a code", () => {
    const found = pages.flatMap(
      ({ path }) => /^docs\/reference\/errors\/(FC\d{4})\.md$/.exec(path)?.[1] ?? [],
    );
    expect(found.sort()).toEqual(
      Object.keys({
        ...codes,
        ...frontCodes,
        ...planCodes,
        ...approveCodes,
        ...serviceCodes,
        ...runCodes,
        ...sessionCodes,
        ...lintCodes,
        ...checkCodes,
        ...linkCodes,
      }).sort(),
    );
  });

  test.each(
    Object.entries({
      ...codes,
      ...frontCodes,
      ...planCodes,
      ...approveCodes,
      ...serviceCodes,
      ...runCodes,
      ...sessionCodes,
      ...lintCodes,
      ...checkCodes,
      ...linkCodes,
    }),
  )("%s", (code, meaning) => {
    const page = pageNow(`docs/reference/errors/${code}.md`);
    expect(page.text.split("\n")[0]).toBe(`# ${code}: ${meaning}`);
    const blocks = blocksOf(page);
    expect(blocks.filter(({ words }) => words.get("fails") === code)).not.toEqual([]);
    expect(blocks.filter(({ words }) => words.has("ok"))).not.toEqual([]);
    const others = blocks.filter(({ words }) => words.has("fails") && words.get("fails") !== code);
    expect(others).toEqual([]);
  });
});
