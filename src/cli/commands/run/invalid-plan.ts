/** Tells why a plan can go wrong from the state at hand, and is not begun. */
import type { LoadedProgram } from "../../../app/index.ts";
import type { Verification } from "../../../plan/index.ts";
import { type ExitCode, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";

export async function tellInvalidPlan(
  { stdout }: Host,
  { plan, file, text, locate }: LoadedProgram,
  found: Verification,
  json: boolean,
): Promise<ExitCode> {
  const { outputText, readPlan, verificationToJson } = await import("../../../plan/index.ts");
  if (json) {
    await stdout.write(outputText({ outcome: "refused", ...asObject(verificationToJson(found)) }));
    return notSo;
  }
  const read = readPlan(text);
  if (plan === undefined) throw new TypeError("only a plan is refused so");
  const { warnings } = plan;
  const loaded = { plan: plan.plan, warnings, locate: read.ok ? read.value.locate : locate, file, text };
  const { verificationText } = await import("../plan/verify-text.ts");
  await stdout.write(`${verificationText(found, loaded, stdout)}nothing was run\n`);
  return notSo;
}

function asObject<T>(json: T): Readonly<Record<string, T>> {
  // SAFETY: a verification is written as an object.
  return json as Readonly<Record<string, T>>;
}
