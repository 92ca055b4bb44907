/** Provenance, readers and automata: declarations in contracts and tools, and their lowering. */
import { describe, expect, it } from "vitest";
import { compileProgram, compileTools, type FrontCode } from "../../src/frontend/index.ts";
import { printDocument } from "../../src/ir/index.ts";

const head = `import { automaton, contract, fluent, flowsFrom, influencedBy, input, labelled, mayRead, tool, untrusted } from "foreclaim";
export const fetch = tool({
  labels: ["inbox"],
  source: "untrusted",
  reads: true,
  stores: ["mail"],
  readers: (mail, { folder }) => [...mail.to, folder],
  run: async ({ folder }: { folder: string }): Promise<{ subject: string; body: string; to: string[] }[]> => [],
});
export const send = tool({
  labels: ["out"],
  stores: ["mail"],
  run: async ({ to, body, cc }: { to: string; body: string; cc?: string[] }): Promise<void> => {},
});
`;

const files: Readonly<Record<string, string>> = {
  "tools/mail.ts": `${head}
const OUT = "out";
const fromMail = (value: string) => flowsFrom(value, fetch);
const asked = ["idle", "asked"] as const;
export const sum = tool({ stores: [], endorses: "untrusted", run: async ({ n }: { n: number }): Promise<number> => n });
export const ask = tool({
  endorses: [fetch, "inbox", labelled("later"), input(), "untrusted"],
  readers: (answer) => [answer],
  run: async ({ text }: { text: string }): Promise<string> => text,
});
export const later = tool({ labels: ["later"], run: async (): Promise<string> => "" });
export const kept = contract(() => send.none((e) => fromMail(e.body) || flowsFrom(e.to, fetch, "subject")));
export const labels = contract((limit: number) => send.where((e) => flowsFrom(e, "inbox")).count() <= limit);
export const inputs = contract(() => send.all((e) => !flowsFrom(e.body, input()) && !flowsFrom(e.to, input("secret"))));
export const moved = contract((to: string) => labelled<{ to: string }>(OUT).all((e) => !influencedBy(e, labelled("inbox")) || e.to === to));
export const onlyTrusted = contract((length: number) => send.none((e) => e.body.length > length && untrusted(e.body)));
export const calm = contract(() => send.none((e) => influencedBy(e, untrusted)));
export const read = contract(() => send.all((e) => mayRead(e.body, e.to) && mayRead(e.body, e.cc ?? [])));
const pay = (limit: number) => ({ from: "idle", call: send, when: (p: { body: string }) => p.body.length > limit, to: "bad" }) as const;
export const order = contract((limit: number) =>
  automaton({
    states: asked,
    start: "idle",
    on: [
      { from: "idle", call: ask, to: "asked" },
      pay(limit),
      { from: ["asked", "idle"], call: labelled<{ to: string }>("out").where((e) => e.to === "me"), to: "idle" },
    ],
    error: "bad",
  }));
`,
  "program.ts": `import { program } from "foreclaim";
import * as mail from "./tools/mail";
export default program({
  guarantees: [mail.kept(), mail.labels(2), mail.inputs(), mail.moved("me"), mail.onlyTrusted(5), mail.calm(), mail.read(), mail.order(10)],
  async run({ secret }: { secret: string }) {
    const [first] = await mail.fetch({ folder: "in" });
    await mail.sum({ n: 1 });
    await mail.ask({ text: secret });
    await mail.send({ to: "me", body: "hello" });
  },
});
`,
};

