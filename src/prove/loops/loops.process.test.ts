/** Loops over lists that are not known before the run: proved for every length, or refuted by a short list. */
import { afterAll, expect, it } from "vitest";
import { readDocument } from "../../ir/read.ts";
import { z3Wasm } from "../decide/solver/z3-wasm.ts";
import { prove, type Verdict } from "../prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const tools = `
fluent home.locked[string]: bool = true
tool db.query(consented: bool) -> list<record{email: string, due: real, ok: bool}>
  ensures length(result) <= 100
  ensures every(result, r => r.due <= 20 and r.due >= 0)
tool db.names() -> list<string>
tool db.many() -> list<string>
  ensures length(result) >= 6
tool mail.send(to: string)
tool mail.ask(to: string) -> bool
tool bank.pay(to: string, amount: real)
  requires amount >= 0
tool home.unlock(door: string)
  sets home.locked[door] = false
tool home.lock(door: string)
  sets home.locked[door] = true
tool home.enter(door: string)
  requires not now home.locked[door]
fluent shop.stock[string]: int = 3
tool shop.take(what: string)
  requires now shop.stock[what] > 0
  sets shop.stock[what] = now shop.stock[what] - 1
tool shop.put(what: string)
  sets shop.stock[what] = now shop.stock[what] + 1
`;

async function proofOf(program: string, formula: string, likely?: "omitted") {
  const text = `effect-ir 1\n${tools}\nprogram (limit: real, who: string) {\n${program}\n}\nguarantee g(): ${formula}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return prove(read.value.checked, {
    solver: async () => solver,
    limits: { timeoutMs: 20_000, resources: 20_000_000 },
    ...(likely && { likely }),
  });
}

function said(verdict: Verdict | undefined): string {
  return verdict?.kind === "unknown" ? `unknown: ${verdict.why}` : `${verdict?.kind}`;
}

const each = "let rows = call db.query(consented: true)\nfor r in rows {\n";

