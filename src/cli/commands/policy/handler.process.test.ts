/** The decisions and the output of `policy check`. */
import { expect, test } from "vitest";
import { fakeHost } from "../../../../tests/cli/fake-host.ts";
import { runCli } from "../../run-cli.ts";

const mail = `import { contract, tool } from "foreclaim";
export const send = tool({
  run: async ({ to, text }: { to: string; text: string }): Promise<void> => {},
});
export const look = tool({ reads: true, run: async (): Promise<string> => "" });
export const only = contract((list: string[]) => send.all((s) => list.includes(s.to)));
export const atMost = contract((n: number) => send.count() <= n);
`;
const bank = `import { contract, tool } from "foreclaim";
export const pay = tool({ run: async ({ amount }: { amount: number }): Promise<void> => {} });
export const maxSpend = contract((n: number) => pay.sum((p) => p.amount) <= n);
`;

const program = (
  body: string,
  guarantees = "mail.atMost(9)",
  inputs = "",
) => `import { program } from "foreclaim";
import * as bank from "./tools/bank";
import * as mail from "./tools/mail";

export default program({
  guarantees: [${guarantees}],
  async run(${inputs}) {
    ${body}
  },
});
`;
const onlyMail = (body: string, inputs = "") =>
  program(body, undefined, inputs).replace('import * as bank from "./tools/bank";\n', "");

const policy = (...rules: readonly (readonly [string, string, string, readonly string[]])[]) =>
  JSON.stringify(
    {
      version: 1,
      rules: rules.map(([name, decision, when, clauses]) => ({
        name,
        decision,
        [when]: clauses,
        reason: `as ${name} says`,
      })),
    },
    null,
    2,
  );

const named = (...tools: string[]) =>
  JSON.stringify({
    version: 1,
    rules: [
      {
        name: "only mail",
        decision: "auto_approved",
        whenProven: ["mail.only(['bob@x.org'])"],
        tools: [...tools, "mail.look"],
        reason: "nothing but mail",
      },
    ],
  });

const files = {
  "tools/mail.ts": mail,
  "tools/bank.ts": bank,
  "bob.ts": onlyMail('await mail.look();\n    await mail.send({ to: "bob@x.org", text: "hi" });'),
  "anyone.ts": onlyMail('await mail.send({ to: who, text: "hi" });', "{ who }: { who: string }"),
  "bob-and-pay.ts": program(
    'await mail.send({ to: "bob@x.org", text: "hi" });\n    await bank.pay({ amount: 5 });',
  ),
  "false.ts": program('await mail.send({ to: "bob@x.org", text: "hi" });', "mail.atMost(0)"),
  "dear.ts": program("await bank.pay({ amount: x });", undefined, "{ x }: { x: number }"),
  "hard.ts": program(
    "for (const x of xs) await bank.pay({ amount: x * x * x });",
    undefined,
    "{ xs }: { xs: number[] }",
  ),
  "three.ts": onlyMail('for (const to of ["a", "b", "c"]) await mail.send({ to, text: "hi" });'),
  "some.ts": onlyMail(
    'await mail.send({ to: "a", text: "hi" });\n    if (twice) await mail.send({ to: "b", text: "hi" });',
    "{ twice }: { twice: boolean }",
  ),
  "many.ts": onlyMail(
    'for (const to of ["a", "b", "c", "d", "e", "f"]) await mail.send({ to, text: "hi" });',
  ),
  "limited.json": JSON.stringify({
    version: 1,
    rules: [
      {
        name: "few",
        decision: "auto_approved",
        whenProven: ["mail.atMost(9)"],
        limits: [{ name: "mails", clause: "mail.atMost(?)", atMost: 5, per: "day" }],
        reason: "few mails",
      },
    ],
  }),
  "named.json": named("mail.send"),
  "no-tool.json": named("mail.sent"),
  "broken.ts": "const x = ;",
  "policy.json": policy(
    ["only Bob", "auto_approved", "whenProven", ["mail.only(['bob@x.org'])"]],
    ["too dear", "auto_rejected", "unlessProven", ["bank.maxSpend(10)"]],
  ),
  "quotes.json": policy(["b", "auto_approved", "whenProven", ["mail.only([\"o'hara@x.org\", '\"x\\'y\"'])"]]),
  "no-contract.json": policy(["b", "auto_approved", "whenProven", ["mail.onyl(['bob'])"]]),
  "wrong-type.json": policy(["b", "auto_approved", "whenProven", ["mail.atMost('few')"]]),
  "code.json": policy(["b", "auto_approved", "whenProven", ["mail.atMost(1) || mail.atMost(2)"]]),
  "inject.json": policy(["b", "auto_approved", "whenProven", ["mail.atMost(1), mail.atMost(2)"]]),
  "typo.json": '{ "version": 1, "rules": [{ "name": "a", "decison": "auto_approved" }] }',
};

