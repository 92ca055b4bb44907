/** Wrong use that an editor marks and the front end refuses: each a line, and what is said of it. */
import type { FrontCode } from "../../src/frontend/index.ts";

export interface WrongUse {
  readonly name: string;
  readonly code: FrontCode;
  /** The whole source; the line that is wrong ends with `// wrong`. */
  readonly source: string;
  readonly path: string;
}

const inBody = (line: string): string => program("email.noGuarantees()", `${line} // wrong`);
const asGuarantee = (guarantee: string): string => program(`${guarantee}, // wrong\n    `, "");

function program(guarantees: string, body: string): string {
  return `import { program } from "foreclaim";
import * as bank from "./tools/bank";
import * as db from "./tools/db";
import * as email from "./tools/email";
import * as home from "./tools/home";
export default program({
  guarantees: [${guarantees}],
  async run({ limit, note }: { limit: number; note: string }) {
    ${body}
    await bank.withdraw({ account: note, amount: limit });
    for (const door of (await db.query({ table: "doors" })).map((row) => row.name)) await home.lock({ door });
    await email.send({ addr: note, msg: note });
  },
});
`;
}

const whole = (lines: string): string => `import { program } from "foreclaim";
import * as email from "./tools/email";
${lines}
`;

const inModule = (
  line: string,
): string => `import { contract, coverage, fluent, labelled, tool } from "foreclaim";
import * as email from "./email";
export const level = fluent<string, number>({ initial: 0 });
export const open = tool({ run: async ({ door, force }: { door: string; force: number }): Promise<number> => 0 });
${line} // wrong
export const policy = coverage({ whenUsed: [open], recommended: [email.only] });
export const told = contract(() => labelled<{ addr: string }>("message").all((m) => m.addr !== "") && level.final.get("a") >= 0);
`;

const programs: readonly (readonly [string, FrontCode, source: string])[] = [
  ["a missing argument", "FC2314", inBody('await email.send({ addr: "a" });')],
  ["an argument too many", "FC2314", inBody('await email.send({ addr: "a", msg: "b", cc: "c" });')],
  ["an argument of another type", "FC2105", inBody('await email.send({ addr: 1, msg: "b" });')],
  ["no arguments at all", "FC2314", inBody("await email.send();")],
  ["arguments by position", "FC2314", inBody('await email.send("a", "b");')],
  [
    "a field of an argument of another type",
    "FC2105",
    inBody('await db.query({ table: "users", where: { consented: "yes" } });'),
  ],
  [
    "a result where nothing is given",
    "FC2109",
    inBody('const n = (await email.send({ addr: "a", msg: "b" })).length;'),
  ],
  [
    "a field that a result does not have",
    "FC2310",
    inBody(
      'for (const row of await db.query({ table: "users" })) await email.send({ addr: row.mail, msg: "" });',
    ),
  ],
  ["a field of a number", "FC2310", inBody('const x = (await bank.balance({ account: "a" })).total;')],
  ["a field that the inputs do not have", "FC2401", inBody("const x = limitt;")],
  ["a tool that does not exist", "FC2004", inBody('await email.sendAll({ addr: "a", msg: "b" });')],
  ["a method that does not exist", "FC2309", inBody("const x = note.capitalize();")],
  ["a constant that is assigned to", "FC2403", inBody("const x = 1; x = 2;")],
  ["a name before it is declared", "FC2402", inBody("const y = z + 1; const z = 1;")],
  ["an import that is assigned to", "FC2405", inBody("email = bank;")],
  ["a comparison of different types", "FC2106", inBody("if (limit === note) return;")],
  ["arithmetic with a string", "FC2108", inBody("const x = note * 2;")],
  [
    "a helper with too few arguments",
    "FC2109",
    inBody("const f = (a: number, b: number) => a + b; const x = f(1);"),
  ],
  ["an argument of a contract of another type", "FC2105", asGuarantee('email.only("a")')],
  ["an element of an argument of another type", "FC2105", asGuarantee("email.only([1])")],
  ["a contract without its argument", "FC2213", asGuarantee("email.atMost()")],
  ["a contract with an argument too many", "FC2213", asGuarantee("email.none(1)")],
  ["a contract that does not exist", "FC2004", asGuarantee("email.atLeast(1)")],
  ["a contract that is not stated", "FC2211", asGuarantee("email.none")],
  ["a truth as a guarantee", "FC2211", asGuarantee("true")],
  ["a tool as a guarantee", "FC2211", asGuarantee("email.send")],
  ["no guarantees", "FC2212", whole("export default program({ guarantees: [], async run() {} }); // wrong")],
  ["guarantees left out", "FC2212", whole("export default program({ async run() {} }); // wrong")],
  ["no `run`", "FC2005", whole("export default program({ guarantees: [email.noGuarantees()] }); // wrong")],
  [
    "a name that is not exported",
    "FC2004",
    whole(
      'import { sendd } from "./tools/email"; // wrong\nexport default program({ guarantees: [email.noGuarantees()], async run() { await sendd({ addr: "a", msg: "b" }); } });',
    ),
  ],
];

