/**
 * The playground in a real browser: the same reports as the command on all its examples, changes, addresses, keys, deep
 * nesting, a server that isolates nothing, and what a screen reader and a phone find.
 */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Example, examples } from "../../scripts/playground.mjs";
import {
  failuresIn,
  invalidReport,
  load,
  nodeFiles,
  type PlaygroundFiles,
  type PlaygroundServer,
  playgroundFiles,
  proofReport,
  prove,
  SolverPool,
  servePlayground,
  writePlayground,
} from "../../src/app/index.ts";
import { build, root } from "../cli/built.ts";
import { accessibleProblems } from "../web/accessible.ts";
import { isMissing, shoot, startBrowser, type Watched, watch } from "../web/browser.ts";

let files: PlaygroundFiles;
let server: PlaygroundServer;
const folder = mkdtempSync(join(tmpdir(), "foreclaim-playground-"));

beforeAll(async () => {
  await build();
  const found = await playgroundFiles(join(root, "dist/playground"));
  if (!found.ok) throw new Error(found.problems[0]?.message);
  files = found.value;
  const running = await servePlayground(files, { host: "127.0.0.1", port: 0 });
  if (!running.ok) throw new Error(running.problems[0]?.message);
  server = running.value;
}, 120_000);
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the server", () => {
  test("isolates every answer, and has no other files", async () => {
    for (const [path, status] of [
      ["", 200],
      ["parser.wasm", 200],
      ["z3-built.wasm", 200],
      ["nothing.js", 404],
      ["..%2fcli%2fmain.js", 404],
      ["../../package.json", 404],
    ] as const) {
      const answer = await fetch(`${server.address}${path}`, { method: "HEAD" });
      expect([path, answer.status]).toEqual([path, status]);
      expect(answer.headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(answer.headers.get("cross-origin-embedder-policy")).toBe("require-corp");
    }
    expect((await fetch(server.address, { method: "POST", body: "x" })).status).toBe(405);
  });

  test("tells a browser that a file is unchanged", async () => {
    const first = await fetch(`${server.address}parser.wasm`);
    const tag = first.headers.get("etag") ?? "";
    expect((await first.arrayBuffer()).byteLength).toBe(files.get("parser.wasm")?.size);
    const again = await fetch(`${server.address}parser.wasm`, { headers: { "if-none-match": tag } });
    expect(again.status).toBe(304);
  });

  test("says why it cannot listen", async () => {
    const port = Number(new URL(server.address).port);
    expect(await servePlayground(files, { host: "127.0.0.1", port })).toMatchObject({
      ok: false,
      problems: [
        {
          code: "FC9001",
          message: `cannot listen on \`127.0.0.1:${port}\`: another process listens there already`,
        },
      ],
    });
  });

  test("writes files into an empty folder alone", async () => {
    const out = join(folder, "out");
    expect(await writePlayground(files, out)).toMatchObject({ ok: true, value: { files: files.size } });
    expect(readdirSync(out).sort()).toEqual([...files.keys()].sort());
    expect(await writePlayground(files, out)).toMatchObject({ ok: false, problems: [{ code: "FC9004" }] });
  });
});

/** Waits as long as a busy machine takes. */
function eventually<T>(look: () => T) {
  return expect.poll(look, { timeout: 60_000 });
}

/** As `foreclaim prove --json` prints it in the folder of the program, without its time. */
async function reportOf({ id, entry, files: texts }: Example, pool: SolverPool): Promise<object> {
  const home = join(folder, id);
  for (const [name, text] of texts) {
    await mkdir(dirname(join(home, name)), { recursive: true });
    await writeFile(join(home, name), text);
  }
  const loading = await load({ path: join(home, entry) }, { fs: nodeFiles });
  const report = await (async () => {
    if (loading.kind !== "loaded") return invalidReport(entry, failuresIn(loading), 0);
    const proved = await prove(loading.loaded, { pool, timeoutMs: 10_000 });
    if (!proved.ok) throw new Error(proved.problems[0]?.message);
    return proofReport(entry, proved.value, 0);
  })();
  const { ms: _, ...rest } = report;
  return JSON.parse(JSON.stringify(rest).replaceAll(`${home}/`, ""));
}

