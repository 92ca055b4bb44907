// Imports the modules in a list and prints, as JSON, what each one's `result` says is wrong.
// Node runs this by itself, because it must find the package as a user's own script does.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** @type {string[]} */
const paths = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const texts = [];
for (const path of paths) {
  const { result } = await import(pathToFileURL(path).href);
  texts.push(problemsOf(result).map(problemText).join(""));
}
process.stdout.write(JSON.stringify(texts));

/**
 * @typedef {{ readonly code: string, readonly message: string, readonly help?: string }} Problem
 * @typedef {{ readonly ok: boolean, readonly problems?: readonly Problem[] }} Result
 * @typedef {{ readonly outcome: { readonly kind: string, readonly problem?: Problem } }} Run
 */

/**
 * @param {Result | Run} result
 * @returns {readonly Problem[]}
 */
function problemsOf(result) {
  if ("outcome" in result) return result.outcome.problem === undefined ? [] : [result.outcome.problem];
  return result.ok ? [] : (result.problems ?? []);
}

/** @param {Problem} problem */
function problemText({ code, message, help }) {
  return `${code}: ${message}\n${help === undefined ? "" : `  help: ${help}\n`}`;
}