async function foreclaim(line: string) {
  const host = fakeHost({ files });
  const code = await runCli(["policy", "check", ...line.split(" ")], host, "0");
  return { code, out: host.out(), err: host.err() };
}

test.each<[string, number, RegExp]>([
  ["policy.json bob.ts", 0, /^bob\.ts: approved by the rule `only Bob`: as only Bob says\n/],
  ["policy.json anyone.ts", 3, /^anyone\.ts: a person decides: no rule does\n/],
  ["policy.json bob-and-pay.ts", 0, /note: it also calls `bank\.pay`, which no clause of this rule is about/],
  ["named.json bob.ts", 0, /^bob\.ts: approved by the rule `only mail`/],
  [
    "named.json bob-and-pay.ts",
    3,
    /a person decides[\s\S]*\n {2}calls `bank\.pay`, which it does not allow\n/,
  ],
  ["policy.json false.ts", 1, /^false\.ts: not approved: its own guarantees are not proved\n/],
  ["policy.json dear.ts", 3, /^dear\.ts: rejected by the rule `too dear`: as too dear says\n/],
  ["policy.json hard.ts", 3, /^hard\.ts: rejected by the rule `too dear`: as too dear says\n/],
  ["policy.json bob.ts anyone.ts", 3, /approved[\s\S]*a person decides/],
  ["policy.json bob.ts false.ts anyone.ts", 1, /approved/],
  ["quotes.json bob.ts", 3, /refuted {2}mail\.only\(/],
  ["policy.json broken.ts", 2, /^$/],
  ["policy.json nowhere.ts", 2, /^$/],
])("%s: %i", async (line, code, out) => {
  const found = await foreclaim(line);
  expect(found.code, found.err).toBe(code);
  expect(found.out).toMatch(out);
});

test.each([
  ["nowhere.json", /FC9002/],
  ["typo.json", /FC1104: a rule has no field `decison`[\s\S]*did you mean `decision`/],
  [
    "no-contract.json",
    /FC9001: there is no contract `mail\.onyl`\n --> no-contract\.json:8:9[\s\S]*did you mean `mail\.only`/,
  ],
  [
    "no-tool.json",
    /FC9001: there is no tool `mail\.sent`\n --> no-tool\.json[\s\S]*did you mean `mail\.send`/,
  ],
  ["wrong-type.json", / --> wrong-type\.json:8:9/],
  ["code.json", /FC9001: the arguments of .* are not constants/],
  ["inject.json", /FC9001: the arguments of .* are not constants/],
])("%s is refused at its place, and nothing is decided", async (file, err) => {
  const found = await foreclaim(`${file} bob.ts`);
  expect(found).toMatchObject({ code: 2, out: "" });
  expect(found.err).toMatch(err);
});

test("a clause that two tool modules could mean is refused", async () => {
  const weaker = mail.replace("send.count() <= n", "send.count() <= n + 100");
  const host = fakeHost({ files: { ...files, "more/mail.ts": weaker } });
  const args = ["policy", "check", "policy.json", "bob.ts", "--tools", "tools", "--tools", "more"];
  expect(await runCli(args, host, "0")).toBe(2);
  expect(host.err()).toMatch(/FC9001: several tool modules declare the contract `mail\.only`/);
});

test("what it calls and only looks is not noted", async () => {
  expect((await foreclaim("policy.json bob.ts")).out).not.toContain("note:");
});

test.each([
  ["bob.ts", 0, 1],
  ["three.ts", 0, 3],
  ["some.ts", 0, 2],
  ["many.ts", 3, undefined],
])("of a limit %s takes the least that is proved", async (file, code, amount) => {
  const found = await foreclaim(`limited.json ${file} --json`);
  expect(found.code, found.err).toBe(code);
  const charges = amount === undefined ? [] : [{ limit: "mails", amount, atMost: 5, windowMs: 86_400_000 }];
  expect(JSON.parse(found.out).charges).toEqual(charges);
});

test("as JSON", async () => {
  const { out } = await foreclaim("policy.json bob-and-pay.ts --json");
  const held = { safe: true, text: null };
  expect(JSON.parse(out)).toEqual({
    ok: true,
    file: "bob-and-pay.ts",
    verdict: "proved",
    decision: "auto_approved",
    rule: "only Bob",
    reason: "as only Bob says",
    unmentioned: ["bank.pay"],
    charges: [],
    rules: [
      {
        name: "too dear",
        decision: "auto_rejected",
        applies: false,
        stops: null,
        clauses: [{ clause: "bank.maxSpend(10)", verdict: "proved", interruption: held, counts: true }],
        required: [],
        others: [],
      },
      {
        name: "only Bob",
        decision: "auto_approved",
        applies: true,
        stops: null,
        clauses: [
          { clause: "mail.only(['bob@x.org'])", verdict: "proved", interruption: held, counts: true },
        ],
        required: [],
        others: [],
      },
    ],
  });
});
