/** The questions of a certificate asked at once: never more is believed than what each would be answered by itself. */
import { afterAll, expect, it } from "vitest";
import { togetherScript } from "../../src/certificate/batch.ts";
import { checkCertificate, type Replayer } from "../../src/certificate/index.ts";
import { goalScript, translate } from "../../src/certificate/obligations.ts";
import { readDocument } from "../../src/ir/index.ts";
import { certify } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const limits = { resources: 20_000_000, timeoutMs: 20_000 };

function documentOf(most: number, least = 0) {
  const read = readDocument(`effect-ir 1
tool bank.balance(account: string) -> real
  ensures result >= 0
tool bank.withdraw(account: string, amount: real)
  requires amount >= ${least}
program (rich: bool) {
  let owed = call bank.balance(account: "card")
  call bank.withdraw(account: "card", amount: min(owed, 500)) when rich
  let poor = call bank.balance(account: "other") when not rich
}
guarantee bank.maxSpend(${most}):
  sum(w in bank.withdraw: w.amount) <= ${most}
guarantee bank.onlyTheRich():
  forall w in bank.withdraw: rich
`);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked;
}

const real = await replayerOf(solver);
const made = await certify(documentOf(500), async () => real);
if (made.kind !== "certified") throw new Error(made.why);
const own = new Map(
  made.certificate.obligations.filter(({ by }) => by === "solver").map((one) => [one.smtLib, one.verdict]),
);

/** Checks with this in the place of the solver's answers, and says what was asked. */
async function checkedWith(ask: Replayer["ask"]) {
  const texts: string[] = [];
  const replayer: Replayer = {
    ...real,
    ask: (text, given) => {
      texts.push(text);
      return ask(text, given);
    },
  };
  const checking = await checkCertificate(made.kind === "certified" ? made.text : "", {
    solvers: async () => [replayer],
  });
  return { checking, texts };
}

it("fewer questions are asked", async () => {
  const { checking, texts } = await checkedWith(real.ask);
  expect(checking.kind).toBe("valid");
  expect([...own.values()].filter((verdict) => verdict === "unsat").length).toBeGreaterThan(1);
  // Two calls that no run reaches both: that they are answered is asked of each.
  expect(texts.filter((text) => own.get(text) === "unsat")).toEqual([]);
});

it("where that gives no answer, or another one, each is asked by itself", async () => {
  for (const answer of ["unknown", "sat", "unsat"] as const) {
    const wrong = { unsat: "sat", sat: "unsat", unknown: "unknown" } as const;
    const { checking, texts } = await checkedWith(async (text, given) => {
      if (own.has(text)) return real.ask(text, given);
      return answer === "unknown" ? answer : wrong[await real.ask(text, given)];
    });
    expect(checking.kind).toBe("valid");
    if (answer === "unknown") expect(new Set(texts.filter((text) => own.has(text))).size).toBe(own.size);
  }
});

it("an answer to one alone is not overruled", async () => {
  for (const text of own.keys()) {
    const { checking } = await checkedWith(async (asked, given) =>
      asked === text || !own.has(asked) ? "unknown" : real.ask(asked, given),
    );
    expect(checking).toMatchObject({ kind: "refused", problem: { code: "FC5306" } });
  }
});

it.each([
  ["all hold", 500, 0, "unsat"],
  ["the last but one does not", 499, 0, "sat"],
  ["the first does not", 500, 1, "sat"],
])("%s", async (_, most, least, expected) => {
  const plain = translate(documentOf(most, least));
  if (plain.kind === "notPlain") throw new Error(plain.why);
  const { terms, obligations } = plain;
  const stated = obligations
    .filter(({ kind }) => kind !== "answer")
    .map((obligation) => ({
      obligation,
      verdict: "unsat" as const,
      uses: [...obligation.assumptions.keys()],
    }));
  const one = await Promise.all(
    stated.map(({ obligation, uses }) => real.ask(goalScript(terms, obligation, uses).text, limits)),
  );
  expect(one.every((answer) => answer === "unsat")).toBe(expected === "unsat");
  expect(await real.ask(togetherScript(terms, stated, "unsat") ?? "", limits)).toBe(expected);
});
