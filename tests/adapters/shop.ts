/** A task for agents: pay an invoice. A mock model writes a program that is refuted, reads why, and repairs it. */
import { join } from "node:path";
import { ROOT } from "../../scripts/tools.mjs";

export const folder = join(ROOT, "examples/agents");

const programFor = (guard: string) => `import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.spendsAtMost(100), shop.onlyPays(["paper & co"])],
  async run() {
    const found = (await shop.invoices()).find((one) => one.payee === "paper & co");
    if (found === undefined${guard}) return "nothing to pay";
    await shop.pay({ payee: "paper & co", amount: found.amount });
    return \`paid \${found.id}\`;
  },
});
`;

/** It pays whatever the invoice says. */
export const careless = programFor(" || found.amount <= 0");
/** It pays up to 100. */
export const careful = programFor(" || found.amount <= 0 || found.amount > 100");

export interface Payment {
  readonly payee: string;
  readonly amount: number;
}

/** Handlers of the tools, and what they have done. */
export function shop(invoices: readonly object[] = [{ id: "a-1", payee: "paper & co", amount: 40 }]) {
  const paid: Payment[] = [];
  const handlers = {
    "shop.invoices": async () => invoices,
    "shop.pay": async (payment: Payment) => {
      paid.push(payment);
    },
  };
  return { paid, handlers };
}

/** One call of a tool by the model. */
export interface Turn {
  readonly tool: string;
  readonly args: object;
}

/** A mock model: the next call, from what the last one answered; undefined when it is done. */
export type Brain = (last: unknown) => Turn | undefined;

/** Looks for tools, writes the careless program, and repairs it once a counterexample says what is wrong. */
export function repairer(): { readonly brain: Brain; readonly heard: unknown[] } {
  const heard: unknown[] = [];
  let step = 0;
  const brain: Brain = (last) => {
    if (step > 0) heard.push(last);
    step++;
    if (step === 1) return { tool: "search_tools", args: { query: "pay an invoice" } };
    if (step === 2) return { tool: "prove", args: { program: careless } };
    if (step === 3) return { tool: "run", args: { program: amountIn(last) > 100 ? careful : careless } };
    return undefined;
  };
  return { brain, heard };
}

/** Makes these calls, whatever comes back. */
export function scripted(...turns: readonly Turn[]): { readonly brain: Brain; readonly heard: unknown[] } {
  const heard: unknown[] = [];
  let step = 0;
  return {
    heard,
    brain: (last) => {
      if (step > 0) heard.push(last);
      return turns[step++];
    },
  };
}

/** The amount of the payment in the counterexample. */
function amountIn(proof: unknown): number {
  const text = JSON.stringify(proof);
  return Number(/"payee":"paper & co","amount":"?([0-9.]+)/.exec(text)?.[1] ?? Number.NaN);
}
