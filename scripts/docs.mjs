// Builds the site: `npm run docs` writes site/. Every page of the documentation, in the same places as in the repository,
// a front page, the reference of all public exports, a search and the playground. All links are relative, so that the
// site works below any address; links to files that are no pages lead to the repository.

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import { Marked } from "marked";
import { ensureBuilt } from "./ensure.mjs";
import { projectFiles } from "./files.mjs";
import { apiPages } from "./site/api.mjs";
import { frame, front, highlighter } from "./site/frame.mjs";
import { anchorOf, escaped } from "./site/text.mjs";
import { isMain, ROOT, runNode } from "./tools.mjs";

/**
 * @typedef {{ readonly id: string, readonly depth: number, readonly title: string }} Heading
 * @typedef {{ readonly path: string, readonly title: string, readonly html: string, readonly headings: readonly Heading[] }} Page path in the site
 * @typedef {{ readonly title: string, readonly links: readonly { readonly title: string, readonly path: string }[] }} Group
 */

const { repository } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** Address of files that are no pages. */
const forge = `${repository.url.replace(/^git\+/, "").replace(/\.git$/, "")}/blob/main`;

/** Pages outside docs/. */
const others = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md"];

/**
 * @param {string} path in the repository
 * @returns {string} its place in the site
 */
function placeOf(path) {
  if (path === "README.md") return "readme.html";
  return path.replace(/(^|\/)README\.md$/, "$1index.html").replace(/\.md$/, ".html");
}

/**
 * Writes the site.
 *
 * @param {string} out an empty folder, or one that is not there
 * @param {string} dist the built package
 */
export async function buildSite(out, dist) {
  const sources = projectFiles().filter(
    (path) => path.endsWith(".md") && (path.startsWith("docs/") || others.includes(path)),
  );
  const isPage = new Set(sources);
  const highlight = await highlighter();
  const images = new Set();
  const pages = [
    ...sources.map((path) =>
      markdownPage(path, readFileSync(join(ROOT, path), "utf8"), { isPage, images, highlight }),
    ),
    ...apiPages(dist, highlight),
  ];
  const groups = navigation(pages);
  for (const page of pages) write(out, page.path, frame(page, groups));
  write(out, "index.html", front(highlight));
  write(out, "assets/search-index.js", `self.searchIndex=${JSON.stringify(pages.flatMap(sectionsOf))};\n`);
  for (const name of ["site.css", "site.js"])
    cpSync(join(ROOT, "scripts/site", name), join(out, "assets", name));
  for (const path of new Set([...images, "docs/images/approval-page.png", "docs/images/flow.svg"])) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    cpSync(join(ROOT, path), join(out, path));
  }
  return pages.length + 1;
}

/**
 * @param {string} out
 * @param {string} path
 * @param {string} text
 */
function write(out, path, text) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}

/**
 * @param {string} path
 * @param {string} text
 * @param {{ readonly isPage: ReadonlySet<string>, readonly images: Set<string>, readonly highlight: (text: string, language: string) => string }} site
 * @returns {Page}
 */
function markdownPage(path, text, { isPage, images, highlight }) {
  /** @type {Heading[]} */
  const headings = [];
  const here = placeOf(path);
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const title = plain(html);
        // A heading of signs alone has no anchor on the forge.
        const anchor = anchorOf(title) || "sign";
        let id = anchor;
        for (let i = 1; headings.some((one) => one.id === id); i++) id = `${anchor}-${i}`;
        headings.push({ id, depth, title });
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to ${escaped(title)}">#</a></h${depth}>\n`;
      },
      code({ text: code, lang = "" }) {
        const [language = ""] = lang.split(/\s/);
        return `<pre tabindex="0"><code>${highlight(code, language)}</code></pre>\n`;
      },
      link({ href, title, tokens }) {
        const hint = title ? ` title="${escaped(title)}"` : "";
        return `<a href="${escaped(linkFrom(path, here, href, isPage))}"${hint}>${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text: words }) {
        if (/^[a-z]+:/.test(href)) return `<img src="${escaped(href)}" alt="${escaped(words)}" />`;
        const target = posix.join(posix.dirname(path), href);
        images.add(target);
        return `<img src="${escaped(relative(here, target))}" alt="${escaped(words)}" loading="lazy" />`;
      },
      table(token) {
        const cells = (
          /** @type {readonly import("marked").Tokens.TableCell[]} */ row,
          /** @type {string} */ tag,
        ) => row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const head = `<tr>${cells(token.header, "th")}</tr>`;
        const body = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
        return `<div class="table-frame" tabindex="0" role="region" aria-label="Table"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { path: here, title: headings[0]?.title ?? path, html, headings };
}

