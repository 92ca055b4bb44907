// Which functions of the kernel the model in proofs/kernel follows, and whether one changed since the two were compared by a
// reader. `node scripts/modelled.mjs` reports each that did; `--accept` records the functions as they are now.
//
// proofs/kernel/modelled.json has for each file the digest of every top-level function, constant and class without comments
// and layout, and the digest of all definitions of the model. A function that is new, gone or changed is drift.
// A function may be recorded that the model leaves out; proofs/README.md says under "Limits" what it leaves out.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseSync } from "oxc-parser";
import { sourcesDigest } from "./proofs.mjs";
import { isMain, ROOT } from "./tools.mjs";

export const RECORD = "proofs/kernel/modelled.json";

/** Files of the kernel that the model follows, and the file of the model. */
export const FILES = {
  "src/kernel/core/action.ts": "Rule.v, Budget.v",
  "src/kernel/core/budget.ts": "Budget.v",
  "src/kernel/core/command.ts": "Kernel.v",
  "src/kernel/core/commit.ts": "Kernel.v",
  "src/kernel/core/decision.ts": "Kernel.v",
  "src/kernel/core/effects.ts": "Value.v",
  "src/kernel/core/history.ts": "Kernel.v",
  "src/kernel/core/invariant.ts": "Rule.v",
  "src/kernel/core/judge.ts": "Kernel.v",
  "src/kernel/core/operator.ts": "Kernel.v",
  "src/kernel/core/policy.ts": "Kernel.v, Budget.v",
  "src/kernel/core/receipt.ts": "Kernel.v",
  "src/kernel/core/reserve.ts": "Kernel.v",
  "src/kernel/core/rollback.ts": "Kernel.v",
  "src/kernel/core/state.ts": "Kernel.v",
  "src/kernel/core/step.ts": "Kernel.v",
  "src/kernel/limits.ts": "Value.v",
  "src/kernel/rules/bounds.ts": "Rule.v",
  "src/kernel/rules/gates.ts": "Rule.v",
  "src/kernel/rules/rule.ts": "Rule.v",
  "src/kernel/trace/entry.ts": "Trace.v",
  "src/kernel/trace/open.ts": "Kernel.v",
  "src/kernel/trace/read.ts": "Trace.v",
  "src/kernel/trace/verify.ts": "Trace.v",
};

/**
 * Digests of the top-level declarations of a module, without comments and layout. Types count: a new field of the state is
 * something that the model lacks.
 *
 * @param {string} path
 * @param {string} text
 * @returns {Readonly<Record<string, string>>}
 */
export function declarationsOf(path, text) {
  const { program, comments } = parseSync(path, text);
  /** @type {Record<string, string>} */
  const found = {};
  for (const node of program.body) {
    const declared = "declaration" in node && node.declaration !== null ? node.declaration : node;
    const named =
      "id" in declared && declared.id !== null && "name" in declared.id ? declared.id.name : undefined;
    const first = "declarations" in declared ? declared.declarations[0] : undefined;
    const name = named ?? (first !== undefined && "name" in first.id ? first.id.name : undefined);
    if (typeof name !== "string") continue;
    let plain = "";
    let at = node.start;
    for (const { start, end } of comments) {
      if (start < node.start || end > node.end) continue;
      plain += text.slice(at, start);
      at = end;
    }
    plain += text.slice(at, node.end);
    found[name] = createHash("sha256").update(plain.replace(/\s+/g, " ")).digest("hex").slice(0, 16);
  }
  return found;
}

/** The record of what is there now. */
export function currentRecord() {
  const files = Object.fromEntries(
    Object.keys(FILES).map((path) => [path, declarationsOf(path, readFileSync(join(ROOT, path), "utf8"))]),
  );
  return { model: sourcesDigest("proofs/kernel"), files };
}

/**
 * Names of declarations that changed since they were recorded.
 *
 * @param {{ files: Readonly<Record<string, Readonly<Record<string, string>>>> }} recorded
 * @param {{ files: Readonly<Record<string, Readonly<Record<string, string>>>> }} current
 */
export function driftOf(recorded, current) {
  const paths = [...new Set([...Object.keys(recorded.files), ...Object.keys(current.files)])];
  return paths.flatMap((path) => {
    const [then, now] = [recorded.files[path] ?? {}, current.files[path] ?? {}];
    return [...new Set([...Object.keys(then), ...Object.keys(now)])]
      .filter((name) => then[name] !== now[name])
      .map((name) => {
        const what = then[name] === undefined ? "is new" : now[name] === undefined ? "is gone" : "changed";
        // SAFETY: of this table's keys; a file that left it has no model to name.
        const model = FILES[/** @type {keyof typeof FILES} */ (path)] ?? "the model";
        return `\`${name}\` of ${path} ${what}; its model is in proofs/kernel/${model}`;
      });
  });
}

export const ADVICE =
  "The model in proofs/kernel may no longer be the kernel. Read the change and the definition of the same name in the model; " +
  "if the decision differs, change the model, then its proofs, and run `npm run proofs -- --write`. " +
  "`npx vitest run tests/proofs` compares both. Then record the functions with `node scripts/modelled.mjs --accept`.";

function main() {
  const { values } = parseArgs({ options: { accept: { type: "boolean", default: false } } });
  const current = currentRecord();
  if (values.accept) {
    writeFileSync(join(ROOT, RECORD), `${JSON.stringify(current, undefined, 2)}\n`);
    return;
  }
  const drift = driftOf(JSON.parse(readFileSync(join(ROOT, RECORD), "utf8")), current);
  if (drift.length === 0) return;
  console.error(`${drift.join("\n")}\n${ADVICE}`);
  process.exitCode = 1;
}

if (isMain(import.meta.url)) main();
