/** The contracts of the language, as the front end compiles them, in words. */
import { expect, test } from "vitest";
import { describeGuarantee } from "../../src/explain/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { exampleFiles } from "../frontend/examples.ts";

const files: Readonly<Record<string, string>> = {
  ...exampleFiles,
  "tools/more.ts": `import { automaton, contract, flowsFrom, fluent, influencedBy, input, type Int, labelled, mayRead, tool, untrusted } from "foreclaim";
export const level = fluent<string, Int>({ initial: 0 });
export const fetch = tool({ source: "untrusted", run: async (): Promise<string> => "" });
export const post = tool({
  labels: ["out"],
  run: async ({ url, body, tag }: { url: string; body: string; tag?: string }): Promise<void> => {},
});
export const pay = tool({ labels: ["out"], run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {} });
export const perPayee = contract((n: number) => pay.perKey((p) => p.to).sum((p) => p.amount) <= n);
export const oncePerPayee = contract(() => pay.perKey((p) => p.to).count() <= 1);
export const before = contract(() => fetch.before(post));
export const matching = contract(() => pay.precedes(post, (p, q) => q.url === p.to));
export const never = contract(() => post.neverAfter(fetch));
export const untold = contract(() => post.none((p) => flowsFrom(p.body, fetch)));
export const unsteered = contract(() => post.none((p) => influencedBy(p, fetch)));
export const trusted = contract(() => post.none((p) => untrusted(p.url) || flowsFrom(p.body, input("secret"))));
export const shared = contract(() => post.all((p) => mayRead(p.body, p.url)));
/** Nothing is posted before it was paid for. */
export const paidFirst = contract((least: number) =>
  automaton({
    states: ["unpaid", "paid"],
    start: "unpaid",
    on: [
      { from: "unpaid", call: pay, when: (p) => p.amount >= least, to: "paid" },
      { from: "unpaid", call: post, to: "posted" },
    ],
    error: "posted",
  }));
export const untagged = contract((tag: string) => post.none((p) => p.tag === tag));
export const few = contract((n: number) => labelled("out").count() <= n);
export const largest = contract((n: number) => pay.max((p) => p.amount, 0) <= n);
export const start = contract((key: string) => level.initial.get(key) <= level.final.get(key));
export const low = contract(() => level.always.all((c) => c.value >= 0 && c.value <= 5));
export const filled = contract((n: number) => level.final.count((c) => c.value > 0) <= n);
export const emptied = contract(() => level.final.some((c) => c.value === 0));
export const careful = contract(() => pay.some() ? post.count() >= 1 : true);
export const limits = contract((rows: { to: string; max: number }[]) =>
  pay.all((p) => rows.some((r) => r.to === p.to && p.amount <= r.max)));
`,
  "said.ts": `import { program } from "foreclaim";
import * as bank from "./tools/bank";
import * as db from "./tools/db";
import * as email from "./tools/email";
import * as home from "./tools/home";
import * as more from "./tools/more";
export default program({
  guarantees: [
    email.only(["ann@x.org", "bob@x.org", "cyd@x.org"]),
    email.only(["bob@x.org"]),
    email.none(),
    email.uniqueRecipients(),
    email.atMost(3),
    email.recipientAtMost("bob@x.org", 1),
    email.contentLengthAtMost(280),
    email.sameContent("ann@x.org", "bob@x.org"),
    email.noGuarantees(),
    bank.maxSpend(500),
    bank.onlyAccount("card"),
    home.allDoorsLockedAtEnd(),
    home.doorLockedAtEnd("front"),
    db.addressesFromUsers(),
    more.perPayee(99.5),
    more.oncePerPayee(),
    more.before(),
    more.matching(),
    more.never(),
    more.untold(),
    more.unsteered(),
    more.trusted(),
    more.shared(),
    more.paidFirst(5),
    more.untagged("ad"),
    more.few(7),
    more.largest(20),
    more.start("bolt"),
    more.low(),
    more.filled(2),
    more.emptied(),
    more.careful(),
    more.limits([{ to: "ann", max: 5 }, { to: "bob", max: 2.5 }]),
  ],
  async run({ secret }: { secret: string }) {},
});
`,
};