/**
 * @param {string} from in the repository
 * @param {string} here in the site
 * @param {string} href
 * @param {ReadonlySet<string>} isPage
 */
function linkFrom(from, here, href, isPage) {
  if (/^[a-z]+:/.test(href) || href.startsWith("#")) return href;
  const [path = "", anchor] = href.split("#");
  const target = posix.join(posix.dirname(from), path).replace(/\/$/, "");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  const page = [target, `${target}/README.md`].find((one) => isPage.has(one));
  return page === undefined ? `${forge}/${target}${hash}` : `${relative(here, placeOf(page))}${hash}`;
}

/**
 * @param {string} from
 * @param {string} to
 */
function relative(from, to) {
  return posix.relative(posix.dirname(from), to);
}

/** @param {string} html */
function plain(html) {
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

/**
 * The groups beside every page: those of the list of the documentation, and the reference of exports.
 *
 * @param {readonly Page[]} pages
 * @returns {Group[]}
 */
function navigation(pages) {
  const text = readFileSync(join(ROOT, "docs/README.md"), "utf8");
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  const groups = text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const found = Array.from(part.matchAll(/\]\(([^)#]+\.md)\)/g), ([, target = ""]) =>
        placeOf(posix.join("docs", target)),
      );
      // Pages of other folders are read on the forge.
      const links = [...new Set(found)].flatMap((path) => {
        const title = titles.get(path);
        return title === undefined ? [] : [{ path, title }];
      });
      return { title: part.slice(0, part.indexOf("\n")), links };
    })
    .filter(({ links }) => links.length > 1);
  const api = pages.filter(({ path }) => path.startsWith("api/")).map(({ path, title }) => ({ path, title }));
  return [...groups, { title: "Exports", links: api }];
}

/** LIMIT: of the text that the search knows of one section, in characters. */
const mostText = 2_000;

/**
 * Sections of a page, for the search.
 *
 * @param {Page} page
 */
function sectionsOf({ path, title, html }) {
  const parts = html.split(/(?=<h[1-3] id=")/);
  return parts.flatMap((part) => {
    const [, id = "", heading = ""] = /^<h[1-3] id="([^"]*)">(.*?) <a class="anchor"/s.exec(part) ?? [];
    const body = plain(part.replace(/^<h.*?<\/h[1-3]>/s, ""))
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, mostText);
    if (id === "" && body === "") return [];
    return [[`${path}${id === "" ? "" : `#${id}`}`, title, plain(heading), body]];
  });
}

if (isMain(import.meta.url)) {
  const code = ensureBuilt();
  if (code !== 0) process.exit(code);
  const out = join(ROOT, process.argv[2] ?? "site");
  rmSync(out, { recursive: true, force: true });
  const count = await buildSite(out, join(ROOT, "dist"));
  const written = runNode([join(ROOT, "dist/cli/main.js"), "playground", "--out", join(out, "playground")]);
  console.log(`${count} pages: ${pathToFileURL(join(out, "index.html"))}`);
  process.exitCode = written || (existsSync(join(out, "playground/index.html")) ? 0 : 1);
}
