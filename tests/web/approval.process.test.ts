/** From a program that is filed to a run that is done: the real service, its page in a real browser, and an agent. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";
import { isMissing, shoot, startBrowser, type Watched, watch } from "./browser.ts";
import { type RealService, startService } from "./service.ts";

describe.skipIf(isMissing)("the page and the service", () => {
  let browser: Browser;
  let service: RealService;
  let context: BrowserContext;
  let page: Page;
  let watched: Watched;

  beforeAll(async () => {
    await build();
    [browser, service] = await Promise.all([startBrowser(), startService("examples/email")]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    watched = watch(page, service.address);
  });
  afterEach(async () => {
    const { trouble } = watched;
    await context.close();
    expect(trouble).toEqual([]);
  });

  const programOf = (name: string) => ({
    file: `${name}.ts`,
    text: readFileSync(join(root, "examples/email", `${name}.ts`), "utf8"),
  });

  async function signIn(): Promise<void> {
    await page.goto(`${service.address}/`);
    await page.getByLabel("Credential").fill(service.reviewer);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
  }

  async function open(id: string): Promise<void> {
    await page.goto(`${service.address}/#/requests/${id}`);
    await page.locator("main h1").waitFor();
  }

  async function decide(name: string): Promise<void> {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("button", { name: `Confirm: ${name.toLowerCase()}` }).click();
  }

  test("the address that the service prints signs in once, and leaves the address", async () => {
    await page.goto(service.page);
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
    expect(page.url()).toBe(`${service.address}/#/`);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(service.page);
    await page.getByRole("alert").filter({ hasText: "unknown or revoked" }).waitFor();
  });

  test("a request is read, approved, and seen to run to its end", async () => {
    await signIn();
    const id = await service.file({ program: programOf("first-mail"), words: "I only want to help." });
    // Nobody touches the page: it comes by itself, and is told as unread.
    await page.getByRole("link", { name: /first-mail\.ts/ }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    await page.getByRole("link", { name: /first-mail\.ts/ }).click();
    await page.getByText(/^Untrusted text decides whether or how often email\.send is called/).waitFor();
    await expect.poll(() => page.title()).toBe("first-mail.ts · Foreclaim");
    const said = await page.locator("section[aria-labelledby=guarantees] .claim").allInnerTexts();
    expect(said).toHaveLength(3);
    expect(said.join("\n")).toContain('"carol@example.com"');
    await page.getByText("Every email goes to one of these addresses, and so does every copy.").waitFor();
    const answers = page.locator(".answers > div");
    await answers
      .filter({ hasText: "Who can be reached by email.send (addr)?" })
      .getByText('"carol@example.com"')
      .waitFor();
    await shoot(page, "service-request");
    await decide("Approve once");
    await page.getByText(/Approved once by/).waitFor();
    expect((await service.read(id)).decision).toBe("approved_once");

    const calls = [{ number: 1, tool: "email.inbox", args: "", state: "done" as const, result: "[]" }];
    await service.progress(id, { run: "run-1", state: "running", calls, text: null });
    await page.locator(".run-state", { hasText: "running" }).waitFor();
    const sent = { number: 2, tool: "email.send", args: 'addr: "carol@example.com"', result: null };
    await service.progress(id, {
      run: "run-1",
      state: "done",
      calls: [...calls, { ...sent, state: "done" }],
      text: "it ran to its end",
    });
    await page.locator(".run-state", { hasText: "finished" }).waitFor();
    await page.getByText("It ran to its end.").waitFor();
    await shoot(page, "service-run");
    await page.keyboard.press("u");
    await page.getByText("Nothing is waiting").waitFor();
    await page.locator("input[value=decided]").check();
    await page.getByRole("link", { name: /finished.*first-mail\.ts/s }).waitFor();
  });

  test("`foreclaim run` waits for the page, runs, and is seen to", async () => {
    const agent = foreclaim([
      ...["run", "examples/email/welcome.ts", "--approve", "page"],
      ...["--service", service.address, "--credential", service.agentFile],
      ...["--key", service.keyFile, "--words", "A new member."],
    ]);
    await signIn();
    await page.getByRole("link", { name: /welcome\.ts/ }).click();
    await decide("Approve once");
    await page.locator(".run-state", { hasText: "finished" }).waitFor();
    expect(await page.locator(".run-calls li").count()).toBeGreaterThan(0);
    const { code, out, err } = await agent;
    expect([code, out + err]).toEqual([0, out + err]);
    await shoot(page, "service-real-run");
  });

  test("a reason reaches the agent that waits", async () => {
    const id = await service.file({ program: programOf("first-mail") });
    const answer = service.until(id, ({ status }) => status === "decided");
    await signIn();
    await open(id);
    await page.getByLabel("To the agent").fill("Not on a Sunday.");
    await decide("Reject");
    expect((await answer).decided).toMatchObject({ decision: "rejected", text: "Not on a Sunday." });
    await page.getByText("Not on a Sunday.").waitFor();
  });

  test("who asks for more has to say what", async () => {
    const id = await service.file({ program: programOf("first-mail") });
    const answer = service.until(id, ({ status }) => status === "decided");
    await signIn();
    await open(id);
    await page.getByRole("button", { name: "Ask for more", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "Write what you want to know" }).waitFor();
    await page.getByLabel("To the agent").fill("Why Carol?");
    await decide("Ask for more");
    expect((await answer).decided).toMatchObject({ decision: "request_more", text: "Why Carol?" });
    const next = await service.file({ program: programOf("first-mail"), follows: id });
    await open(next);
    await page.getByRole("link", { name: "an earlier request" }).click();
    await page.getByText(/Asked for more by/).waitFor();
  });

  test("what was decided elsewhere meanwhile is not decided again", async () => {
    const id = await service.file({ program: programOf("first-mail") });
    await service.until(id, ({ status }) => status === "pending");
    await signIn();
    await open(id);
    await page.getByRole("button", { name: "Approve once", exact: true }).click();
    // The page hears nothing while somebody else is quicker.
    await page.route("**/api/requests/*", (route) => route.abort());
    const { revision } = await service.read(id);
    const other = await fetch(`${service.address}/api/requests/${id}/decision`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.reviewer}`, "content-type": "application/json" },
      body: JSON.stringify({ decision: "rejected", text: "no", revision }),
    });
    expect(other.status).toBe(200);
    await page.getByRole("button", { name: "Confirm: approve once" }).click();
    await page.getByRole("alert").filter({ hasText: "Your decision was not recorded" }).waitFor();
    expect((await service.read(id)).decision).toBe("rejected");
    // The browser reports what was kept from it.
    watched.trouble.splice(0);
  });

  test("a choice is taken back when the request changes before it is confirmed", async () => {
    const id = await service.file({ program: programOf("first-mail") });
    const { revision } = await service.until(id, ({ status }) => status === "pending");
    await signIn();
    await open(id);
    await page.getByRole("button", { name: "Approve once", exact: true }).click();
    await fetch(`${service.address}/api/requests/${id}/decision`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.reviewer}`, "content-type": "application/json" },
      body: JSON.stringify({ decision: "rejected", revision }),
    });
    await page.getByRole("alert").filter({ hasText: "has changed while you were deciding" }).waitFor();
    expect(await page.getByRole("button", { name: /^Confirm/ }).count()).toBe(0);
    await page.getByText(/Rejected by/).waitFor();
  });

  test("what does not compile cannot be approved, and says why", async () => {
    const text = programOf("first-mail").text.replace("email.send", "email.sendd");
    const id = await service.file({ program: { file: "typo.ts", text } });
    await signIn();
    await open(id);
    await page.getByRole("heading", { name: "Why it cannot be approved" }).waitFor();
    await page.getByText("sendd").first().waitFor();
    expect(await page.getByRole("button", { name: /approve/i }).count()).toBe(0);
    await page.getByText("there is nothing to decide").waitFor();
  });

  test("a smaller budget, an approval that stands, and what is new since", async () => {
    // Names of their own: other tests file the same program.
    const program = { ...programOf("first-mail"), file: "daily.ts" };
    const id = await service.file({ program, budget: "20" });
    await service.until(id, ({ status }) => status === "pending");
    await signIn();
    await open(id);
    await page.getByText("Edit inputs and budget").click();
    await page.getByLabel(/^Budget/).fill("30");
    await page.getByRole("button", { name: "Use these values" }).click();
    await page.getByRole("alert").filter({ hasText: "more than the agent asked for" }).waitFor();
    await page.getByLabel(/^Budget/).fill("10");
    await page.getByRole("button", { name: "Use these values" }).click();
    await page.getByText(/^Edited by reviewer/).waitFor();
    await page.getByLabel("Also approve later requests for the same").check();
    await page.getByLabel("times").fill("1");
    await page.getByRole("button", { name: "Approve once", exact: true }).click();
    await page.getByText("passes 1 more time without a question").waitFor();
    await page.getByRole("button", { name: "Confirm: approve once" }).click();
    await page.getByText(/It made a standing approval/).waitFor();
    expect(await service.read(id)).toMatchObject({ budget: "10", edited: { budget: "20" } });

    const second = await service.file({ program, budget: "10" });
    expect(await service.until(second, ({ status }) => status === "decided")).toMatchObject({
      decision: "auto_approved",
    });
    const other = { ...program, text: program.text.replace("carol", "carl").replace("carol", "carl") };
    const third = await service.file({ program: other, budget: "10" });
    await service.until(third, ({ status }) => status !== "proving");
    await open(third);
    const since = page.locator("section[aria-labelledby=since]");
    await since.locator(".diff .added").first().waitFor();
    expect(await since.innerText()).toMatch(/another program, \d+ changes/);
    await shoot(page, "service-since");
    await page.goto(`${service.address}/#/standing`);
    await page.getByText(/used up.*1 of 1 use/).waitFor();
    await shoot(page, "service-standing", false);
    await page.getByRole("link", { name: "agent", exact: true }).click();
    await page.locator(".requests li").nth(2).waitFor();
    expect(await page.locator(".sum").innerText()).toBe("3 requests");
  });

  // The last one: from then on a rule decides.
  test("who approves and remembers sees the rule that is proposed", async () => {
    const id = await service.file({ program: programOf("first-mail") });
    await signIn();
    await open(id);
    await decide("Approve and remember");
    await page.getByText("A rule that would have approved it").waitFor();
    const rule = await page.locator("#rule").inputValue();
    expect(JSON.parse(rule).decision).toBe("auto_approved");
    expect((await service.read(id)).decision).toBe("approved_remember");
    await page.getByText("An admin can add it to the policy.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Credential").fill(service.admin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Add to the policy" }).click();
    await page.getByText("It is in the policy.").waitFor();
    await shoot(page, "service-remember");
    const next = await service.file({ program: programOf("first-mail") });
    const decided = await service.until(next, ({ status }) => status === "decided");
    expect(decided.decision).toBe("auto_approved");
    await open(next);
    await page.getByText(/Approved by the policy by rule/).waitFor();
  });
});