it.each<[program: string, formula: string, guarantee: string, obligations?: string]>([
  [`${each}call mail.send(to: "bob")\n}`, 'forall s in mail.send: s.to == "bob"', "proved"],
  [`${each}call mail.send(to: r.email)\n}`, 'forall s in mail.send: s.to == "bob"', "refuted"],
  [
    `${each}call mail.send(to: r.email) when r.email == "bob"\n}`,
    'forall s in mail.send: s.to == "bob"',
    "proved",
  ],
  [
    `${each}call bank.pay(to: r.email, amount: r.due)\n}`,
    "forall p in bank.pay: p.amount <= 20",
    "proved",
    "proved",
  ],
  [
    `${each}call bank.pay(to: r.email, amount: r.due)\n}`,
    "forall p in bank.pay: p.amount <= 19",
    "refuted",
    "proved",
  ],
  [
    `${each}call bank.pay(to: r.email, amount: r.due - 1)\n}`,
    "forall p in bank.pay: p.amount <= 19",
    "proved",
    "refuted",
  ],
  [
    `${each}call bank.pay(to: r.email, amount: r.due)\n}`,
    "sum(p in bank.pay: p.amount) <= 2000",
    "proved",
    "proved",
  ],
  [
    `${each}call bank.pay(to: r.email, amount: r.due)\n}`,
    "sum(p in bank.pay: p.amount) <= 20",
    "refuted",
    "proved",
  ],
  [`${each}call mail.send(to: r.email)\n}`, "count(s in mail.send) <= 100", "proved"],
  [`${each}call mail.send(to: r.email)\n}`, "count(s in mail.send) <= 2", "refuted"],
  [
    `${each}call mail.send(to: r.email)\n}`,
    "forall s in mail.send: exists r in rows db.query: r.email == s.to",
    "proved",
  ],
  [
    `${each}call mail.send(to: who)\n}`,
    "forall s in mail.send: exists r in rows db.query: r.email == s.to",
    "refuted",
  ],
  // "pay while the total stays under 500"
  [
    "let rows = call db.query(consented: true)\nfor r in rows carry total: real = 0 {\nlet fits = total + r.due <= 500\ncall bank.pay(to: r.email, amount: r.due) when fits\nnext total = if fits then total + r.due else total\n}",
    "sum(p in bank.pay: p.amount) <= 500",
    "proved",
    "proved",
  ],
  [
    "let rows = call db.query(consented: true)\nfor r in rows carry total: real = 0 {\nlet fits = total <= 50\ncall bank.pay(to: r.email, amount: r.due) when fits\nnext total = if fits then total + r.due else total\n}",
    "sum(p in bank.pay: p.amount) <= 50",
    "refuted",
    "proved",
  ],
  // "skip whom we already wrote to"
  [
    "let rows = call db.names()\nfor r in rows carry seen: list<string> = [] {\nlet old = contains(seen, r)\ncall mail.send(to: r) when not old\nnext seen = if old then seen else seen ++ [r]\n}",
    "distinct(s in mail.send: s.to)",
    "proved",
  ],
  [
    "let rows = call db.names()\nfor r in rows carry seen: list<string> = [] {\nlet old = contains(seen, r)\ncall mail.send(to: r)\nnext seen = if old then seen else seen ++ [r]\n}",
    "distinct(s in mail.send: s.to)",
    "refuted",
  ],
  [
    "let rows = call db.names()\nfor r in rows carry seen: list<string> = [] {\nlet old = contains(seen, r)\ncall mail.send(to: r) when not old\nnext seen = if old then seen else seen ++ [who]\n}",
    "distinct(s in mail.send: s.to)",
    "refuted",
  ],
  [
    "let rows = call db.names()\nfor r in rows carry seen: list<string> = [] {\nlet old = contains(seen, r)\ncall mail.send(to: r) when not old\ncall mail.send(to: r) when not old\nnext seen = if old then seen else seen ++ [r]\n}",
    "forall n = count(s in mail.send by s.to): n <= 2",
    "proved",
  ],
  [
    "let rows = call db.names()\nfor r in rows carry seen: list<string> = [] {\nlet old = contains(seen, r)\ncall mail.send(to: r) when not old\ncall mail.send(to: r) when not old\nnext seen = if old then seen else seen ++ [r]\n}",
    "forall n = count(s in mail.send by s.to): n <= 1",
    "refuted",
  ],
  [
    "let rows = call db.query(consented: true)\nfor r in rows carry seen: list<string> = [] {\nlet old = contains(seen, r.email)\ncall bank.pay(to: r.email, amount: r.due) when not old\nnext seen = seen ++ [r.email]\n}",
    "forall n = sum(p in bank.pay by p.to: p.amount): n <= 20",
    "proved",
    "proved",
  ],
  [
    `${each}call bank.pay(to: r.email, amount: r.due)\n}`,
    "forall n = sum(p in bank.pay by p.to: p.amount): n <= 20",
    "refuted",
    "proved",
  ],
  // only the first one
  [
    `let rows = call db.names()\nfor r in rows carry done: bool = false {\ncall mail.send(to: "bob") when not done\nnext done = true\n}`,
    "distinct(s in mail.send: s.to)",
    "proved",
  ],
  // some call, however many there are
  [
    `call mail.send(to: who)\n${each}call mail.send(to: r.email)\n}`,
    "exists s in mail.send: s.to == who",
    "proved",
  ],
  [`${each}call mail.send(to: who)\n}`, "exists s in mail.send: s.to == who", "refuted"],
  [
    `${each}call mail.send(to: who)\n}\nrequire length(rows) >= 1: "some"`,
    "exists s in mail.send: s.to == who",
    "proved",
    "refuted",
  ],
  // "stop after three failures"
  [
    "let rows = call db.names()\nfor r in rows carry failures: int = 0, sent: int = 0 {\ncall mail.send(to: r) when failures < 3 catch failed\nnext failures = if failed then failures + 1 else failures\nnext sent = if failures < 3 then sent + 1 else sent\n}\ncall mail.send(to: who) when failures > 3",
    "forall s in mail.send: s.to != who or true",
    "proved",
  ],
  [
    'let rows = call db.names()\nfor r in rows carry failures: int = 0 {\ncall mail.send(to: r) when failures < 3 catch failed\nnext failures = if failed then failures + 1 else failures\n}\nrequire failures <= 3: "few failures"',
    "true",
    "proved",
    "proved",
  ],
  [
    'let rows = call db.names()\nfor r in rows carry failures: int = 0 {\ncall mail.send(to: r) when failures < 3 catch failed\nnext failures = if failed then failures + 1 else failures\n}\nrequire failures <= 2: "few failures"',
    "true",
    "proved",
    "refuted",
  ],
  // "stop after the first five", as a list that grows
  [
    "let rows = call db.names()\nfor r in rows carry sent: list<string> = [] {\nlet more = length(sent) < 2\ncall mail.send(to: r) when more\nnext sent = if more then sent ++ [r] else sent\n}",
    "count(s in mail.send) <= 2",
    "proved",
  ],
  [
    "let rows = call db.names()\nfor r in rows carry sent: list<string> = [] {\nlet more = length(sent) <= 2\ncall mail.send(to: r) when more\nnext sent = if more then sent ++ [r] else sent\n}",
    "count(s in mail.send) <= 2",
    "refuted",
  ],
  // what fluents hold in the end
  [
    "let rows = call db.names()\nfor r in rows {\ncall home.unlock(door: r)\ncall home.enter(door: r)\ncall home.lock(door: r)\n}",
    "forall d in final home.locked: d.value",
    "proved",
    "proved",
  ],
  [
    "let rows = call db.names()\nfor r in rows {\ncall home.unlock(door: r)\ncall home.lock(door: who)\n}",
    "forall d in final home.locked: d.value",
    "refuted",
  ],
  [
    'let rows = call db.names()\nfor r in rows {\ncall home.unlock(door: r) when r != "vault"\n}',
    'final home.locked["vault"]',
    "proved",
  ],
  [
    "let rows = call db.names()\nfor r in rows {\ncall home.unlock(door: r)\n}",
    'final home.locked["vault"]',
    "refuted",
  ],
  ["let rows = call db.names()\nfor r in rows {\ncall home.enter(door: r)\n}", "true", "proved", "refuted"],
  [
    "let rows = call db.names()\nfor r in rows {\ncall shop.put(what: r)\ncall shop.take(what: r)\n}",
    "forall c in final shop.stock: c.value >= 3",
    "proved",
    "proved",
  ],
  [
    "let rows = call db.names()\nfor r in rows {\ncall shop.put(what: r)\ncall shop.take(what: who)\n}",
    "forall c in final shop.stock: c.value >= 3",
    "refuted",
  ],
  // what fluents hold all along
  [
    'let rows = call db.names()\nfor r in rows {\ncall home.unlock(door: r) when r != "vault"\ncall home.lock(door: r)\n}',
    'always(now home.locked["vault"])',
    "proved",
  ],
  [
    "let rows = call db.names()\nfor r in rows {\ncall home.unlock(door: r)\ncall home.lock(door: r)\n}",
    'always(now home.locked["vault"])',
    "refuted",
  ],
  [
    "let rows = call db.names()\nfor r in rows {\ncall shop.put(what: r)\ncall shop.take(what: r)\n}",
    "always(forall c in now shop.stock: c.value >= 3 and c.value <= 4)",
    "proved",
    "proved",
  ],
])("%s | %s", async (program, formula, guarantee, obligations) => {
  const proof = await proofOf(program, formula);
  expect(said(proof.guarantees[0]?.verdict)).toBe(guarantee);
  if (obligations !== undefined) expect(said(proof.obligations[0]?.verdict)).toBe(obligations);
});

