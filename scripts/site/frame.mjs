// The frame of every page of the site, and its front page.

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "../tools.mjs";
import { escaped } from "./text.mjs";

/**
 * @typedef {import("../docs.mjs").Page} Page
 * @typedef {import("../docs.mjs").Group} Group
 */

/** Colors for code: as the playground has them. */
export async function highlighter() {
  const bundle = await rolldown({ cwd: ROOT, input: "src/playground/page/highlight.ts" });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  const { highlight } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  return (/** @type {string} */ text, /** @type {string} */ language) => {
    if (!/^(?:ts|tsx|js|mjs|typescript)$/.test(language)) return escaped(text);
    /** @type {{ kind: string, text: string }[]} */
    const tokens = highlight(text);
    return tokens
      .map(({ kind, text: part }) =>
        kind === "plain" ? escaped(part) : `<span class="t-${kind}">${escaped(part)}</span>`,
      )
      .join("");
  };
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%233b5bdb'/%3E%3Cpath d='M8.5 16.5l5 5 10-11' fill='none' stroke='white' stroke-width='3.4' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E";

/**
 * @param {string} path
 * @param {string} title
 * @param {string} body
 */
function document(path, title, body) {
  const base = posix.relative(posix.dirname(path), "") || ".";
  return `<!doctype html>
<html lang="en" data-base="${base}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escaped(title)}</title>
<link rel="icon" href="${icon}" />
<link rel="stylesheet" href="${base}/assets/site.css" />
<script src="${base}/assets/site.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="${base}/index.html"><svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" /><path d="M8.5 16.5l5 5 10-11" /></svg>Foreclaim</a>
<nav aria-label="Site">
<a href="${base}/docs/index.html">Docs</a>
<a href="${base}/api/foreclaim.html">Exports</a>
<a href="${base}/playground/index.html">Playground</a>
</nav>
<search class="search">
<label><span class="unseen">Search</span><input id="search" class="field" type="search" placeholder="Search  /" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" /></label>
<ul id="found" class="found" role="listbox" aria-label="Results" hidden></ul>
<p id="found-count" class="unseen" role="status"></p>
</search>
<button id="theme" class="theme" type="button" aria-label="Dark or light colors"><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="8.5" /><path d="M12 3.5a8.5 8.5 0 0 1 0 17z" /></svg></button>
</header>
${body}
</body>
</html>
`;
}

/**
 * @param {Page} page
 * @param {readonly Group[]} groups
 */
export function frame({ path, title, html, headings }, groups) {
  const to = (/** @type {string} */ target) => posix.relative(posix.dirname(path), target);
  const menu = groups
    .map(({ title: name, links }) => {
      const items = links.map(
        (one) =>
          `<li><a href="${to(one.path)}"${one.path === path ? ' aria-current="page"' : ""}>${escaped(one.title)}</a></li>`,
      );
      const isOpen =
        links.some((one) => one.path === path) || (path === "docs/index.html" && name !== "Exports");
      return `<details${isOpen ? " open" : ""}><summary>${escaped(name)}</summary><ul>${items.join("")}</ul></details>`;
    })
    .join("\n");
  const parts = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const toc =
    parts.length < 3
      ? ""
      : `<nav class="toc" aria-label="On this page"><p>On this page</p><ul>${parts
          .map(
            ({ id, depth, title: name }) =>
              `<li class="d${depth}"><a href="#${id}">${escaped(name)}</a></li>`,
          )
          .join("")}</ul></nav>`;
  return document(
    path,
    `${title} · Foreclaim`,
    `<div class="layout">
<nav class="side" aria-label="Pages"><details class="menu"><summary>All pages</summary><div>${menu}</div></details></nav>
<main id="main" tabindex="-1"><article>${html}</article></main>
${toc}
</div>`,
  );
}

/** @param {(text: string, language: string) => string} highlight */
export function front(highlight) {
  const sample = readFileSync(join(ROOT, "examples/email/copy-outside.ts"), "utf8");
  return document(
    "index.html",
    "Foreclaim: prove what an agent's program will do",
    `<main id="main" class="front" tabindex="-1">
<section class="hero" aria-labelledby="claim">
<h1 id="claim">Know what an agent's program will do before any of it runs</h1>
<p>An agent writes a small program and states guarantees. Foreclaim proves each of them for every input and every tool result, or shows a run that violates it. A person approves the guarantees, and exactly that program runs.</p>
<p class="actions"><a class="action primary" href="playground/index.html">Try it in your browser</a> <a class="action" href="docs/tutorial/first-program.html">Prove your first program</a> <a class="action" href="readme.html">Read on</a></p>
</section>
<figure class="wide"><img src="docs/images/flow.svg" alt="A program becomes one document with one hash. The prover decides its guarantees for every run, a person or a policy approves them, and an interpreter runs the document under a kernel, which leaves a trace." /></figure>
<section class="pair" aria-labelledby="catch">
<div><h2 id="catch">It finds the run that you did not think of</h2>
<p>The program promises that nothing leaves the company. In one case a copy does. Foreclaim shows the inputs, the calls and the line, and no test had to be written.</p>
<p><a href="playground/index.html#example=copy-outside">Step through the counterexample</a></p></div>
<pre tabindex="0"><code>${highlight(sample, "ts")}</code></pre>
</section>
<section class="pair" aria-labelledby="ask">
<div><h2 id="ask">People approve guarantees, not code</h2>
<p>The page says what changes, whom it reaches, what it can cost at most, and what untrusted text decides. The worst comes first.</p>
<p><a href="docs/how-to/approve-on-the-page.html">Approve on the page</a></p></div>
<figure><img src="docs/images/approval-page.png" alt="The approval page: a program's guarantees with their verdicts, the calls that it may make, and buttons to approve or reject." /></figure>
</section>
<section class="tiles" aria-label="More">
<a class="tile" href="docs/how-to/use-it-with-your-agent.html"><strong>Use it with your agent</strong><span>MCP, in two minutes; the AI SDK, OpenAI Agents, LangChain, Claude</span></a>
<a class="tile" href="docs/how-to/policies-against-prompt-injection.html"><strong>Against prompt injection</strong><span>Untrusted text must not decide what matters, and that is proved</span></a>
<a class="tile" href="docs/explanation/soundness.html"><strong>Soundness</strong><span>The basis of “proved”, and every wrong verdict that was found</span></a>
<a class="tile" href="docs/reference/kernel.html"><strong>The kernel</strong><span>Budgets, rules, rollback and a trace that shows tampering</span></a>
</section>
</main>`,
  );
}
