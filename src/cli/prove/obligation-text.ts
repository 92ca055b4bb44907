/** What the program itself needs, in words. */
import { printExpr } from "../../ir/index.ts";
import type { Obligation } from "../../prove/facts.ts";

export function obligationText({ kind, condition, fact, why }: Obligation): string {
  const text = condition === undefined ? "" : `\`${printExpr(condition)}\``;
  switch (kind) {
    case "requires":
      return `\`${fact?.tool.name}\` requires ${text}`;
    case "require":
      return `the program requires ${text}: ${why}`;
    case "cost":
      return `\`${fact?.tool.name}\` costs ${text}, which is not negative`;
    case "max":
      return "the list is not longer than `max`";
  }
}
