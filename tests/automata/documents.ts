/** Documents with automata, in text form. */
import { type Checked, check } from "../../src/ir/check/index.ts";
import type { AutomatonExpr, Document, Expr, Selection } from "../../src/ir/document.ts";
import { readDocument } from "../../src/ir/read.ts";

export function checkedOf(text: string): Checked {
  const automata: AutomatonExpr[] = [];
  const tool = /tool (\S+?)\(/.exec(text)?.[1];
  const plain = text.replace(/automaton \{([^}]*)\}/g, (_, inner: string) => {
    automata.push(automatonOf(inner, text));
    return `(forall automaton${automata.length - 1} in ${tool}: true)`;
  });
  const read = readDocument(plain);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  const replace = (node: unknown): unknown => {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map(replace);
    if ("over" in node) {
      const found = /^automaton(\d+)$/.exec((node.over as Selection).var);
      if (found !== null) return automata[Number(found[1])];
    }
    return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, replace(part)]));
  };
  const { document } = read.value.checked;
  const guarantees = document.guarantees.map((one) => ({ ...one, formula: replace(one.formula) as Expr }));
  const checked = check({ ...document, guarantees } as Document);
  if (!checked.ok) throw new Error(`${JSON.stringify(checked.problems)}\n${text}`);
  return checked.value;
}

function automatonOf(inner: string, text: string): AutomatonExpr {
  const texts = (part: string) => [...part.matchAll(/"([^"]*)"/g)].map(([, word]) => word ?? "");
  const [, states = "", start = "", on = "", error = ""] =
    /states (.*?) start ("[^"]*")(.*) error (.*)$/s.exec(inner) ?? [];
  const transitions = on
    .split(/\bon (?=")/)
    .slice(1)
    .map((one) => {
      const [, from = "", over = "", to = ""] = /^"([^"]*)" (.*) -> "([^"]*)"\s*$/s.exec(one.trim()) ?? [];
      return { from, over: selectionOf(over, text), to };
    });
  return {
    kind: "automaton",
    states: texts(states),
    start: texts(start)[0] ?? "",
    on: transitions,
    error: texts(error),
  };
}

function selectionOf(over: string, text: string): Selection {
  const read = readDocument(text.replace(/guarantee [\s\S]*/, `guarantee x(): forall ${over}: true\n`));
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${over}`);
  const formula = read.value.checked.document.guarantees[0]?.formula;
  if (formula?.kind !== "quantifier") throw new Error(over);
  return formula.over;
}