const modules: readonly (readonly [string, FrontCode, line: string])[] = [
  [
    "a field in `requires` that does not exist",
    "FC2310",
    "export const t = tool({ requires: ({ dor }) => dor.length > 0, run: async ({ door }: { door: string }): Promise<void> => {} });",
  ],
  [
    "a comparison in `requires` that cannot be",
    "FC2108",
    "export const t = tool({ requires: ({ door }) => door > 1, run: async ({ door }: { door: string }): Promise<void> => {} });",
  ],
  [
    "a field in `ensures` that does not exist",
    "FC2310",
    "export const t = tool({ ensures: (r) => r.size > 0, run: async (): Promise<{ length: number }> => ({ length: 1 }) });",
  ],
  [
    "`ensures` of nothing",
    "FC2209",
    "export const t = tool({ ensures: (r) => r.length > 0, run: async (): Promise<void> => {} });",
  ],
  [
    "a fluent set to another type",
    "FC2105",
    'export const t = tool({ effects: ({ door }) => [level.set(door, "x")], run: async ({ door }: { door: string }): Promise<void> => {} });',
  ],
  [
    "a fluent with a key of another type",
    "FC2105",
    "export const t = tool({ effects: () => [level.set(1, 2)], run: async (): Promise<void> => {} });",
  ],
  [
    "a cost that is no number",
    "FC2105",
    "export const t = tool({ cost: ({ door }) => door, run: async ({ door }: { door: string }): Promise<void> => {} });",
  ],
  [
    "an option that does not exist",
    "FC2011",
    'export const t = tool({ lables: ["x"], run: async (): Promise<void> => {} });',
  ],
  [
    "another source",
    "FC2204",
    'export const t = tool({ source: "trusted", run: async (): Promise<void> => {} });',
  ],
  [
    "labels that are no texts",
    "FC2204",
    "export const t = tool({ labels: [1], run: async (): Promise<void> => {} });",
  ],
  ["a tool without `run`", "FC2203", 'export const t = tool({ description: "x" });'],
  [
    "a field in a contract that does not exist",
    "FC2310",
    'export const c = contract(() => email.send.all((e) => e.address === "x"));',
  ],
  [
    "a comparison in a contract that cannot be",
    "FC2106",
    "export const c = contract(() => open.all((e) => e.door === 3));",
  ],
  ["a contract that gives a number", "FC2105", "export const c = contract(() => email.send.count());"],
  [
    "a contract that gives a text",
    "FC2105",
    "export const c = contract(() => email.send.all((e) => e.msg));",
  ],
  ["a contract that gives an object", "FC2105", "export const c = contract(() => ({ ok: true }));"],
  [
    "a clause that gives a number",
    "FC2105",
    "export const t = tool({ requires: ({ door }) => door.length, run: async ({ door }: { door: string }): Promise<void> => {} });",
  ],
  ["a contract that gives another", "FC2319", "export const c = contract(() => email.none);"],
  [
    "a contract that gives a relation",
    "FC2319",
    "export const c = contract(() => email.send.where((e) => e.addr === e.msg));",
  ],
  [
    "a method that a relation does not have",
    "FC2205",
    "export const c = contract(() => open.every((e) => e.force > 1));",
  ],
  [
    "a method that a fluent does not have",
    "FC2206",
    "export const c = contract(() => level.final.every((d) => d.value > 1));",
  ],
  ["a fluent read in no state", "FC2206", "export const c = contract(() => level.all((d) => d.value > 1));"],
  ["the most of no calls", "FC2314", "export const c = contract(() => open.max((e) => e.force) <= 3);"],
  ["a sum of texts", "FC2108", "export const c = contract(() => open.sum((e) => e.door) <= 3);"],
  ["rows of a tool that returns no list", "FC2205", "export const c = contract(() => open.rows.some());"],
  [
    "a contract inside another with an argument of another type",
    "FC2105",
    'export const c = contract((n: number) => email.recipientAtMost(n, "a"));',
  ],
  [
    "a contract inside another without its argument",
    "FC2213",
    "export const c = contract(() => email.atMost());",
  ],
  ["an order between a tool and a number", "FC2205", "export const c = contract(() => open.before(3));"],
  [
    "a fluent that starts as another type",
    "FC2105",
    'export const f = fluent<string, boolean>({ initial: "yes" });',
  ],
  ["a fluent that starts as nothing", "FC2201", "export const f = fluent<string, boolean>({});"],
  ["coverage of what is no tool", "FC2201", "export const p = coverage({ whenUsed: [level] });"],
];

export const wrongUses: readonly WrongUse[] = [
  ...programs.map(([name, code, source], i) => ({ name, code, source, path: `wrong-${i}.ts` })),
  ...modules.map(([name, code, line], i) => ({
    name,
    code,
    source: inModule(line),
    path: `tools/wrong-${i}.ts`,
  })),
];

/** The number of the line that is wrong. */
export function wrongLine({ source }: WrongUse): number {
  return source.split("\n").findIndex((line) => line.endsWith("// wrong")) + 1;
}