it("contracts and tools become formulas and clauses", () => {
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  const text = printDocument(result.value.document).replace(/fcm1-\w+/, "fcm1-…");
  expect(text.replace(/\nprogram .*?\n\}\n/s, "\n")).toMatchInlineSnapshot(`
    "effect-ir 1
    modules "fcm1-…"

    tool mail.ask(text: string) -> string
      endorses tool mail.fetch, label "inbox", label "later", inputs, untrusted
      readers [result]
    tool mail.fetch(folder: string) -> list<record{subject: string, body: string, to: list<string>}>
      labels "inbox"
      reads
      untrusted
      stores "mail"
      readers row.to ++ [folder]
    tool mail.send(to: string, body: string, cc?: list<string>)
      labels "out"
      stores "mail"
    tool mail.sum(n: real) -> real
      stores none
      endorses untrusted


    guarantee mail.kept():
      forall e in mail.send: not (flows(e.body, tool mail.fetch) or flows(e.to, tool mail.fetch field subject))
    guarantee mail.labels(2): count(s in mail.send where flows(s, label "inbox")) <= 2
    guarantee mail.inputs():
      forall e in mail.send: not flows(e.body, inputs) and not flows(e.to, input secret)
    guarantee mail.moved("me"):
      forall e in label "out": not influenced(e, label "inbox") or e.to == "me"
    guarantee mail.onlyTrusted(5):
      forall e in mail.send: not (length(e.body) > 5 and flows(e.body, untrusted))
    guarantee mail.calm(): forall e in mail.send: not influenced(e, untrusted)
    guarantee mail.read():
      forall e in mail.send: mayRead(e.body, e.to) and mayRead(e.body, if isSome(e.cc) then value(e.cc) else [])
    guarantee mail.order(10):
      automaton(states "idle", "asked", "bad" start "idle" on "idle" a in mail.ask -> "asked" on "idle" p in mail.send where length(p.body) > 10 -> "bad" on "asked" \`call\` in label "out" where \`call\`.to == "me" -> "idle" on "idle" \`call\` in label "out" where \`call\`.to == "me" -> "idle" error "bad")
    "
  `);
});

it("open contracts keep their parameters", () => {
  const tools = compileTools(["tools/mail.ts"], { readFile: (path) => files[path] });
  expect(tools.ok).toBe(true);
});

