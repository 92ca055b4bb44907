/** Pays a bill if it is known and not too high: a result that may be null, and a switch. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

type Size = "small" | "large";

function sizeOf(due: number): Size {
  return due <= 150 ? "small" : "large";
}

export default program({
  guarantees: [bank.maxSpend(150), bank.onlyAccount("card")],
  async run({ id }: { id: string }) {
    const found = await bank.bill({ id });
    if (found === null) return;
    const { due, payee } = found;
    switch (sizeOf(due)) {
      case "small":
        await bank.withdraw({ account: "card", amount: due });
        break;
      default:
        await bank.confirm({ question: `${payee} wants ${due}, which is a lot` });
    }
  },
});
