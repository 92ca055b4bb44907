/** Nine kinds of requests, as a reviewer meets them: the headline, and what fits on the screen of a phone. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RequestDetail } from "../../src/approve/wire.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { build, root } from "../cli/built.ts";
import { accessibleProblems } from "./accessible.ts";
import { isMissing, shoot, startBrowser, watch } from "./browser.ts";
import { credential, type FixtureService, startFixture } from "./fixture-service.ts";
import { kinds, textOf } from "./kinds.ts";
import { requestAt } from "./views.ts";

const requests = new Map<string, RequestDetail>();
let home: string;

beforeAll(async () => {
  await build();
  home = mkdtempSync(join(tmpdir(), "foreclaim-kinds-"));
  const solver = z3Wasm();
  for (const [name, kind] of Object.entries(kinds)) {
    cpSync(join(root, "examples", kind.tools, "tools"), join(home, name, "tools"), { recursive: true });
    const path = join(home, name, `${name}.ts`);
    writeFileSync(path, textOf(kind));
    requests.set(name, await requestAt(path, name, solver));
  }
  await solver.close();
}, 300_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

test.each(Object.entries(kinds))("%s: the headline", (name, { headline, level }) => {
  const { risk, proof } = requests.get(name) ?? {};
  expect([risk?.level, proof?.card?.headline]).toEqual([level, headline]);
});

describe.skipIf(isMissing)("on the page", () => {
  let browser: Browser;
  let service: FixtureService;
  beforeAll(async () => {
    service = await startFixture(`${root}/dist/web`);
    for (const request of requests.values()) service.put(request);
    browser = await startBrowser();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  const [phone, desktop] = [
    { width: 390, height: 844 },
    { width: 1280, height: 900 },
  ];

  test.each([
    ["phone", "light", phone],
    ["phone", "dark", phone],
    ["desktop", "light", desktop],
    ["desktop", "dark", desktop],
  ] as const)("%s, %s", async (screen, colorScheme, viewport) => {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
    const page = await context.newPage();
    const { trouble } = watch(page, service.address);
    await page.goto(`${service.address}/#token=${credential}`);
    await page.locator(".requests li").first().waitFor();
    for (const [name, { headline }] of Object.entries(kinds)) {
      await page.goto(`${service.address}/#/requests/${requests.get(name)?.id}`);
      await page.locator("#agent").waitFor();
      const plain = headline.replaceAll("`", "");
      expect([name, await page.locator("#headline").innerText()]).toEqual([
        name,
        expect.stringContaining(plain),
      ]);
      const measured = await page.evaluate<[number, number, number]>(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight, document.querySelector('.risk-card').getBoundingClientRect().bottom]",
      );
      const [width, height, card] = measured;
      expect([name, width]).toEqual([name, viewport.width]);
      if (screen === "phone") {
        // The card and, under it, the headings of what folds.
        expect([name, card < viewport.height]).toEqual([name, true]);
        expect([name, height < 1.5 * viewport.height]).toEqual([name, true]);
        expect([name, await accessibleProblems(page)]).toEqual([name, []]);
      }
      await shoot(page, `kinds-${name}-${screen}-${colorScheme}`, false);
    }
    // Everything behind "show" can be opened.
    if (screen === "phone") {
      await page.locator("#guarantees").click();
      await page.locator("section[aria-labelledby=guarantees] .claim").first().waitFor();
    }
    expect(trouble).toEqual([]);
    await context.close();
  });
});