const many = "let rows = call db.many()\nfor r in rows ";

// No run is found with short lists, so that nothing but the proof itself keeps a false claim from being proved.
it.each<[program: string, formula: string, guarantee: string]>([
  [`${many}{\ncall mail.send(to: r)\n}`, "count(s in mail.send) >= 6", "proved"],
  [`${many}{\ncall mail.send(to: r)\n}`, "count(s in mail.send) <= 6", "unknown"],
  [`${many}{\ncall mail.send(to: r)\n}`, "distinct(s in mail.send: s.to)", "unknown"],
  [
    `${many}carry seen: list<string> = [] {\ncall mail.send(to: r) when contains(seen, r)\nnext seen = seen ++ [r]\n}`,
    "count(s in mail.send) <= 0",
    "unknown",
  ],
  [
    `${many}carry seen: list<string> = [] {\ncall mail.send(to: r) when length(seen) >= 5\nnext seen = seen ++ [r]\n}`,
    "count(s in mail.send) <= 0",
    "unknown",
  ],
  [
    `${many}carry seen: list<string> = [] {\ncall mail.send(to: r) when not contains(seen, r)\nnext seen = if r == who then seen ++ [r] else seen\n}`,
    "distinct(s in mail.send: s.to)",
    "unknown",
  ],
  [
    `${many}carry seen: list<string> = [] {\ncall mail.send(to: r) when not contains(seen, r)\nnext seen = seen ++ [r]\n}`,
    "distinct(s in mail.send: s.to)",
    "proved",
  ],
  [
    `${many}{\ncall mail.send(to: r) when r == who\n}`,
    "exists n = count(s in mail.send by s.to): n >= 1",
    "unknown",
  ],
  [`${many}{\ncall mail.send(to: r) when r == who\n}`, "exists s in mail.send: true", "unknown"],
  [`${many}{\ncall mail.send(to: r)\n}`, "exists s in mail.send: true", "proved"],
  [`${many}{\ncall home.unlock(door: r)\n}`, 'final home.locked["vault"]', "unknown"],
  [`${many}{\ncall home.unlock(door: r)\n}`, "forall d in final home.locked: d.value", "unknown"],
  [
    `${many}{\ncall home.unlock(door: r)\ncall home.lock(door: r)\n}`,
    'always(now home.locked["vault"])',
    "unknown",
  ],
  [
    `${many}{\ncall home.unlock(door: r)\ncall home.lock(door: r)\n}`,
    'always(now home.locked["vault"]) or always(now home.locked["safe"])',
    "unknown",
  ],
  [
    `call home.unlock(door: who)\n${many}{\ncall home.lock(door: r)\n}`,
    "forall d in final home.locked: d.value",
    "unknown",
  ],
])("long lists: %s | %s", async (program, formula, guarantee) => {
  const proof = await proofOf(program, formula, "omitted");
  expect(proof.guarantees[0]?.verdict.kind).toBe(guarantee);
  // No list is short here, so only random runs find one that breaks it.
  const searched = await proofOf(program, formula);
  expect(searched.guarantees[0]?.verdict.kind).toBe(guarantee === "unknown" ? "refuted" : guarantee);
});

it("a loop without calls does not hide in which state a run stops", async () => {
  const loop = `${each}let x = r.due\n}\nfor r2 in rows carry t: real = 0 {\nnext t = t + r2.due\n}`;
  const after = 'call home.unlock(door: "a")\ncall mail.send(to: "bob")\ncall home.lock(door: "a")';
  const [proof] = (await proofOf(`${loop}\n${after}`, 'final home.locked["a"]')).guarantees;
  expect(proof?.verdict.kind).toBe("proved");
  const { interruption } = proof ?? {};
  const at = interruption?.kind === "open" ? interruption.at.map(({ after }) => after?.id) : [];
  expect(at).toEqual(["c2", "c3", "c4"]);
});
