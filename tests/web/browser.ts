/** A real browser: Debian's Chromium, or where none is, a reason to leave the tests out. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.FORECLAIM_CHROMIUM ?? places.find((path) => existsSync(path));

/** True if there is no browser, and none is required. */
export const isMissing = executablePath === undefined && process.env.CI !== "true";
if (isMissing) process.stderr.write("no Chromium is installed: the page is not tested in a browser\n");

export function startBrowser(): Promise<Browser> {
  if (executablePath === undefined)
    throw new Error(
      "the tests of the page need Chromium: apt-get install -y --no-install-recommends chromium",
    );
  const quiet = ["quic", "background-networking", "component-update", "sync", "gpu"].map(
    (one) => `--disable-${one}`,
  );
  return chromium.launch({
    executablePath,
    args: ["--headless", "--no-sandbox", "--no-first-run", ...quiet],
  });
}

/** Forbidden events, noted as they happen: requests to elsewhere, dialogs, errors, breaches of the policy. */
export interface Watched {
  readonly page: Page;
  /** A test that causes some of it on purpose empties it. */
  readonly trouble: string[];
}

export function watch(page: Page, origin: string): Watched {
  const trouble: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:image/")) trouble.push(`asked ${url}`);
  });
  page.on("dialog", (dialog) => {
    trouble.push(`opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => trouble.push(`failed: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // A browser reports every refusal of the service, also those that are tried, and what a test keeps from it.
    if (message.type() === "error" && !/status of 4\d\d|net::ERR_FAILED/.test(text)) trouble.push(text);
  });
  return { page, trouble };
}

const folder = join(import.meta.dirname, "../../coverage/screenshots");

/** For people to look at: nothing is compared. */
export async function shoot(page: Page, name: string, fullPage = true): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage, animations: "disabled" });
}
