/** The built site: every link and anchor leads somewhere, all exports are in it, and a browser finds things in it. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildSite } from "../../scripts/docs.mjs";
import { playgroundFiles, writePlayground } from "../../src/app/index.ts";
import * as kernel from "../../src/kernel.ts";
import { build, root } from "../cli/built.ts";
import { isMissing, shoot, startBrowser } from "../web/browser.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-site-"));
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  await build();
  await buildSite(folder, join(root, "dist"));
  const files = await playgroundFiles(join(root, "dist/playground"));
  if (!files.ok) throw new Error(files.problems[0]?.message);
  const written = await writePlayground(files.value, join(folder, "playground"));
  if (!written.ok) throw new Error(written.problems[0]?.message);
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".html"),
  );
  pages = new Map(all.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(folder, name), "utf8")]));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function idsIn(html: string): ReadonlySet<string> {
  return new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id));
}

/** Sentences about links that lead nowhere. */
function brokenLinks(site: ReadonlyMap<string, string>): string[] {
  const ids = new Map([...site].map(([path, html]) => [path, idsIn(html)]));
  return [...site].flatMap(([path, html]) =>
    Array.from(html.matchAll(/ (?:href|src)="([^"]*)"/g), ([, link = ""]) => link).flatMap((link) => {
      if (/^(?:https:|data:|mailto:)/.test(link)) return [];
      if (/^(?:[a-z]+:|\/)/.test(link)) return [`${path}: ${link} is not relative`];
      const [target = "", anchor] = link.split("#");
      const to = target === "" ? path : posix.join(posix.dirname(path), target);
      if (!existsSync(join(folder, to)) || to.endsWith("/")) return [`${path}: there is no ${to}`];
      // The fragment of the playground is its state.
      if (anchor === undefined || to.startsWith("playground/")) return [];
      return ids.get(to)?.has(decodeURIComponent(anchor)) === true
        ? []
        : [`${path}: ${to} has no #${anchor}`];
    }),
  );
}

test("every link and anchor leads somewhere", () => {
  expect(pages.size).toBeGreaterThan(300);
  expect(brokenLinks(pages)).toEqual([]);
});

test("a link that leads nowhere is found", () => {
  const html =
    '<a href="nothing.html"></a><a href="#nothing"></a><a href="/index.html"></a><a href="file:x"></a>';
  expect(brokenLinks(new Map([["index.html", html]]))).toEqual([
    "index.html: there is no nothing.html",
    "index.html: index.html has no #nothing",
    "index.html: /index.html is not relative",
    "index.html: file:x is not relative",
  ]);
});

test("no page has an anchor twice", () => {
  for (const [path, html] of pages) {
    const all = Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
    expect([path, all.length]).toEqual([path, new Set(all).size]);
  }
});

test("every entry of the package has a page with its exports", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of Object.keys(exports).filter((one) => one !== "./package.json"))
    expect(pages.has(`api/${name.replace(/^\./, "foreclaim").replaceAll("/", "-")}.html`)).toBe(true);
  const ids = idsIn(pages.get("api/foreclaim-kernel.html") ?? "");
  expect(Object.keys(kernel).filter((name) => !ids.has(`export-${name}`))).toEqual([]);
});

describe.skipIf(isMissing)("in a browser, from files", () => {
  let browser: Browser;
  let context: BrowserContext | undefined;
  let page: Page;
  const trouble: string[] = [];

  beforeAll(async () => {
    browser = await startBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    await context?.close();
    expect(trouble.splice(0)).toEqual([]);
  });

  async function open(path: string, width = 1280, colorScheme: "light" | "dark" = "light"): Promise<void> {
    context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    page = await context.newPage();
    page.on("pageerror", (error) => trouble.push(error.message));
    page.on("request", (request) => {
      if (!/^(?:file|data):/.test(request.url())) trouble.push(`asked ${request.url()}`);
    });
    await page.goto(`${pathToFileURL(join(folder, path))}`);
  }

  test("the search finds a page by keys alone, and says where nothing is found", async () => {
    await open("docs/how-to/write-a-program.html");
    await page.keyboard.press("/");
    await page.keyboard.type("counterexample shortest");
    await page.locator("#found .hit").first().waitFor();
    await page.locator("#search").fill("reservation");
    await page.locator("#found .hit").first().waitFor();
    await page.keyboard.press("ArrowDown");
    const title = (await page.locator("#found .hit").first().locator("strong").textContent()) ?? "";
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => !url.pathname.endsWith("write-a-program.html"));
    const heading = title.split(" · ")[0] ?? "";
    expect(await page.locator("main").textContent()).toContain(heading);
    await page.locator("#search").fill("qqxyzzy");
    await page.locator("#found .nothing").waitFor();
  });

  test("colors are those of the system until others are chosen, and the choice stays", async () => {
    await open("index.html", 1280, "dark");
    const color = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const dark = await color();
    await page.getByRole("button", { name: "Dark or light colors" }).click();
    const light = await color();
    expect(light).not.toBe(dark);
    await page.goto(`${pathToFileURL(join(folder, "docs/index.html"))}`);
    expect(await color()).toBe(light);
  });

  test.each([
    ["index.html", 390, "light"],
    ["docs/reference/language.html", 390, "dark"],
    ["api/foreclaim-kernel.html", 390, "light"],
    ["index.html", 1280, "dark"],
  ] as const)("%s fits %i pixels (%s)", async (path, width, scheme) => {
    await open(path, width, scheme);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    expect(await page.locator("h1").count()).toBe(1);
    await shoot(page, `site-${path.replaceAll("/", "-")}-${width}-${scheme}`, false);
  });
});
