/** Accessibility of the page for screen readers and fingers, as the browser has it. */
import type { Page } from "playwright-core";

/** In the page: no types of a browser here, so it is a text. */
const look = `(() => {
  const found = [];
  const seen = (node) => node.getClientRects().length > 0 && getComputedStyle(node).visibility !== "hidden";
  const nameOf = (node) => {
    const ids = (node.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
    const labelled = ids.map((id) => document.getElementById(id)?.textContent ?? "").join(" ");
    const labels = [...(node.labels ?? [])].map((label) => label.textContent).join(" ");
    return (node.getAttribute("aria-label") ?? (labelled || labels || node.textContent || "")).trim();
  };
  const say = (what, node) => found.push(what + ": " + node.outerHTML.slice(0, 120));
  for (const node of document.querySelectorAll("button, a, input, select, textarea, dialog[open]"))
    if (seen(node) && nameOf(node) === "") say("no name", node);
  for (const node of document.querySelectorAll("section, nav, aside"))
    if (seen(node) && nameOf(node) === "") say("no name", node);
  for (const node of document.querySelectorAll("[aria-labelledby], [aria-describedby]"))
    for (const id of (node.getAttribute("aria-labelledby") ?? node.getAttribute("aria-describedby")).split(" "))
      if (document.getElementById(id) === null) say("names nothing", node);
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) found.push("twice: " + id);
  if (document.querySelectorAll("main").length !== 1) found.push("not one main");
  if (document.querySelectorAll("h1").length !== 1) found.push("not one h1");
  let level = 0;
  for (const node of document.querySelectorAll("h1, h2, h3, h4")) {
    if (!seen(node)) continue;
    const here = Number(node.tagName[1]);
    if (here > level + 1) say("a level left out", node);
    level = here;
  }
  for (const node of document.querySelectorAll("ul, ol"))
    for (const child of node.children) if (child.tagName !== "LI") say("no item", child);
  for (const node of document.querySelectorAll("svg"))
    if (node.getAttribute("aria-hidden") !== "true") say("a picture without words", node);
  // Of those that stand alone: a link within a text is as high as its line.
  for (const node of document.querySelectorAll("button:not(.line-link), select, textarea, .requests a")) {
    const { width, height } = node.getBoundingClientRect();
    if (seen(node) && (width < 24 || height < 36)) say("small", node);
  }
  if (document.documentElement.lang === "") found.push("no language");
  return found;
})()`;

export function accessibleProblems(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(look);
}
