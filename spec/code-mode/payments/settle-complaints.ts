/**
 * Task: Work through a list of complaints (customer, charge, requested amount). Refund what is justified: at most 50.00 without asking, more only with approval, 500.00 for the whole run, each charge once and never more than what is left of it. Give me a protocol.
 * Verdict: holds
 * Why: decide() limits the amount to the rest of the charge and of the budget, the charge id is marked before the refund, and amounts above 5000 need a yes for the same amount.
 * Features: class with state, discriminated union, switch on kind, exhaustive handling, Set, Math.min, for-of, string protocol, try/catch, readonly fields
 */
import { program } from "foreclaim";
import * as payments from "./tools/payments";

type Complaint = { customerId: string; chargeId: string; amount: number; text?: string };

type Decision =
  | { kind: "refund"; amount: number }
  | { kind: "ask"; amount: number; question: string }
  | { kind: "reject"; why: string };

const FREE_LIMIT = 5_000;
const RUN_LIMIT = 50_000;

class Desk {
  private spent = 0;
  private readonly handled = new Set<string>();
  readonly protocol: string[] = [];

  decide(c: Complaint, charge: payments.Charge | undefined): Decision {
    if (!charge) return { kind: "reject", why: "charge not found" };
    if (charge.customerId !== c.customerId) return { kind: "reject", why: "charge belongs to somebody else" };
    if (charge.status !== "succeeded") return { kind: "reject", why: `charge is ${charge.status}` };
    if (charge.disputed) return { kind: "reject", why: "charge is disputed at the bank" };
    if (this.handled.has(charge.id)) return { kind: "reject", why: "already handled in this run" };

    const amount = Math.min(Math.floor(c.amount), charge.amount - charge.refunded, RUN_LIMIT - this.spent);
    if (!(amount > 0)) return { kind: "reject", why: "nothing left to refund" };
    if (amount <= FREE_LIMIT) return { kind: "refund", amount };
    return {
      kind: "ask",
      amount,
      question: `Refund ${(amount / 100).toFixed(2)} ${charge.currency} for ${charge.id}?`,
    };
  }

  private async refund(chargeId: string, amount: number) {
    this.handled.add(chargeId);
    this.spent += amount;
    try {
      const { status } = await payments.refund({ chargeId, amount, reason: "requested" });
      this.note(chargeId, `${status}: ${(amount / 100).toFixed(2)}`);
    } catch (e) {
      this.note(chargeId, `error: ${e instanceof Error ? e.message : String(e)}`);
    }
  }

  private note(chargeId: string, what: string) {
    this.protocol.push(`${this.protocol.length + 1}. ${chargeId}: ${what}`);
  }

  async handle(c: Complaint) {
    const charges = await payments.listCharges({ customerId: c.customerId });
    const decision = this.decide(
      c,
      charges.find((x) => x.id === c.chargeId),
    );
    switch (decision.kind) {
      case "refund":
        return this.refund(c.chargeId, decision.amount);
      case "ask": {
        const yes = await payments.approve({ question: decision.question, amount: decision.amount });
        if (yes) return this.refund(c.chargeId, decision.amount);
        return this.note(c.chargeId, "not approved");
      }
      case "reject":
        return this.note(c.chargeId, `rejected, ${decision.why}`);
    }
  }
}

export default program({
  guarantees: [
    payments.refundTotalAtMost(50_000),
    payments.refundOnceEach(),
    payments.refundsWithinCharge(),
    payments.approvedAbove(5_000),
  ],
  async run({ complaints }: { complaints: Complaint[] }) {
    const desk = new Desk();
    for (const complaint of complaints) {
      await desk.handle(complaint);
    }
    return desk.protocol.join("\n");
  },
});
