/**
 * Task: What is the state of a ticket?
 * Verdict: holds
 * Why: Only getTicket is called.
 * Features: optional chaining, nullish coalescing
 */
import { program } from "foreclaim";
import * as tickets from "./tools/tickets";

export default program({
  guarantees: [tickets.readOnly()],
  async run({ id }: { id: string }) {
    const ticket = await tickets.getTicket({ id });
    return { status: ticket?.status ?? "not found", assignee: ticket?.assignee?.name ?? null };
  },
});
