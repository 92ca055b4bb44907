/** `check`: the guarantees that a certificate shows, and the assumptions of that. */
import {
  checkCertificateText,
  checkerLines,
  count,
  grouped,
  readSource,
  verifyCertificateText,
} from "../../../app/index.ts";
import { type Checking, trusts } from "../../../certificate/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Verified } from "../../../verified/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { paintOf, reportFailure, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";
import { Progress } from "../../progress.ts";

export interface CheckCommandOptions extends JsonOption {
  readonly document?: string;
  readonly solvers: "1" | "2";
  readonly otherVersion?: boolean;
  readonly verified?: boolean;
}

export async function checkFile(host: Host, path: string, options: CheckCommandOptions): Promise<Ended> {
  const source = await readSource(host, path);
  if (!source.ok) return source;
  const { file, text } = source.value;
  const progress = new Progress(host);
  progress.waiting(`${file}: checking`);
  const { document, solvers, otherVersion = false, json = false } = options;
  const how = { document, twoSolvers: solvers === "2", otherVersion };
  const checked = await checkCertificateText(text, how).finally(() => progress.clear());
  if (!checked.ok) return checked;
  const checking = checked.value;
  if (checking.kind === "valid") {
    if (options.verified !== true) return report(host, file, checking, json);
    const third = await verifyCertificateText(text);
    return third.ok ? report(host, file, checking, json, third.value) : third;
  }
  const failure = { ok: false, file, problems: [{ ...checking.problem, path: [] }] } as const;
  if (checking.kind === "unreadable") return failure;
  await reportFailure(host, failure, json);
  return notSo;
}

async function report(
  host: Host,
  file: string,
  valid: Extract<Checking, { kind: "valid" }>,
  json: boolean,
  verified?: Verified,
): Promise<Ended> {
  const { documentHash: hash, modules, guarantees, byEvaluation, bySolver, solvers } = valid;
  const lines = await checkerLines(host);
  const trusted = [...trusts(valid)];
  if (json) {
    await writeJsonLine(host.stdout, {
      ok: true,
      hash,
      modules,
      guarantees: guarantees.map((one) => ({ ...one })),
      byEvaluation,
      bySolver,
      checkerLines: lines,
      solvers: solvers.map((one) => ({ ...one })),
      trusted,
      ...(verified === undefined ? {} : { verified: verifiedJson(verified) }),
    });
    return fine;
  }
  const { green, dim, signs } = paintOf(host.stdout);
  const named = solvers.map(({ name, version }) => `${name} ${version}`).join(" and ");
  const how = [
    ...(byEvaluation > 0 ? [`${grouped(byEvaluation)} by evaluation`] : []),
    ...(bySolver > 0 ? [`${grouped(bySolver)} by ${visibleText(named)}`] : []),
  ];
  const decided = how.length === 0 ? "" : `, and decided again: ${how.join(", ")}`;
  const out = [
    `${green(`${signs.holds}valid`)}  ${visibleText(file)}`,
    "",
    `document ${hash}`,
    ...guarantees.flatMap(({ name, args, formula }) => [
      `  ${visibleText(`${name}(${args.join(", ")})`)}`,
      dim(`    ${visibleText(formula)}`),
    ]),
    `${count(byEvaluation + bySolver, "obligation")} derived from the document again${decided}`,
    ...(verified === undefined ? [] : ["", ...thirdOpinion(verified, guarantees)]),
    "",
    "assumptions",
    ...trusted.map((one) => `  ${visibleText(one)}`),
    dim(`  the checker has ${grouped(lines)} lines besides the Effect IR`),
  ];
  await host.stdout.write(`${out.join("\n")}\n`);
  return fine;
}

function verifiedJson(verified: Verified) {
  if (verified.kind === "beyond") return { applies: false, why: verified.why };
  const { guarantees, requirements } = verified;
  return { applies: true, guarantees: [...guarantees], requirements };
}

/** The verified obligations of each guarantee, or why there are none. */
function thirdOpinion(
  verified: Verified,
  guarantees: readonly { readonly name: string; readonly args: readonly string[] }[],
): readonly string[] {
  const title = "third opinion, by obligations that are proved to be enough";
  if (verified.kind === "beyond") return [title, `  does not apply: the document has ${verified.why}`];
  const said = {
    valid: "valid",
    "not shown": "not shown: the solver cannot decide it without more about operators",
  };
  return [
    title,
    ...guarantees.map(({ name, args }, i) => {
      const opinion = verified.guarantees[i] ?? "not shown";
      return `  ${visibleText(`${name}(${args.join(", ")})`)}: ${said[opinion]}`;
    }),
    `  requirements of tools and program: ${said[verified.requirements]}`,
  ];
}
