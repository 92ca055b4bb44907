/** The files of the approval page, read once. The service serves these and no others. */
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import type { Page } from "../../approve/index.ts";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

export async function readPages(folder: string): Promise<ReadonlyMap<string, Page>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const pages = new Map<string, Page>();
  for (const entry of entries) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const name = `/${relative(folder, path).split(sep).join("/")}`;
    const isLasting = /[-.][A-Za-z0-9_-]{8,}\.(?:js|css|svg|png|woff2)$/.test(entry.name);
    pages.set(name, { type, bytes: new Uint8Array(await readFile(path)), isLasting });
  }
  if (!pages.has("/index.html")) pages.set("/index.html", plainPage);
  return pages;
}

const plainPage: Page = {
  type: "text/html; charset=utf-8",
  isLasting: false,
  bytes: new TextEncoder().encode(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Foreclaim</title>
<h1>Foreclaim</h1>
<p>The service is running. Its page was not built; its API is described in <a href="/openapi.json">openapi.json</a>.</p>
</html>
`),
};
