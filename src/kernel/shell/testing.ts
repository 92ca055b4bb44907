/** For people who write rules: says what should happen, and throws an error that tells what happens instead. */
import type { BudgetTexts } from "../core/budget.ts";
import type { KernelCode } from "../problem.ts";
import type { Kernel } from "./kernel.ts";
import type { Outcome } from "./outcome.ts";

export async function expectAllowed(kernel: Kernel, action: unknown): Promise<Outcome> {
  const outcome = await kernel.execute(action);
  if (outcome.verdict === "allowed") return outcome;
  throw new Error(`expected to be allowed, and was refused: ${wordsOf(outcome)}`);
}

/** With a code, that is one of the reasons; with a text, a reason contains it. */
export async function expectRefused(
  kernel: Kernel,
  action: unknown,
  why: { readonly code?: KernelCode; readonly message?: string } = {},
): Promise<Outcome> {
  const before = kernel.status();
  const outcome = await kernel.execute(action);
  if (outcome.verdict === "allowed") throw new Error("expected to be refused, and was allowed");
  const { code, message } = why;
  const isReason = outcome.reasons.some(
    (reason) =>
      (code === undefined || reason.code === code) &&
      (message === undefined || reason.message.includes(message)),
  );
  if (!isReason) throw new Error(`expected to be refused for another reason: ${wordsOf(outcome)}`);
  if (kernel.status().version !== before.version)
    throw new Error("it was refused, and the state has changed");
  return outcome;
}

export function expectBudget(kernel: Kernel, name: string, expected: Partial<BudgetTexts>): void {
  const budget = kernel.status().budgets[name];
  if (budget === undefined) throw new Error(`there is no budget \`${name}\``);
  for (const [field, amount] of Object.entries(expected)) {
    const found: unknown = Reflect.get(budget, field);
    if (found !== amount)
      throw new Error(`expected \`${field}\` of \`${name}\` to be ${amount}, and it is ${found}`);
  }
}

function wordsOf({ reasons }: Outcome): string {
  return reasons.map(({ code, message }) => `${code}: ${message}`).join("; ");
}
