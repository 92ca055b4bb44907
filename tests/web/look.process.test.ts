/**
 * The page in a real browser, with requests that the real prover made: what it shows and in which order, by keys alone,
 * on a phone, in the dark, for a screen reader, and with whatever a hostile agent may write.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { riskCard } from "../../src/app/report/risk-card.ts";
import type { RequestDetail } from "../../src/approve/wire.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { build, root } from "../cli/built.ts";
import { accessibleProblems } from "./accessible.ts";
import { isMissing, shoot, startBrowser, type Watched, watch } from "./browser.ts";
import { credential, type FixtureService, startFixture } from "./fixture-service.ts";
import { hostile, hostileRequest, hostileTexts } from "./hostile.ts";
import { requestOf } from "./views.ts";

const names = [
  "database/mail-everyone",
  "home/early-return",
  "club/pay-until-over",
  "bank/pay-bill",
  "email/spoofed-contract",
];

describe.skipIf(isMissing)("the page", () => {
  let browser: Browser;
  let service: FixtureService;
  let context: BrowserContext | undefined;
  let page: Page;
  let watched: Watched;
  const requests = new Map<string, RequestDetail>();

  beforeAll(async () => {
    await build();
    const solver = z3Wasm();
    for (const [i, name] of names.entries()) {
      const one = await requestOf(name, solver);
      requests.set(name, { ...one, filedAt: one.filedAt - i * 60_000 });
    }
    await solver.close();
    const proposed = {
      name: "mail to users",
      decision: "auto_approved" as const,
      whenProven: ["mail.atMost(100)"],
      reason: "approved by Ada",
    };
    service = await startFixture(`${root}/dist/web`, { canAddRules: true, proposed });
    browser = await startBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  afterEach(async () => {
    await context?.close();
    context = undefined;
    expect(watched.trouble).toEqual([]);
  });

  /** Signed in, with all requests as they were at first. */
  async function start(options: BrowserContextOptions = {}): Promise<void> {
    for (const request of requests.values()) service.put(request);
    service.decisions.splice(0);
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    watched = watch(page, service.address);
    await page.goto(`${service.address}/#token=${credential}`);
    await page.locator(".requests li").first().waitFor();
  }

  async function open(name: string): Promise<void> {
    await page.goto(`${service.address}/#/requests/${requests.get(name)?.id ?? name}`);
    await page.locator("#agent").waitFor();
  }

  const width = () => page.evaluate<number>("document.documentElement.scrollWidth");

  test("the list: badges, counts, filters", async () => {
    await start();
    const rows = () => page.locator(".requests li").allInnerTexts();
    expect(await rows()).toHaveLength(2);
    // The worst risk is the first that a reader sees; the name of the file comes after the changes.
    const { headline, changes } = requests.get("bank/pay-bill")?.risk ?? {
      headline: "",
      changes: [],
    };
    // Of equal risks the newer comes first.
    const [newer = "", first = ""] = await rows();
    const plain = (text: string) => text.replaceAll("`", "");
    expect(first.toLowerCase()).toMatch(/^new\s/);
    expect(headline).not.toBe("");
    expect(changes.length).toBeGreaterThan(0);
    const order = [headline, changes[0] ?? "", "pay-bill.ts"].map((text) => first.indexOf(plain(text)));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    expect(newer).toMatch(/look closely[\s\S]*Recommended, but not guaranteed[\s\S]*mail-everyone\.ts/);
    expect(newer).toMatch(/3 proved/);
    expect(newer).toMatch(/recommended gap/);
    expect(await page.title()).toBe("(2) Foreclaim");
    await page.locator("input[value=open]").check();
    // The service filters, so what fits comes a moment later.
    await expect
      .poll(async () => (await rows()).map((row) => /[\w-]+\.ts/.exec(row)?.[0]))
      .toEqual(["early-return.ts", "pay-until-over.ts", "spoofed-contract.ts"]);
    expect((await rows())[0]).toMatch(/2 proved\s*✗ 1 refuted/);
    await page.locator("input[value=all]").check();
    await expect.poll(rows).toHaveLength(5);
    await page.getByLabel("Coverage").selectOption("required_gap");
    await expect.poll(rows).toHaveLength(2);
    await page.getByLabel("Coverage").selectOption("any");
    await page.getByLabel("Agent or file").fill("BILL.ts");
    await expect.poll(rows).toHaveLength(1);
    await page.getByLabel("Agent or file").fill("");
    await shoot(page, "list");
  });

  test("an address that signs in may lead to a request, and what is secret leaves it", async () => {
    await start();
    const id = requests.get("bank/pay-bill")?.id ?? "";
    await page.goto(`${service.address}/#token=${credential}&request=${id}`);
    await page.getByRole("heading", { name: "pay-bill.ts" }).waitFor();
    expect(page.url()).toBe(`${service.address}/#/requests/${id}`);
    await page.goBack();
    expect(page.url()).not.toContain(credential);
  });

  test("a request: the card, refuted guarantees first, then gaps, what it may do, the run that breaks it, the agent last", async () => {
    await start();
    await open("home/early-return");
    expect(await page.locator("main h2").allInnerTexts()).toEqual([
      "Guarantees",
      "Coverage",
      "Possible effects",
      "Counterexample",
      "Inputs and limits",
      "Written by the agent",
    ]);
    const cards = page.locator("section[aria-labelledby=guarantees] .card");
    const found = await cards.locator(".card-head").allInnerTexts();
    expect(found.map((text) => text.replace(/\s+/g, " "))).toEqual([
      "✗ refuted",
      "✓ proved",
      "✓ proved added by Foreclaim, proved",
    ]);
    await page.locator(".risk-card.red .headline", { hasText: "Refuted: " }).waitFor();
    await cards.first().getByText("author's note (not verified)").waitFor();
    // Nobody can approve what was refuted.
    expect(await page.getByRole("button", { name: /approve/i }).count()).toBe(0);
    await page.getByText("It cannot be approved: a counterexample breaks a guarantee.").waitFor();
    await shoot(page, "refuted");
  });

  test("a request that can be approved", async () => {
    await start({ viewport: { width: 1180, height: 900 } });
    await open("bank/pay-bill");
    expect(await page.locator(".decide button").allInnerTexts()).toHaveLength(4);
    await page.locator(".badge", { hasText: "added by Foreclaim, proved" }).waitFor();
    // The picture of the documentation.
    await shoot(page, "approval-page", false);
  });

  test("where a run that stops early breaks a guarantee or a clause of the policy", async () => {
    await start({ viewport: { width: 1180, height: 1000 } });
    const one = requests.get("bank/pay-bill");
    if (one?.proof == null) throw new Error("there is a proof");
    const text = "if the run stops after `bank.withdraw` (line 8), this may not hold";
    const [first, ...others] = one.proof.guarantees;
    if (first === undefined) throw new Error("there is a guarantee");
    const guarantees = [{ ...first, interruption: { safe: false, text } }, ...others];
    const policyStops = [
      { rule: "small", clause: "bank.maxSpend(900)", text, counts: false },
      { rule: "whole runs", clause: hostileTexts[0] ?? "", text, counts: true },
    ];
    const coverage = one.proof.coverage.map((gap) => ({ ...gap, openAtStops: ["bank.maxSpend(900)"] }));
    const card = riskCard(
      { ...one.proof, guarantees },
      {
        changes: [],
        choices: [],
        tells: [],
        lookAlikes: [],
      },
    );
    service.put({ ...one, id: "r-stops", policyStops, proof: { ...one.proof, guarantees, coverage, card } });
    await open("r-stops");
    await page.getByText(/^(?:A guarantee|\d+ guarantees) may not hold if the run stops early/).waitFor();
    await page.locator(".card", { hasText: "Not if the run stops early:" }).first().waitFor();
    const stops = page.locator("section[aria-labelledby=policy-stops] .card");
    expect(await stops.count()).toBe(2);
    expect(await stops.first().innerText()).toContain("So it does not count for this rule.");
    expect(await stops.last().innerText()).toContain("The rule accepts that");
    await page.getByText("may not hold if the run stops early", { exact: true }).first().waitFor();
    await shoot(page, "stops");
  });

  test("gaps stand loudest first, whatever order they come in", async () => {
    await start();
    const one = requests.get("database/mail-everyone");
    if (one?.proof == null) throw new Error("there is a proof");
    const lists = { mentioned: [], entailed: [], missingRequired: [], missingRecommended: [], enforced: [] };
    const statuses = ["covered", "silent_gap", "recommended_gap", "required_gap"] as const;
    const coverage = statuses.map((status) => ({ domain: status, status, text: "", ...lists }));
    service.put({ ...one, revision: 2, proof: { ...one.proof, coverage } });
    await open("database/mail-everyone");
    const shown = await page.locator("section[aria-labelledby=coverage] strong").allInnerTexts();
    expect(shown).toEqual(["required_gap", "silent_gap", "recommended_gap", "covered"]);
  });

  test("the run that breaks it, step by step", async () => {
    await start();
    await open("home/early-return");
    const at = page.locator(".step-at");
    const cell = page.locator(".cells tr", { hasText: "home.doorLocked" });
    await page.getByText("before the first call").waitFor();
    expect(await cell.innerText()).toMatch(/true/);
    await page.getByRole("button", { name: "Next" }).click();
    await page.keyboard.press("ArrowRight");
    expect(await at.innerText()).toBe("step 2 of 3");
    expect(await cell.innerText()).toMatch(/false.*changed/s);
    expect(await page.locator(".excerpt .here").innerText()).toMatch(/home\.unlock/);
    // The same line is marked in the whole source.
    expect(await page.locator(".by-agent .here").innerText()).toMatch(/home\.unlock/);
    await shoot(page, "step");
    await page.keyboard.press("n");
    expect(await at.innerText()).toBe("step 3 of 3");
    await page.getByText("This breaks the guarantee:").waitFor();
    expect(await page.getByRole("button", { name: "Next" }).isDisabled()).toBe(true);
    await page.keyboard.press("p");
    expect(await at.innerText()).toBe("step 2 of 3");
  });

  test("by keys alone: from the list to a decision, and no key decides by itself", async () => {
    await start();
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard" }).waitFor();
    await shoot(page, "keys", false);
    await page.keyboard.press("u");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Keyboard" }).waitFor({ state: "hidden" });
    await expect
      .poll(
        async () => {
          await page.keyboard.press("j");
          return page.evaluate("document.activeElement?.closest('.requests li') != null");
        },
        { timeout: 120_000 },
      )
      .toBe(true);
    await page.keyboard.press("Enter");
    await page.locator("#agent").waitFor();
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    for (const key of ["a", "Escape", "A", "Escape", "r", "Escape"]) await page.keyboard.press(key);
    expect(service.decisions).toEqual([]);
    await page.keyboard.press("t");
    await page.keyboard.type("approve? a r y");
    expect(await page.getByLabel("To the agent").inputValue()).toBe("approve? a r y");
    await page.keyboard.press("Escape");
    await page.keyboard.press("a");
    await page.getByRole("button", { name: "Confirm: approve once" }).waitFor();
    await shoot(page, "confirm", false);
    await page.keyboard.press("Enter");
    await page.getByText(/Approved once by Ada/).waitFor();
    expect(service.decisions).toMatchObject([
      { decision: "approved_once", text: "approve? a r y", revision: 1 },
    ]);
    await page.keyboard.press("u");
    await page.getByRole("heading", { name: "Requests" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Requests");
  });

  test("single keys can be turned off", async () => {
    await start();
    await open("database/mail-everyone");
    await page.keyboard.press("?");
    await page.getByLabel("Single keys are shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("a");
    expect(await page.getByRole("button", { name: /^Confirm/ }).count()).toBe(0);
  });

  test("everything can be reached with the Tab key, and is seen to be", async () => {
    await start();
    await open("home/early-return");
    // The page moves to its title once it is there.
    await expect.poll(() => page.evaluate("document.activeElement.innerText")).toBe("early-return.ts");
    const reached = new Set<string>();
    for (let i = 0; i < 70; i++) {
      await page.keyboard.press("Tab");
      const [name, outline] = await page.evaluate<[string, string]>(
        "[document.activeElement === document.body ? '' : document.activeElement.innerText || document.activeElement.id, getComputedStyle(document.activeElement).outlineStyle]",
      );
      // From the title to the end, and from the beginning again.
      if (name === "") continue;
      expect([name, outline]).toEqual([name, "solid"]);
      reached.add(name.replace(/\s+/g, " ").trim());
    }
    for (const name of ["Sign out", "Next →", "to-agent", "Ask for more m", "Reject r"])
      expect([...reached]).toContain(name);
  });

  test("a rule that is proposed can be changed and added", async () => {
    await start();
    await open("database/mail-everyone");
    await page.keyboard.press("A");
    await page.getByRole("button", { name: /^Confirm/ }).waitFor();
    await page.keyboard.press("Enter");
    const editor = page.locator("#rule");
    await editor.waitFor();
    const rule = JSON.parse(await editor.inputValue());
    await editor.fill("{");
    await page.getByRole("button", { name: "Add to the policy" }).click();
    await page.getByRole("alert").filter({ hasText: "A rule is an object" }).waitFor();
    await editor.fill(JSON.stringify({ ...rule, name: "mine" }));
    await page.getByRole("button", { name: "Add to the policy" }).click();
    await page.getByText("It is in the policy.").first().waitFor();
    expect(service.rules).toMatchObject([{ name: "mine" }]);
  });

  test.each([
    ["light", 360],
    ["dark", 360],
    ["light", 768],
    ["dark", 1280],
  ] as const)("fits, %s at %i pixels", async (colorScheme, pixels) => {
    await start({ viewport: { width: pixels, height: 740 }, colorScheme, reducedMotion: "reduce" });
    expect(await width()).toBe(pixels);
    await page.locator("input[value=all]").check();
    await shoot(page, `list-${colorScheme}-${pixels}`, false);
    for (const name of names) {
      await open(name);
      expect(await width()).toBe(pixels);
      await shoot(page, `${name.replace("/", "-")}-${colorScheme}-${pixels}`);
    }
    expect(await page.evaluate("document.getAnimations().length")).toBe(0);
  });

  test("names, headings, landmarks and targets are as a screen reader and a finger need them", async () => {
    await start({ viewport: { width: 360, height: 740 } });
    expect(await accessibleProblems(page)).toEqual([]);
    for (const name of names) {
      await open(name);
      expect([name, await accessibleProblems(page)]).toEqual([name, []]);
    }
  });

  test("whatever an agent writes stays text, and what cannot be seen is seen", async () => {
    await start();
    const one = requests.get("home/early-return");
    if (one === undefined) throw new Error("there is one");
    service.put(hostileRequest(one));
    await page.locator("input[value=all]").check();
    await page.getByText(hostile.slice(0, 12)).first().waitFor();
    await open("r-hostile");
    for (const details of await page.locator("details").all())
      await details.evaluate((node) => node.setAttribute("open", ""));
    // As many times as it was written, it is there to be read.
    let text = "";
    for (let i = 0; i < 5; i++) {
      text += await page.locator("body").innerText();
      await page.keyboard.press("n");
    }
    for (const one of hostileTexts) expect(text).toContain(one);
    expect(await page.locator("img, iframe, object, script:not([src])").count()).toBe(0);
    expect(await page.evaluate("window.pwned")).toBe(undefined);
    expect(await page.locator(".escape").count()).toBeGreaterThan(10);
    for (const unseen of ["\u202e", "\u200b", "\u0007"]) expect(text).not.toContain(unseen);
    expect(await width()).toBe(1280);
    // No name, however long, leaves its value without room.
    expect(await page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThan(9_000);
    await shoot(page, "hostile");
  });

  test("a service that does not answer is said, and is heard again", async () => {
    await start();
    await page.route("**/api/**", (route) => route.abort());
    await page.reload();
    await page.getByText("The service does not respond").waitFor();
    await page.unroute("**/api/**");
    watched.trouble.splice(0);
  });
});
