/** The notations of views: what they look like, that others can read them, and that they all say the same. */
import { expect, test } from "vitest";
import { type Checked, check, readDocument } from "../../src/ir/index.ts";
import { ontologyOf, printDl, printFunctional, printTurtle, printXml, viewOf } from "../../src/view/index.ts";
import { programOf } from "../support/arbitrary-program.ts";
import { Chance } from "../support/program/chance.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { declarations, someFormula } from "./formulas.ts";
import { readFunctional, readXml } from "./read-notations.ts";
import { Graph } from "./read-turtle.ts";

const sample = `effect-ir 1
fluent home.locked[string]: bool = true
tool email.send(addr: string, msg: string, cc?: list<string>, urgent: bool)
  labels "message"
tool bank.withdraw(account: string, amount: real) -> record{ok: bool}
tool db.query(table: string) -> list<record{email: string, due: real}>
tool home.lock(door: string)
  sets home.locked[door] = true
program (vip: bool, people: list<string>) {
  let bob = "bob@x.org"
  call email.send(addr: bob, msg: "hi", urgent: false)
  call bank.withdraw(account: "card", amount: 0.5) when vip
  for p in people max 3 {
    call email.send(addr: p, msg: "hi", urgent: false)
  }
}
guarantee email.only(["bob@x.org", "ann@x.org"]): forall e in email.send: contains(["bob@x.org", "ann@x.org"], e.addr)
guarantee email.atMost(4): count(e in email.send) <= 4
guarantee email.once(): distinct(e in email.send: e.addr)
guarantee bank.small(500): forall w in bank.withdraw: w.amount <= ratio(1, 3) or not value(result(w)).ok
guarantee bank.maxSpend(500): sum(w in bank.withdraw: w.amount) <= 500
guarantee db.fromUsers(): forall e in email.send: exists r in rows db.query: r.email == e.addr
guarantee home.lockedAtEnd(): forall d in final home.locked: d.value
guarantee bank.vip(): vip or forall w in bank.withdraw: false
guarantee any.thing(): true
`;

test("a view in the notation of description logic", () => {
  expect(printDl(viewOf(checkedOf(sample)))).toMatchSnapshot();
});

test("a view in the functional notation, in Turtle and in XML", () => {
  const ontology = ontologyOf(viewOf(checkedOf(sample)));
  expect(printFunctional(ontology)).toMatchSnapshot();
  expect(printTurtle(ontology)).toMatchSnapshot();
  expect(printXml(ontology)).toMatchSnapshot();
});

test("Turtle as another parser reads it, XML and the functional notation say the same", {
  timeout: timeout(60),
}, () => {
  let axioms = expectSame(checkedOf(sample));
  for (let seed = 0; seed < runs(20); seed++) {
    const chance = Chance.seeded(seed);
    const stated = Array.from({ length: 6 }, (_, i) => `guarantee t.g${i}(): ${someFormula(chance)}`);
    axioms += expectSame(checkedOf(declarations + stated.join("\n")));
    axioms += expectSame(programOf(seed).checked);
  }
  expect(axioms).toBeGreaterThan(atLeast(1_000));
});

test("nothing that a document calls something can be taken for something else", () => {
  const names = [
    "Run",
    "a b",
    'x"y',
    "back`tick",
    "> . <urn:evil> a owl:Class",
    ")) Ontology(",
    "</Class>",
    "&amp;",
    "a/b",
    "..",
    ".",
    "%41",
    "\u202eevil",
    "\ud800",
    "\n@prefix",
    "hasEffect",
    "é",
    "😀",
    "\u241b0041",
    "\u0000",
    "~",
  ];
  const tools = names.map((name, i) => ({
    name: `m.${name.replaceAll(".", "_dot")}${i}`,
    params: [{ name, type: { kind: "string" as const } }],
    labels: [name],
    requires: [],
    ensures: [],
    sets: [],
  }));
  const formula = (tool: string, name: string) =>
    ({
      kind: "quantifier",
      quantifier: "forall",
      over: { var: "e", in: { kind: "calls", tool } },
      body: {
        kind: "op",
        op: "==",
        args: [
          { kind: "field", of: { kind: "var", name: "e" }, name },
          { kind: "string", value: name },
        ],
      },
    }) as const;
  const checked = check({
    effectIr: 1,
    fluents: [],
    tools,
    program: { inputs: [], body: [] },
    guarantees: tools.map(({ name }, i) => ({ name, args: [], formula: formula(name, names[i] ?? "") })),
  });
  if (!checked.ok) throw new Error(`${checked.problems[0]?.message} ${checked.problems[0]?.path}`);
  expectSame(checked.value);
  const view = viewOf(checked.value);
  expect(view.guarantees.map(({ status }) => status)).toEqual(names.map(() => "faithful"));
  const said = view.guarantees.map(({ axioms }) => JSON.stringify(axioms));
  expect(new Set(said).size).toBe(names.length);
  const text = printDl(view);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  // Every line is one of ours: a name cannot begin one.
  for (const line of text.split("\n")) expect(line).toMatch(/^$|^# |⊑|≡|^disjoint\(|^key\(/);
});

test("a view is the same each time, and does not depend on where the document is written", () => {
  const checked = checkedOf(sample);
  const again = checkedOf(sample.replaceAll("  ", "    "));
  for (const print of [printFunctional, printTurtle, printXml])
    expect(print(ontologyOf(viewOf(again)))).toBe(print(ontologyOf(viewOf(checked))));
});

/** Compares the notations; returns the number of axioms. */
function expectSame(checked: Checked): number {
  const ontology = ontologyOf(viewOf(checked));
  const functional = readFunctional(printFunctional(ontology)).sort();
  expect(new Graph(printTurtle(ontology)).axioms()).toEqual(functional);
  expect(readXml(printXml(ontology)).sort()).toEqual(functional);
  return functional.length;
}

function checkedOf(text: string): Checked {
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${read.problems[0]?.message}\n${text}`);
  return read.value.checked;
}