/** Each: what is tried, the rest of the tool module, the code, what is underlined. */
const refused: readonly (readonly [string, string, FrontCode, string])[] = [
  [
    "a promise that rests on a flow",
    "contract(() => send.all((e) => flowsFrom(e.body, fetch)))",
    "FC2226",
    "contract(() => send.all((e) => flowsFrom(e.body, fetch)))",
  ],
  [
    "a promise that rests on influence",
    "contract(() => send.some((e) => influencedBy(e, fetch)))",
    "FC2226",
    "contract(() => send.some((e) => influencedBy(e, fetch)))",
  ],
  [
    "a comparison of what may be",
    'contract(() => send.all((e) => untrusted(e.body) === (e.to === "x")))',
    "FC2226",
    'contract(() => send.all((e) => untrusted(e.body) === (e.to === "x")))',
  ],
  [
    "a reader that is ruled out",
    "contract(() => send.none((e) => mayRead(e.body, e.to)))",
    "FC2226",
    "contract(() => send.none((e) => mayRead(e.body, e.to)))",
  ],
  [
    "a source that is none",
    "contract(() => send.none((e) => flowsFrom(e.body, e.to)))",
    "FC2223",
    "flowsFrom(e.body, e.to)",
  ],
  [
    "calls that are chosen as a source",
    'contract(() => send.none((e) => flowsFrom(e.body, fetch.where((f) => f.folder === "x"))))',
    "FC2223",
    'flowsFrom(e.body, fetch.where((f) => f.folder === "x"))',
  ],
  [
    "an unknown label",
    'contract(() => send.none((e) => flowsFrom(e.body, "inbx")))',
    "FC2207",
    'flowsFrom(e.body, "inbx")',
  ],
  [
    "an unknown field",
    'contract(() => send.none((e) => flowsFrom(e.body, fetch, "topic")))',
    "FC2310",
    'flowsFrom(e.body, fetch, "topic")',
  ],
  [
    "a field of a label",
    'contract(() => send.none((e) => flowsFrom(e.body, "inbox", "body")))',
    "FC2223",
    'flowsFrom(e.body, "inbox", "body")',
  ],
  [
    "an input that the program does not have",
    'contract(() => send.none((e) => flowsFrom(e.body, input("key"))))',
    "FC2228",
    'flowsFrom(e.body, input("key"))',
  ],
  [
    "a number of calls",
    "contract(() => !flowsFrom(send.count(), fetch))",
    "FC2227",
    "flowsFrom(send.count(), fetch)",
  ],
  [
    "influence on a value",
    "contract(() => send.none((e) => influencedBy(e.body, fetch)))",
    "FC2227",
    "influencedBy(e.body, fetch)",
  ],
  [
    "influence on a row",
    "contract(() => fetch.rows.none((e) => influencedBy(e, fetch)))",
    "FC2227",
    "influencedBy(e, fetch)",
  ],
  [
    "a reader that is a number",
    "contract(() => send.all((e) => mayRead(e.body, 1)))",
    "FC2108",
    "mayRead(e.body, 1)",
  ],
  [
    "a reader that may be absent",
    "contract(() => send.all((e) => mayRead(e.body, e.cc)))",
    "FC2109",
    "mayRead(e.body, e.cc)",
  ],
  ["too few arguments", "contract(() => send.all((e) => mayRead(e.body)))", "FC2314", "mayRead(e.body)"],
  [
    "a flow outside a contract",
    "tool({ requires: ({ n }) => !untrusted(n), run: async ({ n }: { n: number }): Promise<void> => {} })",
    "FC2208",
    "untrusted(n)",
  ],
  [
    "an unknown state",
    automaton('[{ from: "idle", call: send, to: "bda" }]'),
    "FC2225",
    '{ from: "idle", call: send, to: "bda" }',
  ],
  [
    "a state that nothing leads to",
    automaton('[{ from: "asked", call: send, to: "bad" }]'),
    "FC2225",
    automaton('[{ from: "asked", call: send, to: "bad" }]', true),
  ],
  [
    "a state given twice",
    automaton("[]", false, '["idle", "idle"]'),
    "FC2225",
    automaton("[]", true, '["idle", "idle"]'),
  ],
  [
    "a transition that looks at all calls",
    automaton('[{ from: "idle", call: send, when: (p) => send.count() > 1, to: "bad" }]'),
    "FC2224",
    '{ from: "idle", call: send, when: (p) => send.count() > 1, to: "bad" }',
  ],
  [
    "a transition over rows",
    automaton('[{ from: "idle", call: fetch.rows, to: "bad" }]'),
    "FC2216",
    '{ from: "idle", call: fetch.rows, to: "bad" }',
  ],
  [
    "a transition that looks at a call around it",
    `contract(() => send.all((e) => ${automaton('[{ from: "idle", call: send, when: (p) => p.to === e.to, to: "bad" }]', true)}))`,
    "FC2224",
    '{ from: "idle", call: send, when: (p) => p.to === e.to, to: "bad" }',
  ],
  [
    "an unknown part of a transition",
    automaton('[{ from: "idle", call: send, where: 1, to: "bad" }]'),
    "FC2011",
    '{ from: "idle", call: send, where: 1, to: "bad" }',
  ],
  [
    "stores that are no list",
    'tool({ stores: "mail", run: async (): Promise<void> => {} })',
    "FC2204",
    '"mail"',
  ],
  [
    "an endorsement of nothing",
    'tool({ endorses: "untrusted", run: async (): Promise<void> => {} })',
    "FC2209",
    '"untrusted"',
  ],
  [
    "an endorsement of an input by name",
    'tool({ endorses: [input("x")], run: async (): Promise<string> => "" })',
    "FC2223",
    '[input("x")]',
  ],
  [
    "readers of nothing",
    'tool({ readers: () => ["me"], run: async (): Promise<void> => {} })',
    "FC2209",
    'readers: () => ["me"]',
  ],
  [
    "readers that are one",
    'tool({ readers: (r) => r, run: async (): Promise<string> => "" })',
    "FC2105",
    "(r) => r",
  ],
  [
    "an argument called row",
    "tool({ readers: (r) => [r], run: async ({ row }: { row: string }): Promise<string[]> => [] })",
    "FC2218",
    "readers: (r) => [r]",
  ],
];

function automaton(on: string, alone = false, states = '["idle", "asked"]'): string {
  const made = `automaton({ states: ${states}, start: "idle", on: ${on}, error: "bad" })`;
  return alone ? made : `contract(() => ${made})`;
}

describe("refused", () => {
  it.each(refused)("%s", (_, text, code, underlined) => {
    const module = `${head}export const c = ${text};\n`;
    const guarantee = text.startsWith("contract") ? "t.c()" : "t.fine()";
    const sources: Readonly<Record<string, string>> = {
      "tools/t.ts": `${module}export const fine = contract(() => true);\n`,
      "program.ts": `import { program } from "foreclaim";\nimport * as t from "./tools/t";\nexport default program({ guarantees: [${guarantee}], async run() {} });\n`,
    };
    const result = compileProgram("program.ts", { readFile: (path) => sources[path] });
    const [problem] = result.ok ? [] : result.problems;
    expect(problem?.code, problem?.message).toBe(code);
    const { start = 0, end = 0 } = problem?.span ?? {};
    // What a contract says is underlined where it is stated, or where it is written.
    const at = sources[problem?.file ?? ""]?.slice(start, end);
    expect([underlined, guarantee]).toContain(at);
    expect(problem?.message).toMatch(/^[^A-Z].*[^.]$/s);
  });
});