test("every contract of the language is said in its words", () => {
  const compiled = compileProgram("said.ts", { readFile: (path) => files[path] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems, null, 1));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const said = compiled.value.document.guarantees.map((one) => {
    const { stated, sentence } = describeGuarantee(one, checked.value);
    return `${stated}\n  ${sentence}`;
  });
  expect(said.join("\n")).toMatchInlineSnapshot(`
    "\`email.only(["ann@x.org", "bob@x.org", "cyd@x.org"])\`
      every \`email.send\` has \`addr\` one of "ann@x.org", "bob@x.org" or "cyd@x.org"
    \`email.only(["bob@x.org"])\`
      every \`email.send\` has \`addr\` equal to "bob@x.org"
    \`email.none()\`
      \`email.send\` is never called
    \`email.uniqueRecipients()\`
      no two calls of \`email.send\` have the same \`addr\`
    \`email.atMost(3)\`
      \`email.send\` is called at most 3 times
    \`email.recipientAtMost("bob@x.org", 1)\`
      at most 1 call of \`email.send\` has \`addr\` equal to "bob@x.org"
    \`email.contentLengthAtMost(280)\`
      every \`email.send\` has \`msg\` of length at most 280
    \`email.sameContent("ann@x.org", "bob@x.org")\`
      at least one \`email.send\` with \`addr\` equal to "ann@x.org" has the same \`msg\` as at least one \`email.send\` with \`addr\` equal to "bob@x.org"
    \`email.noGuarantees()\`
      nothing is guaranteed: this holds for every program
    \`bank.maxSpend(500)\`
      the sum of \`amount\` over all calls of \`bank.withdraw\` is at most 500
    \`bank.onlyAccount("card")\`
      every \`bank.withdraw\` has \`account\` equal to "card"
    \`home.allDoorsLockedAtEnd()\`
      at the end, every \`home.doorLocked\` is true
    \`home.doorLockedAtEnd("front")\`
      at the end, \`home.doorLocked\` of "front" is true
    \`db.addressesFromUsers()\`
      for every \`email.send\`, at least one row returned by \`db.query\` has \`email\` equal to the \`addr\` of that \`email.send\`
    \`more.perPayee(99.5)\`
      for each \`to\` among the calls of \`more.pay\`, the sum of \`amount\` over those calls with that \`to\` is at most 99.5
    \`more.oncePerPayee()\`
      for each \`to\` among the calls of \`more.pay\`, the number of those calls with that \`to\` is at most 1
    \`more.before()\`
      before every \`more.post\`, at least one \`more.fetch\` is called
    \`more.matching()\`
      before every \`more.post\`, at least one \`more.pay\` is called that has \`to\` equal to the \`url\` of that \`more.post\`
    \`more.never()\`
      once any \`more.fetch\` has been called, no later \`more.post\` is called
    \`more.untold()\`
      no \`more.post\` has \`body\` that may carry data from \`more.fetch\`
    \`more.unsteered()\`
      no \`more.post\` may be influenced by data from \`more.fetch\`
    \`more.trusted()\`
      no \`more.post\` has \`url\` that may carry data from an untrusted tool or \`body\` that may carry data from the input \`secret\` (or both)
    \`more.shared()\`
      every \`more.post\` has \`body\` that may be read by its \`url\`
    \`more.paidFirst(5)\`
      starting in the state "unpaid", the calls in their order never lead to "posted" [in "unpaid", a \`more.pay\` with \`amount\` at least 5 leads to "paid"; in "unpaid", a \`more.post\` leads to "posted"; the first match counts, and any other call changes nothing]
    \`more.untagged("ad")\`
      no \`more.post\` has \`tag\` equal to "ad"
    \`more.few(7)\`
      at most 7 calls labeled "out" are made
    \`more.largest(20)\`
      the greatest \`amount\` of all calls of \`more.pay\` (0 if there are none) is at most 20
    \`more.start("bolt")\`
      the initial \`more.level\` of "bolt" is at most the final \`more.level\` of "bolt"
    \`more.low()\`
      at every moment of the run, every \`more.level\` has both value at least 0 and value at most 5
    \`more.filled(2)\`
      at the end, at most 2 keys of \`more.level\` have value above 0
    \`more.emptied()\`
      at the end, at least one \`more.level\` is equal to 0
    \`more.careful()\`
      at least one of these holds: (1) \`more.pay\` is never called; (2) \`more.post\` is called at least once
    \`more.limits([{ to: "ann", max: 5 }, { to: "bob", max: 2.5 }])\`
      every \`more.pay\` has [both \`to\` equal to "ann" and \`amount\` at most 5] or [both \`to\` equal to "bob" and \`amount\` at most 2.5] (or both)"
  `);
});
