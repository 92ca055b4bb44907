/** Sentences about stopping early and about coverage: the gaps of a domain, and what to add to close them. */

import { type ContractInUse, heldOf } from "../../coverage/index.ts";
import { printExpr, printName } from "../../ir/index.ts";
import type { Interruption, Proof, StoppingPoint, Verdict } from "../../prove/index.ts";
import type { DomainCoverage, TargetCoverage } from "../prove/coverage.ts";
import type { SourceMap } from "./source-map.ts";
import { listed } from "./words.ts";

/** LIMIT: of places in one sentence. */
const mostPlaces = 4;

export function interruptionWords(interruption: Interruption, places: SourceMap): string[] {
  if (interruption.kind === "safe") return [];
  const certain = interruption.at.filter((point) => point.certain);
  const other = interruption.at.filter((point) => !point.certain);
  return [
    ...sentence(certain, "this may be violated", places),
    ...sentence(other, "this is not proved", places),
  ];
}

/** Says whether a guarantee also holds if the run stops early, and where it may not. */
export function interruptionView(
  interruption: Interruption,
  places: SourceMap,
): { readonly safe: boolean; readonly text: string | null } {
  const words = interruptionWords(interruption, places);
  return { safe: interruption.kind === "safe", text: words.length === 0 ? null : words.join("; ") };
}

function sentence(points: readonly StoppingPoint[], what: string, places: SourceMap): string[] {
  if (points.length === 0) return [];
  const calls = points.flatMap(({ after }) => after ?? []);
  const before = calls.length < points.length ? ["before the first call"] : [];
  const after = named(
    calls.filter(({ lanes }) => lanes.length === 0),
    places,
  );
  // One of these may have failed while the others ran on, so each may be anywhere.
  const amid = named(
    calls.filter(({ lanes }) => lanes.length > 0),
    places,
  );
  const where = [
    ...before,
    ...(after.length === 0 ? [] : [`after ${listed(after, "or")}`]),
    ...(amid.length === 0 ? [] : [`during ${listed(amid)}, which run at the same time`]),
  ];
  return [`if the run stops ${where.join(" or ")}, ${what}`];
}

/** A loop has many stopping points at one place. */
function named(calls: readonly NonNullable<StoppingPoint["after"]>[], places: SourceMap): readonly string[] {
  const all = new Set(
    calls.map(({ path, tool }) => {
      const place = places.at(path);
      return `\`${tool.name}\`${place === undefined ? "" : ` (${places.words(place)})`}`;
    }),
  );
  const shown = [...all].slice(0, mostPlaces);
  const more = all.size - shown.length;
  return more === 0 ? shown : [...shown, `${more} more ${more === 1 ? "call" : "calls"}`];
}

/** Returns one sentence for each gap; `open` stands for arguments that the author has to choose. */
export function notes(
  { coverage, contracts }: DomainCoverage,
  proof: Proof,
  places: SourceMap,
  statedBy: TargetCoverage["statedBy"],
  open: string,
): string[] {
  const { status, mentioned, entailed, missingRequired, missingRecommended } = coverage;
  const isIn = (list: readonly string[]) => (one: ContractInUse) => list.includes(textOf(one));
  const missing = contracts.filter(isIn([...missingRequired, ...missingRecommended]));
  const also = contracts.filter(isIn(entailed));
  const shown = (one: ContractInUse) => `\`${statement(one, open)}\``;
  const are = (those: readonly ContractInUse[], what: string) =>
    those.length === 0 ? [] : [`${listed(those.map(shown))} ${those.length === 1 ? "is" : "are"} ${what}`];
  return [
    ...(status === "silent_gap" ? ["the program uses it and states no guarantee about it"] : []),
    ...(status === "covered" && also.length === 0 && mentioned.length > 0
      ? ["the program states every required and recommended contract"]
      : []),
    ...missing
      .filter((one) => one.isRequired)
      .map((one) => `${shown(one)} is required; Foreclaim added it, and it ${heldWords(one, proof, places)}`),
    ...contracts
      .filter((one) => one.isRequired && !missing.includes(one) && heldOf(one, proof) === "runs that end")
      .map(
        (one) =>
          `${shown(one)} is required, and is proved of runs that complete; ${stopWords(one, proof, places)}`,
      ),
    ...are(
      missing.filter((one) => !one.isRequired),
      "recommended, and the stated guarantees do not imply it",
    ),
    ...are(also, "implied by the stated guarantees"),
    ...addWords(
      missing.filter((one) => verdictOf(one, proof) !== "refuted").map((one) => statement(one, open)),
      statedBy,
    ),
  ];
}

function heldWords(one: ContractInUse, proof: Proof, places: SourceMap): string {
  switch (verdictOf(one, proof)) {
    case "proved":
      return heldOf(one, proof) === "everywhere"
        ? "is proved"
        : `is proved of runs that complete; ${stopWords(one, proof, places)}`;
    case "refuted":
      return "is refuted";
    default:
      return "is not proved";
  }
}

/** Names the stopping points at which it may not hold. */
function stopWords({ stated, added }: ContractInUse, { guarantees }: Proof, places: SourceMap): string {
  const interruption = guarantees[stated ?? added ?? -1]?.interruption;
  const words = interruption === undefined ? [] : interruptionWords(interruption, places);
  return words.length === 0 ? "if the run stops early, this is not proved" : words.join("; ");
}

function verdictOf({ added }: ContractInUse, { guarantees }: Proof): Verdict["kind"] | undefined {
  return added === undefined ? undefined : guarantees[added]?.verdict.kind;
}

/** Says what to add. Stating a refuted guarantee would not help. */
function addWords(missing: readonly string[], statedBy: TargetCoverage["statedBy"]): string[] {
  if (missing.length === 0) return [];
  if (statedBy === "plan") return [`add ${listed(missing.map((one) => `\`--guarantee '${one}'\``))}`];
  if (statedBy === "document") return [`add ${listed(missing.map((one) => `\`guarantee ${one}\``))}`];
  return [`add ${listed(missing.map((one) => `\`${one}\``))} to \`guarantees\``];
}

/** As a program would state it, `open` in the place of arguments that it has to choose. */
function statement({ contract, args, meaning }: ContractInUse, open: string): string {
  const given = args?.map(printExpr).join(", ") ?? ((meaning?.params.length ?? 0) > 0 ? open : "");
  return `${printName(contract)}(${given})`;
}

function textOf({ contract, args }: ContractInUse): string {
  return args === undefined ? contract : `${contract}(${args.map(printExpr).join(", ")})`;
}
