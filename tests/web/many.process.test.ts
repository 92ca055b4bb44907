/** The list with 200 requests that wait and change: what the browser holds and does stays bounded. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RequestDetail } from "../../src/approve/wire.ts";
import { build, root } from "../cli/built.ts";
import { isMissing, shoot, startBrowser, watch } from "./browser.ts";
import { credential, type FixtureService, startFixture } from "./fixture-service.ts";

const levels = ["red", "amber", "green"] as const;

/** A request that waits, as the list reads it. */
function waiting(n: number, revision = 1): RequestDetail {
  const level = levels[n % 3] ?? "red";
  const at = 1_700_000_000_000 + n * 1_000;
  return {
    id: `r${n.toString(16).padStart(24, "0")}`,
    revision,
    status: "pending",
    agent: `agent-${n % 7}`,
    file: `job-${n}.ts`,
    filedAt: at,
    expiresAt: Date.now() + 3_600_000,
    decision: null,
    worst: "covered",
    counts: { proved: 2, refuted: 0, unknown: 0 },
    run: null,
    risk: {
      level,
      headline: `headline ${n} of revision ${revision}`,
      changes: ["`bank.pay`: once"],
      more: 0,
    },
    program: { file: `job-${n}.ts`, text: "" },
    inputs: {},
    budget: null,
    words: null,
    follows: null,
    proof: null,
    problems: [],
    decided: null,
    progress: null,
  };
}

describe.skipIf(isMissing)("200 requests that wait", () => {
  let browser: Browser;
  let service: FixtureService;
  beforeAll(async () => {
    await build();
    service = await startFixture(`${root}/dist/web`);
    for (let n = 0; n < 200; n++) service.put(waiting(n));
    browser = await startBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  test("are on pages, the worst first, and are told as they change", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.grantPermissions(["notifications"], { origin: service.address });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const { trouble } = watch(page, service.address);
    await page.addInitScript(`
      window.told = [];
      window.Notification = class { constructor(title, o) { window.told.push(title + ": " + o.body); } close() {}
        static permission = "granted"; static requestPermission() { return Promise.resolve("granted"); } };
      window.longest = 0;
      new PerformanceObserver((list) => { for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration); })
        .observe({ type: "longtask", buffered: true });`);
    await page.goto(`${service.address}/#token=${credential}`);
    const rows = page.locator(".requests li");
    await expect.poll(() => rows.count(), { timeout: 60_000 }).toBe(50);
    const nodes = () => page.evaluate<number>("document.getElementsByTagName('*').length");
    const before = await nodes();
    expect(before).toBeLessThan(2_000);
    expect(await page.locator(".sum").innerText()).toBe("200 requests");
    await expect.poll(() => page.title()).toBe("(200) Foreclaim");
    expect(await rows.first().innerText()).toContain("danger");

    // The browser's thread time, which other processes do not add to.
    const cdp = await context.newCDPSession(page);
    await cdp.send("Performance.setTimeDomain", { timeDomain: "threadTicks" });
    await cdp.send("Performance.enable");
    const busy = async () => {
      const { metrics } = await cdp.send("Performance.getMetrics");
      return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
    };
    const [from, askedBefore] = [await busy(), service.asked.length];
    for (let n = 0; n < 200; n++) service.put(waiting(n, 2));
    await page
      .getByText(/of revision 2/)
      .first()
      .waitFor();
    await expect.poll(() => page.getByText(/of revision 1\b/).count(), { timeout: 60_000 }).toBe(0);
    expect(await nodes()).toBeLessThan(before + 50);
    // Many changes are read together.
    const lists = service.asked.slice(askedBefore).filter((one) => one === "GET /api/requests").length;
    expect(lists).toBeLessThan(50);
    const spent = (await busy()) - from;
    const longest = await page.evaluate<number>("window.longest");
    process.stdout.write(
      `200 updates: ${lists} lists, ${(spent * 1000).toFixed(0)} ms of the thread, longest task ${longest.toFixed(0)} ms\n`,
    );
    // Some milliseconds for each change; the clock would tell of other processes.
    expect(spent / 200).toBeLessThan(0.01);

    // All pages together have all requests, each once.
    const seen = new Set<string>();
    for (;;) {
      for (const href of await page
        .locator(".requests a")
        .evaluateAll((all) => all.map((one) => String(one.getAttribute("href")))))
        seen.add(href);
      const next = page.getByRole("button", { name: "Next page" });
      if (await next.isDisabled()) break;
      const first = await rows.first().innerText();
      await next.click();
      await expect.poll(() => rows.first().innerText(), { timeout: 60_000 }).not.toBe(first);
    }
    expect(seen.size).toBe(200);
    await shoot(page, "list-of-200", false);

    // Notifications come after they were asked for, and not for what was there.
    await page.getByRole("button", { name: "Notify me" }).click();
    await page.getByRole("button", { name: "Notifying" }).waitFor();
    service.put({ ...waiting(999), file: "new.ts" });
    await expect
      .poll(() => page.evaluate("window.told"), { timeout: 60_000 })
      .toEqual(["new.ts: headline 999 of revision 1"]);
    expect(trouble).toEqual([]);
    await context.close();
  });
});
