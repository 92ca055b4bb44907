// Proofs as SARIF 2.1.0, which code scanning shows at the lines of a pull request.

import { visible } from "./changes.mjs";

/**
 * @typedef {import("./changes.mjs").Proof} Proof
 * @typedef {import("./changes.mjs").Claim} Claim
 * @typedef {import("./changes.mjs").Problem} Problem
 * @typedef {import("./changes.mjs").Step} Step
 * @typedef {{ readonly file: string, readonly line?: number, readonly column?: number, readonly endLine?: number, readonly endColumn?: number }} Spot
 */

const rules = {
  refuted: { level: "error", text: "A run violates a guarantee, or what a tool requires." },
  unknown: { level: "warning", text: "A guarantee could neither be proved nor refuted." },
  invalid: { level: "error", text: "The program does not compile." },
};

/**
 * @param {readonly Proof[]} proofs
 * @param {string} version
 */
export function sarifOf(proofs, version) {
  const driver = {
    name: "Foreclaim",
    version,
    informationUri: "https://github.com/foreclaim/foreclaim",
    rules: Object.entries(rules).map(([id, { level, text }]) => ({
      id,
      shortDescription: { text },
      defaultConfiguration: { level },
    })),
  };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results: proofs.flatMap(resultsOf) }],
  };
}

/** @param {Proof} proof */
function resultsOf(proof) {
  const claims = [...proof.guarantees, ...proof.obligations].flatMap((claim) =>
    claim.verdict === "refuted" || claim.verdict === "unknown" ? [resultOf(proof, claim, claim.verdict)] : [],
  );
  const problems = proof.errors.map(({ code, message, help, span }) => ({
    ruleId: "invalid",
    level: rules.invalid.level,
    message: { text: visible(`${code}: ${message}${help ? ` (${help})` : ""}`) },
    locations: [
      locationOf({
        file: span?.file ?? proof.file,
        ...(span && { line: span.start.line, column: span.start.column }),
        ...(span && { endLine: span.end.line, endColumn: span.end.column }),
      }),
    ],
  }));
  return [...claims, ...problems];
}

/**
 * @param {Proof} proof
 * @param {Claim} claim
 * @param {"refuted" | "unknown"} verdict
 */
function resultOf(proof, claim, verdict) {
  const steps = claim.counterexample?.calls ?? [];
  const why = claim.why ? `: ${claim.why}` : "";
  return {
    ruleId: verdict,
    level: rules[verdict].level,
    message: { text: visible(`${verdict}: ${claim.text}${why}`) },
    locations: [locationOf({ ...claim, file: claim.file ?? proof.file })],
    ...(steps.length > 0 && {
      codeFlows: [{ threadFlows: [{ locations: steps.map((step) => stepOf(proof, step)) }] }],
    }),
  };
}

/**
 * @param {Proof} proof
 * @param {Step} step
 */
function stepOf(proof, step) {
  const args = Object.entries(step.args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const text = visible(`${step.call} ${step.tool}(${args.join(", ")})`);
  return { location: { ...locationOf({ ...step, file: step.file ?? proof.file }), message: { text } } };
}

/** @param {Spot} spot */
function locationOf({ file, line, column, endLine, endColumn }) {
  return {
    physicalLocation: {
      artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" },
      ...(line !== undefined && {
        region: {
          startLine: line,
          ...(column !== undefined && { startColumn: column }),
          ...(endLine !== undefined && { endLine }),
          ...(endColumn !== undefined && { endColumn }),
        },
      }),
    },
  };
}
