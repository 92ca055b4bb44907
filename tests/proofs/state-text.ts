/** States and decisions of the kernel in the texts of the model. */
import { isList, isRatio, isRecord, type Value } from "../../src/ir/index.ts";
import type { Check, Decision, KernelState, Step } from "../../src/kernel/index.ts";
import type { Trie } from "../../src/kernel/trie.ts";
import type { Kernel } from "./compare.ts";
import { atom, flag, items, number, optional, receipt, type Tree, whole } from "./model.ts";

export function valueText(value: Value): string {
  if (value === null) return items(atom("z"));
  if (typeof value === "boolean") return items(atom("b"), flag(value));
  if (typeof value === "bigint") return items(atom("n"), number([value, 1n]));
  if (typeof value === "string") return items(atom("s"), atom(value));
  if (isList(value)) return items(atom("l"), ...value.map(valueText));
  if (isRatio(value)) return items(atom("n"), number([value.num, value.den]));
  if (!isRecord(value)) throw new TypeError("no value of a kernel");
  const names = Object.keys(value.fields).sort();
  return items(atom("r"), ...names.map((name) => items(atom(name), valueText(value.fields[name] ?? null))));
}

export function stateText(state: KernelState, { entriesOf }: Pick<Kernel, "entriesOf">): string {
  const entries = <T>(trie: Trie<T>, text: (key: string, value: T) => string) =>
    items(...[...entriesOf(trie)].map(([key, value]) => text(key, value as T)));
  return items(
    whole(state.seq),
    atom(state.head),
    whole(state.time),
    whole(state.version),
    entries(state.data, (key, value) => items(atom(key), valueText(value))),
    items(
      ...state.budgets.map(({ gross, refunded, spent, reserved, window }) =>
        items(whole(gross), whole(refunded), whole(spent), whole(reserved), whole(window)),
      ),
    ),
    whole(state.steps),
    whole(state.refusals),
    whole(state.rollbacks),
    items(...[...state.emergencies].map(([id, count]) => items(atom(id), whole(count)))),
    entries(state.times, (key, time) => items(whole(BigInt(key)), whole(time))),
    entries(state.records, (key, { version, hash, before, charges, windows, undo, status }) =>
      items(
        whole(BigInt(key)),
        whole(version),
        atom(hash),
        items(...before.map(([name, value]) => items(atom(name), optional(value, valueText)))),
        items(...charges.map(whole)),
        items(...windows.map(whole)),
        optional(undo, valueText),
        atom(status),
      ),
    ),
    entries(state.pending, (key, reservation) =>
      items(
        whole(BigInt(key)),
        whole(reservation.seq),
        atom(reservation.receipt.split("-")[1] ?? ""),
        atom(reservation.action.id),
        optional(reservation.key, atom),
        whole(reservation.time),
      ),
    ),
    entries(state.held, (key, holder) => items(atom(key), receipt(holder))),
    entries(state.keys, (key, use) => items(atom(key), atom(use.status), receipt(use.receipt))),
    entries(state.calls, (key, count) => items(atom(key), whole(count))),
    flag(state.stopped !== undefined),
  );
}

/** Places of maps in the text of a state; the model has them in another order. */
const maps = [4, 9, 10, 11, 12, 13, 14, 15];

export function inOrder(state: Tree): Tree {
  if (typeof state === "string") return state;
  return state.map((part, i) =>
    maps.includes(i) && typeof part !== "string"
      ? [...part].sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
      : part,
  );
}

function checkText({ check, code, monitoring, result }: Check): string {
  const said =
    result === "violated"
      ? items(atom("violated"), atom(code ?? ""))
      : items(atom(result === "ok" ? "ok" : "not judged"));
  return items(atom(check), said, flag(monitoring === true));
}

function answerText({ result }: Decision): string {
  if (result === undefined) return items();
  if (!isRecord(result)) throw new TypeError("an answer that is no record");
  const { repeats, undo, drift } = result.fields;
  if (repeats !== undefined) return items(atom("repeats"), receipt(repeats));
  if (undo !== undefined && isList(undo)) return items(atom("undo"), items(...undo.map(valueText)));
  if (drift !== undefined && isList(drift))
    return items(atom("drift"), items(...drift.map((key) => atom(String(key)))));
  throw new TypeError("an answer that the model does not know");
}

/** Parts of the text of a step, by which a disagreement is named. */
export const stepParts = ["kind", "verdict", "checks", "cost", "answer", "receipt", "state"] as const;

export function stepText(
  decision: Decision,
  { entry, state }: Step,
  kernel: Pick<Kernel, "entriesOf">,
): string {
  return items(
    atom(decision.kind),
    flag(decision.verdict === "allowed"),
    items(...decision.checks.map(checkText)),
    items(...decision.cost.map(whole)),
    answerText(decision),
    entry.receipt === undefined ? items() : receipt(entry.receipt),
    stateText(state, kernel),
  );
}
