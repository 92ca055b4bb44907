/**
 * A picture of a plan: levels as columns from left to right, an arrow for each edge, and a mark on every action that
 * something was found about. A level with many actions is folded into several columns of its own.
 */
import type { Finding } from "./findings.ts";
import { type Action, keyOf } from "./plan.ts";
import type { Graph } from "./strict/graph.ts";

export interface Drawing {
  readonly title: string;
  readonly actions: readonly Action[];
  readonly before: Graph["before"];
  /** Numbers of actions. */
  readonly levels: readonly (readonly number[])[];
  readonly findings: readonly Finding[];
}

/** LIMIT: of actions; nobody sees anything in a bigger picture. */
export const mostDrawn = 2_000;

const rowHeight = 62;
const boxHeight = 44;
const columnGap = 26;
const levelGap = 74;
const margin = 28;
const top = 96;

interface Box {
  readonly x: number;
  readonly y: number;
}

export function planSvg({ title, actions, before, levels, findings }: Drawing): string {
  const width = boxWidth(actions);
  const rows = rowsFor(actions.length, levels);
  const marks = marksOf(findings);
  const boxes = new Map<number, Box>();
  const bands: string[] = [];
  let x = margin;
  for (const [number, level] of levels.entries()) {
    const columns = Math.ceil(level.length / rows);
    const bandWidth = columns * width + (columns - 1) * columnGap;
    const perColumn = Math.ceil(level.length / columns);
    for (const [place, i] of inOrder(level, before, boxes).entries()) {
      const column = Math.floor(place / perColumn);
      boxes.set(i, { x: x + column * (width + columnGap), y: top + (place % perColumn) * rowHeight });
    }
    bands.push(band(x, bandWidth, perColumn, number, level.length));
    x += bandWidth + levelGap;
  }
  const tallest = Math.max(1, ...levels.map((level) => perColumnOf(level.length, rows)));
  const size = {
    width: Math.max(x - levelGap + margin, 420),
    height: top + tallest * rowHeight + margin,
  };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif">`,
    `<title>${escaped(title)}</title>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0.8 7 4 0 7.2z" fill="#64748b"/></marker></defs>',
    `<rect width="${size.width}" height="${size.height}" fill="#ffffff"/>`,
    head(title, actions.length, levels.length, findings),
    ...bands,
    `<g fill="none" stroke="#64748b" stroke-width="1.3" stroke-opacity="${actions.length > 60 ? 0.45 : 0.75}">`,
    ...edges(before, boxes, width),
    "</g>",
    ...actions.map((action, i) =>
      node(action, boxes.get(i) ?? { x: 0, y: 0 }, width, marks.get(action.id) ?? []),
    ),
    "</svg>",
    "",
  ].join("\n");
}

/** A picture about twice as wide as it is high. */
function rowsFor(actions: number, levels: readonly (readonly number[])[]): number {
  const widest = Math.max(1, ...levels.map((level) => level.length));
  return Math.min(widest, Math.max(8, Math.ceil(Math.sqrt(actions) * 1.3)));
}

function perColumnOf(count: number, rows: number): number {
  return Math.ceil(count / Math.ceil(count / rows));
}

/** Actions near those they wait for, so that arrows cross less. */
function inOrder(
  level: readonly number[],
  before: Graph["before"],
  boxes: ReadonlyMap<number, Box>,
): readonly number[] {
  const wish = new Map(
    level.map((i, place) => {
      const heights = (before[i] ?? []).map((one) => boxes.get(one)?.y ?? 0);
      const middle = heights.reduce((sum, y) => sum + y, 0) / heights.length;
      return [i, heights.length === 0 ? place : middle] as const;
    }),
  );
  return level.toSorted((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0) || a - b);
}

// ── parts ────────────────────────────────────────────────────────────────────────────────────────────────

function head(title: string, actions: number, levels: number, findings: readonly Finding[]): string {
  const count = (severity: Finding["severity"]) => findings.filter((one) => one.severity === severity).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const verdict = errors > 0 ? "not valid" : "valid";
  const said = [
    plural(actions, "action"),
    plural(levels, "level"),
    ...(errors > 0 ? [plural(errors, "error")] : []),
    ...(warnings > 0 ? [plural(warnings, "warning")] : []),
  ];
  return [
    `<text x="${margin}" y="34" font-size="18" font-weight="600" fill="#0f172a">${escaped(clipped(title, 36))}</text>`,
    `<text x="${margin}" y="56" font-size="13"><tspan font-weight="600" fill="${errors > 0 ? "#b91c1c" : "#15803d"}">${verdict}</tspan><tspan fill="#475569" dx="6">· ${said.join(", ")}</tspan></text>`,
  ].join("\n");
}

