/** The card of a request against a second, naive reading of its document. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadProgram } from "../../src/app/load/typescript.ts";
import type { ProofView, RiskCard } from "../../src/approve/wire.ts";
import { processHost } from "../../src/cli/host.ts";
import { type Checked, type Command, printExpr } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { folder } from "../examples/examples.ts";
import { requestOf } from "./views.ts";

const names = [
  "agentdojo/address-from-file",
  "agentdojo/amount-approved",
  "agentdojo/hides-in-an-event",
  "agentdojo/pay-bill-approved",
  "agentdojo/recipient-by-branch",
  "bank/pay-bill",
  "bank/pay-card",
  "club/pay-until-over",
  "database/mail-everyone",
  "email/first-mail",
  "email/triage",
  "email/welcome",
  "filesystem/inventory",
  "guardians/answers-inside",
  "guardians/forwards-as-told",
  "home/early-return",
  "http/ping-hosts",
  "policies/only-to",
  "policies/strangers-decide-nothing",
  "policies/strangers-decide-nothing-urgent",
];

const solver = z3Wasm();
const views = new Map<
  string,
  { readonly proof: ProofView; readonly card: RiskCard; readonly checked: Checked }
>();

beforeAll(async () => {
  for (const name of names) {
    const { proof } = await requestOf(name, solver);
    const loaded = await loadProgram(processHost(process), join(folder, `${name}.ts`), undefined);
    if (proof?.card === undefined || loaded.kind !== "loaded") throw new Error(`${name} has no card`);
    views.set(name, { proof, card: proof.card, checked: loaded.document.checked });
  }
});
afterAll(() => solver.close());

const viewOf = (name: string) => {
  const found = views.get(name);
  if (found === undefined) throw new Error(name);
  return found;
};
const items = (card: RiskCard, kind: RiskCard["facts"][number]["kind"]) =>
  card.facts.filter((one) => one.kind === kind).flatMap((one) => one.items);

/** Every call command, however deep. */
function callsIn(value: unknown): Extract<Command, { readonly kind: "call" }>[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(callsIn);
  // SAFETY: only commands have this kind.
  return "kind" in value && value.kind === "call" && "tool" in value
    ? [value as Extract<Command, { readonly kind: "call" }>, ...below]
    : below;
}

/** Tools of the program that change something and that some run may call. */
function changing({ proof, checked }: ReturnType<typeof viewOf>): string[] {
  const never = new Set(
    proof.mayDo.calls.filter(({ when }) => when?.startsWith("never") === true).map(({ tool }) => tool),
  );
  const reads = (tool: string) => checked.document.tools.find(({ name }) => name === tool)?.reads === true;
  const named = callsIn(checked.document.program.body).map(({ tool }) => tool);
  return [...new Set(named)].filter(
    (tool) => !tool.startsWith("foreclaim.") && !reads(tool) && !never.has(tool),
  );
}

describe.each(names)("%s", (name) => {
  test("names every tool that changes something", () => {
    const view = viewOf(name);
    const tools = items(view.card, "changes").map((one) => /^`([^`]+)`/.exec(one)?.[1] ?? one);
    expect(tools.sort()).toEqual(changing(view).sort());
  });

  test("names every one that no proved guarantee speaks of", () => {
    const view = viewOf(name);
    const spoken = view.checked.document.guarantees
      .filter((_, i) => view.proof.guarantees[i]?.verdict === "proved")
      .map(({ formula }) => (formula === undefined ? "" : printExpr(formula)));
    const labels = (tool: string) =>
      view.checked.document.tools.find((one) => one.name === tool)?.labels ?? [];
    // A guarantee that reads neither the tool, nor a label of it, nor a fluent says nothing about it.
    const silent = changing(view).filter((tool) =>
      spoken.every(
        (text) =>
          ![tool, ...labels(tool)].some((one) => text.includes(one)) && !/final|always|state/.test(text),
      ),
    );
    for (const tool of silent) expect(items(view.card, "unsaid")).toContain(`\`${tool}\``);
  });

  test("is green only if nothing is open", () => {
    const { card, proof } = viewOf(name);
    const all = [...proof.guarantees, ...proof.obligations];
    const isOpen =
      all.some(({ verdict }) => verdict !== "proved") ||
      proof.guarantees.some(({ interruption }) => interruption?.safe !== true) ||
      items(card, "unsaid").length > 0 ||
      items(card, "chosen").length > 0 ||
      items(card, "unstated").length > 0 ||
      items(card, "private").length > 0 ||
      items(card, "looks").length > 0;
    expect(card.level === "green").toBe(!isOpen);
    if (all.some(({ verdict }) => verdict !== "proved")) expect(card.level).toBe("red");
  });

  test("names what is recommended and neither stated nor proved", () => {
    const { card, proof } = viewOf(name);
    const stated = new Set(
      proof.guarantees.filter(({ enforced }) => !enforced).map((one) => one.name.replace(/\(.*$/s, "")),
    );
    for (const one of items(card, "unstated")) expect(stated).not.toContain(/^`([^`(]*)/.exec(one)?.[1]);
    const isMissing = proof.coverage.some(
      ({ status }) => status === "recommended_gap" || status === "silent_gap",
    );
    if (isMissing) expect(items(card, "unstated")).not.toEqual([]);
  });

  test("tells of private results only where a tool that marks them is called and there is an answer", () => {
    const { card, checked } = viewOf(name);
    const body = callsIn(checked.document.program.body).map(({ tool }) => tool);
    const marked = checked.document.tools.filter(
      ({ name: tool, readers, labels = [] }) =>
        body.includes(tool) && (readers !== undefined || labels.length > 0),
    );
    const isTold = body.some((tool) => tool === "foreclaim.answer" || tool === "foreclaim.note");
    if (!isTold || marked.length === 0) expect(items(card, "private")).toEqual([]);
    const isPlain = /^[ -~]*$/.test(
      JSON.stringify(checked.document, (_, one) => (typeof one === "bigint" ? "" : one)),
    );
    if (isPlain) expect(items(card, "looks")).toEqual([]);
  });

  test("tells of untrusted choices only where there is an untrusted result or a caught failure", () => {
    const { card, checked } = viewOf(name);
    const body = callsIn(checked.document.program.body);
    const untrusted = new Set(
      checked.document.tools.filter((one) => one.untrusted === true).map((one) => one.name),
    );
    const isPossible = body.some(({ tool }) => untrusted.has(tool)) || body.some((one) => "reason" in one);
    if (!isPossible) expect(items(card, "chosen")).toEqual([]);
  });
});

test.each([
  ["policies/strangers-decide-nothing-urgent", "red"],
  ["agentdojo/recipient-by-branch", "red"],
  ["policies/only-to", "green"],
] as const)("%s is %s", (name, level) => {
  expect(viewOf(name).card.level).toBe(level);
});