describe.skipIf(isMissing)("the playground", () => {
  let browser: Browser;
  let context: BrowserContext | undefined;
  let page: Page;
  let watched: Watched;

  beforeAll(async () => {
    browser = await startBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
  });
  afterEach(async () => {
    await context?.close();
    context = undefined;
    expect(watched.trouble).toEqual([]);
  });

  async function open(
    fragment: string,
    options: BrowserContextOptions = {},
    at = server.address,
  ): Promise<void> {
    context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    page = await context.newPage();
    watched = watch(page, at.slice(0, -1));
    await page.goto(`${at}${fragment}`);
  }

  const status = () => page.locator(".result .status-text");
  const editor = () => page.getByRole("textbox", { name: /^Source of/ });

  async function report(): Promise<unknown> {
    return JSON.parse((await page.locator(".report pre").textContent()) ?? "");
  }

  test("has the reports of the command for all its examples", async () => {
    const pool = new SolverPool();
    const all = examples();
    expect(all.length).toBeGreaterThanOrEqual(12);
    await open(`#example=${all[0]?.id}`);
    try {
      for (const example of all) {
        await page.getByRole("combobox", { name: "Example" }).selectOption(example.id);
        await eventually(() => editor().inputValue()).toBe(new Map(example.files).get(example.entry));
        await page.locator(".result:not(.old) .report").waitFor({ state: "attached", timeout: 60_000 });
        expect([example.id, await report()]).toEqual([example.id, await reportOf(example, pool)]);
      }
    } finally {
      await pool.close();
    }
  });

  test("loads the solver only where a question is left for it", async () => {
    const asked: string[] = [];
    await open("");
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("combobox", { name: "Example" }).selectOption("copy-outside");
    await eventually(() => status().textContent()).toMatch(/refuted.*without the solver/);
    expect(asked).not.toContain("/z3-built.wasm");
    await page.getByRole("combobox", { name: "Example" }).selectOption("split-payment");
    await eventually(() => status().textContent()).toMatch(/proved.*with the solver/);
    expect(asked).toContain("/z3-built.wasm");
  });

  test("proves what is typed, and keeps it in the address", async () => {
    await open("#example=welcome");
    await eventually(() => status().textContent()).toMatch(/proved.*all 5 guarantees hold/);
    const text = await editor().inputValue();
    await editor().fill(text.replace("email.atMost(3)", "email.atMost(2)"));
    await eventually(() => status().textContent()).toMatch(/refuted.*4 of 5 guarantees hold/);
    await eventually(() => page.url()).toMatch(/#code=/);
    const shared = page.url().slice(server.address.length);
    await context?.close();
    await open(shared);
    await eventually(() => status().textContent()).toMatch(/refuted.*4 of 5 guarantees hold/);
    await eventually(() => editor().inputValue()).toContain("email.atMost(2)");
  });

  test("shows where a program does not compile, and takes a new file for a tool", async () => {
    await open("#example=welcome");
    await editor().fill(
      'import { program } from "foreclaim";\nimport * as mine from "./tools/mine";\nlet x = ;\n',
    );
    await eventually(() => status().textContent()).toMatch(/invalid/);
    await eventually(() => page.locator(".gutter-line.invalid").first().textContent()).toBe("✗3");
    await page.getByRole("button", { name: "Add a file" }).click();
    await editor().fill(
      'import { tool } from "foreclaim";\nexport const act = tool({ run: async () => {} });\nexport const never = () => 0;\n',
    );
    const name = page.getByRole("textbox", { name: "File name" });
    await eventually(() => name.inputValue()).toBe("tools/mine.ts");
    await name.fill("tools/../x.ts");
    await name.press("Enter");
    await eventually(() => page.getByRole("alert").textContent()).toMatch(/letters, digits/);
  });

  test("starts with an example where the address is damaged", async () => {
    await open("#code=%%%");
    for (const [fragment, message] of [
      ["#code=%%%", /damaged/],
      ["#code=AAAA", /damaged/],
      ["#other", /damaged/],
      [`#code=${"A".repeat(200_001)}`, /damaged/],
      ["#example=nothing", /no such example/],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
      await eventually(() => page.locator(".toast").textContent()).toMatch(message);
      await eventually(() => status().textContent()).toMatch(/proved/);
      await eventually(async () => page.url()).toMatch(/#example=welcome$/);
    }
  });

  test("goes on after a text that is nested too deeply", async () => {
    await open("#example=welcome");
    await eventually(() => status().textContent()).toMatch(/proved/);
    const text = await editor().inputValue();
    const deep = `${text}\nconst deep = ${"(".repeat(5_000)}1${")".repeat(5_000)};\n`;
    await editor().fill(deep);
    await eventually(() => status().textContent()).toMatch(/invalid/);
    await eventually(() => page.locator(".claim").first().textContent()).toMatch(/nested/);
    await editor().fill(text);
    await eventually(() => status().textContent()).toMatch(/proved/);
  });

  test("steps through a counterexample by keys", async () => {
    await open("#example=copy-outside");
    await eventually(() => status().textContent()).toMatch(/refuted/);
    await page.locator("#counterexample").focus();
    await page.keyboard.press("n");
    await eventually(() => page.locator(".step-at").textContent()).toMatch(/^step 1 of/);
    await eventually(() => page.locator(".gutter-line.here").count()).toBe(1);
    await page.keyboard.press("p");
    await eventually(() => page.locator(".step-at").textContent()).toBe("before the first call");
  });

  test("is reached by keys alone", async () => {
    await open("#example=copy-outside");
    await eventually(() => status().textContent()).toMatch(/refuted/);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await eventually(() => page.evaluate("document.activeElement?.id")).toBe("result");
  });

  test("asks the solver also where the server isolates nothing", async () => {
    const plain = await plainServer(files);
    try {
      await open("#example=split-payment", {}, plain.address);
      await eventually(() => status().textContent()).toMatch(/proved.*with the solver/);
    } finally {
      await context?.close();
      plain.server.close();
    }
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)("is fit for a screen reader and a narrow screen (%s, %i)", async (colorScheme, width) => {
    await open("#example=recipient-from-mail", { colorScheme, viewport: { width, height: 844 } });
    await eventually(() => page.locator(".status-text").first().textContent()).toMatch(/refuted/);
    await eventually(() => accessibleProblems(page)).toEqual([]);
    await shoot(page, `playground-${colorScheme}-${width}`, false);
    if (width < 400) await page.getByRole("button", { name: "Result", exact: true }).click();
    await page.locator("#counterexample").waitFor();
    await eventually(() => accessibleProblems(page)).toEqual([]);
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    await eventually(() => page.evaluate(overflow)).toBeLessThanOrEqual(0);
    await shoot(page, `playground-result-${colorScheme}-${width}`, true);
  });
});

/** A server of files as many are: it says nothing of isolation. */
async function plainServer(
  served: PlaygroundFiles,
): Promise<{ readonly server: Server; readonly address: string }> {
  const made = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = served.get(pathname === "/" ? "index.html" : pathname.slice(1));
    if (file === undefined) response.writeHead(404).end();
    else
      void readFile(file.path).then((bytes) =>
        response.writeHead(200, { "content-type": file.type }).end(bytes),
      );
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const address = made.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return { server: made, address: `http://127.0.0.1:${address.port}/` };
}