function band(x: number, width: number, rows: number, number: number, count: number): string {
  const height = rows * rowHeight + 12;
  const label = count === 1 ? `level ${number + 1}` : `level ${number + 1} · ${count}`;
  return [
    `<rect x="${x - 12}" y="${top - 16}" width="${width + 24}" height="${height}" rx="10" fill="#f1f5f9"/>`,
    `<text x="${x - 10}" y="${top - 22}" font-size="11" fill="#64748b">${label}</text>`,
  ].join("\n");
}

function edges(before: Graph["before"], boxes: ReadonlyMap<number, Box>, width: number): string[] {
  return before.flatMap((from, i) => {
    const to = boxes.get(i);
    return from.flatMap((one) => {
      const start = boxes.get(one);
      return start === undefined || to === undefined ? [] : [arrow(start, to, width)];
    });
  });
}

function arrow(from: Box, to: Box, width: number): string {
  const [x1, y1] = [from.x + width, from.y + boxHeight / 2];
  const [x2, y2] = [to.x - 2, to.y + boxHeight / 2];
  const bend = Math.max(24, Math.min(90, (x2 - x1) / 2));
  return `<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" marker-end="url(#tip)"/>`;
}

const looks = {
  error: { stroke: "#dc2626", fill: "#fef2f2", badge: "#dc2626" },
  warning: { stroke: "#d97706", fill: "#fffbeb", badge: "#d97706" },
  info: { stroke: "#94a3b8", fill: "#ffffff", badge: "#64748b" },
} as const;

function node(action: Action, { x, y }: Box, width: number, marks: readonly Finding[]): string {
  const worst = (["error", "warning", "info"] as const).find((one) =>
    marks.some((mark) => mark.severity === one),
  );
  const look = looks[worst ?? "info"];
  const most = Math.floor((width - 20) / 7);
  const lines = [
    "<g>",
    `<title>${escaped([action.id, ...marks.map(({ code, message }) => `${code}: ${message}`)].join("\n"))}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${boxHeight}" rx="7" fill="${look.fill}" stroke="${look.stroke}" stroke-width="${worst === undefined ? 1 : 1.8}"${action.failureBehavior === "skip" ? ' stroke-dasharray="5 3"' : ""}/>`,
    `<text x="${x + 10}" y="${y + 18}" font-size="12.5" font-weight="600" fill="#0f172a">${escaped(clipped(action.id, most))}</text>`,
    `<text x="${x + 10}" y="${y + 34}" font-size="11" fill="#475569">${escaped(clipped(purpose(action), most + 1))}</text>`,
  ];
  if (worst !== undefined) {
    const sign = marks.length > 1 ? String(Math.min(marks.length, 99)) : "!";
    lines.push(
      `<circle cx="${x + width - 2}" cy="${y + 2}" r="9" fill="${look.badge}"/>`,
      `<text x="${x + width - 2}" y="${y + 6}" font-size="11" font-weight="700" fill="#ffffff" text-anchor="middle">${sign}</text>`,
    );
  }
  return [...lines, "</g>"].join("\n");
}

function purpose(action: Action): string {
  switch (action.type) {
    case "tool_call":
      return action.tool ?? "";
    case "state_write":
      return `write ${keyOf(action) ?? ""}`;
    case "state_read":
      return `read ${keyOf(action) ?? ""}`;
    case "assertion":
      return `assert ${keyOf(action) ?? ""}`.trim();
  }
}

function marksOf(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const marks = new Map<string, Finding[]>();
  for (const finding of findings) {
    const known = marks.get(finding.actionId);
    if (known === undefined) marks.set(finding.actionId, [finding]);
    else known.push(finding);
  }
  return marks;
}

function boxWidth(actions: readonly Action[]): number {
  const longest = Math.max(...actions.map((action) => Math.max(action.id.length, purpose(action).length)), 0);
  return Math.min(190, Math.max(104, longest * 7.2 + 22));
}

function plural(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function clipped(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}

/** For text and attributes; XML has no place for most control characters and half pairs. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
