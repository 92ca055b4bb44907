/** No link leads nowhere, and no page is left alone. */

import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { projectFiles } from "../../scripts/files.mjs";
import type { SourceFile } from "../../scripts/rooms.mjs";
import { ROOT } from "../../scripts/tools.mjs";
import { blocksOf, pages } from "./pages.ts";

interface Link {
  readonly from: string;
  readonly target: string;
}

describe("every link leads somewhere", () => {
  test.each(pages.map((page) => [page.path, page] as const))("%s", (_, page) => {
    const broken = linksOf(page).filter(({ target }) => {
      const [path = "", anchor] = pathOf(page.path, target).split("#");
      if (!existsSync(join(ROOT, path))) return true;
      const to = pages.find((one) => one.path === path);
      return anchor !== undefined && to !== undefined && !anchorsOf(to).includes(anchor);
    });
    expect(broken.map(({ target }) => target)).toEqual([]);
  });
});

test("every page can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const path of reached) {
    const page = pages.find((one) => one.path === path);
    for (const { target } of page === undefined ? [] : linksOf(page)) {
      reached.add(pathOf(path, target).replace(/#.*$/, ""));
    }
  }
  expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});

test("every test and source that a page names is there", () => {
  const files = projectFiles();
  const lost = pages.flatMap((page) =>
    Array.from(proseOf(page).matchAll(/`((?:src|tests)\/[\w./-]+)`/g), ([, path = ""]) => path)
      .filter((path) => !files.some((file) => file.startsWith(path)))
      .map((path) => `${page.path}: ${path}`),
  );
  expect(lost).toEqual([]);
});

/** Links inside the repository. */
function linksOf(page: SourceFile): Link[] {
  return Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => ({
    from: page.path,
    target,
  })).filter(({ target }) => !/^[a-z]+:/.test(target));
}

/** From the root of the repository. */
function pathOf(from: string, target: string): string {
  return target.startsWith("#") ? `${from}${target}` : posix.join(posix.dirname(from), target);
}

/** As GitHub makes them of headings. */
function anchorsOf(page: SourceFile): string[] {
  return Array.from(proseOf(page).matchAll(/^#+ (.*)$/gm), ([, title = ""]) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The page without its blocks. */
function proseOf(page: SourceFile): string {
  const lines = page.text.split("\n");
  for (const { line, text } of blocksOf(page)) lines.fill("", line - 1, line + text.split("\n").length);
  return lines.join("\n");
}
