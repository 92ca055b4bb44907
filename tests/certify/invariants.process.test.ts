/** Invariants in a certificate are never believed: one that does not hold is found out. */
import { afterAll, describe, expect, test } from "vitest";
import { type Certificate, certificateText, solverLimits } from "../../src/certificate/certificate.ts";
import { certifiedGuarantee, certifiedScript } from "../../src/certificate/check.ts";
import { checkCertificate } from "../../src/certificate/index.ts";
import { translate } from "../../src/certificate/obligations.ts";
import { type Checked, documentToJson, hashDocument, readDocument } from "../../src/ir/index.ts";
import { sha256Hex } from "../../src/ir/json/digest.ts";
import { certify } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const options = { solvers: async () => [await replayerOf(solver)] };

/** Pays while something is left; `check` is what it asks before it pays. */
const paying = (check: string) =>
  documentOf(`effect-ir 1
tool bank.withdraw(amount: real)
program (all: list<real>) {
  for x in all carry left: real = 500 {
    let pays = ${check}
    call bank.withdraw(amount: x) when pays
    next left = if pays then left - x else left
  }
}
guarantee bank.maxSpend(500):
  sum(w in bank.withdraw: w.amount) <= 500
`);
const careful = paying("x >= 0 and x <= left");
const careless = paying("x >= 0 and left > 0");

function documentOf(text: string): Checked {
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked;
}

/** A certificate that says of every obligation, with these invariants, that it is shown. */
async function forged(checked: Checked, invariants: readonly string[]): Promise<string> {
  const loop = ["program", "body", 0];
  const plain = translate(checked, new Map([[loop.join("."), invariants]]));
  if (plain.kind !== "plain") throw new Error(plain.why);
  const obligations = plain.obligations.map((obligation) => {
    const isGround = obligation.goal.value === true;
    const uses = isGround ? [] : [...obligation.assumptions.keys()];
    const script = certifiedScript(plain.terms, obligation, { verdict: "unsat", uses });
    if (script === undefined) throw new TypeError("it can be said");
    const { kind, path } = obligation;
    const by = isGround ? ("evaluation" as const) : ("solver" as const);
    return {
      kind,
      path,
      verdict: "unsat" as const,
      by,
      uses,
      smtLib: script.text,
      hash: sha256Hex(script.text),
    };
  });
  const { name, version, options: given } = await replayerOf(solver);
  const certificate: Certificate = {
    certificate: 1,
    document: documentToJson(checked.document),
    documentHash: hashDocument(checked.document),
    modules: null,
    guarantees: checked.document.guarantees.map(certifiedGuarantee),
    loops: [{ path: loop, invariants }],
    obligations,
    solver: { name, version, options: given, ...solverLimits },
  };
  return certificateText(certificate);
}

async function verdictOf(text: string): Promise<string> {
  const checking = await checkCertificate(text, options);
  return checking.kind === "valid" ? "valid" : `${checking.kind} ${checking.problem.code}`;
}

/** Invariants that hold for the careful program and suffice for its guarantee. */
const enough = ["`total 0` + left <= 500", "0 <= left"];

describe("what is written by hand", () => {
  test.each([
    ["enough", enough, "valid"],
    ["more than enough", ["`the index` >= 0", ...enough], "valid"],
    ["too little", ["0 <= left"], "refused FC5306"],
    ["nothing", [], "refused FC5306"],
    ["what holds at first, and not after", ["`total 0` == 0"], "refused FC5306"],
    ["what would be kept, and does not hold at first", ["left < 0 and `total 0` <= 500"], "refused FC5306"],
    ["what follows from everything", ["false"], "refused FC5306"],
    ["what is to be shown", ["`total 0` <= 500"], "refused FC5306"],
  ])("%s", async (_, invariants, verdict) => {
    expect(await verdictOf(await forged(careful, invariants))).toBe(verdict);
  });
});

test.each([
  [enough],
  [["false"]],
  [["`total 0` <= 500"]],
  [["left >= 0"]],
  [["left == 500", "`total 0` == 0"]],
  [[]],
])("nothing makes a promise hold that is broken: %j", async (invariants) => {
  expect(await verdictOf(await forged(careless, invariants))).toBe("refused FC5306");
});

/** Switches lamps, and `value` is what it sets them to. */
const lamps = (value: string) =>
  documentOf(`effect-ir 1
fluent home.lit[string]: bool = false
tool home.set(lamp: string, on: bool)
  sets home.lit[lamp] = on
program (all: list<string>) {
  for lamp in all { call home.set(lamp: lamp, on: ${value}) }
}
guarantee home.dark():
  forall l in final home.lit: not l.value
`);

describe("what is said of every cell", () => {
  test.each([
    ["enough", "false", ["not `cell home.lit`"], "valid"],
    ["by what it held", "false", ["`cell home.lit` implies `first cell home.lit`"], "valid"],
    [
      "of some cells",
      "false",
      ['`cell key home.lit` == "hall" implies not `cell home.lit`'],
      "refused FC5306",
    ],
    ["nothing", "false", [], "refused FC5306"],
    ["what does not stay", 'lamp == "hall"', ["not `cell home.lit`"], "refused FC5306"],
    [
      "what does not stay, of other cells",
      'lamp == "hall"',
      ['`cell key home.lit` != "hall" implies not `cell home.lit`'],
      "refused FC5306",
    ],
    ["what does not hold at first", "false", ["`cell home.lit`"], "refused FC5306"],
    ["everything", "true", ["false"], "refused FC5306"],
    ["everything of cells", "true", ["`cell home.lit` and not `cell home.lit`"], "refused FC5306"],
  ])("%s, set to %s", async (_, value, invariants, verdict) => {
    expect(await verdictOf(await forged(lamps(value), invariants))).toBe(verdict);
  });
});

test("what cannot be said is refused, with its loop", async () => {
  for (const text of [
    "left",
    "left <=",
    "x >= 0",
    "other > 0",
    "left  >= 0",
    "count(w in bank.withdraw) >= 0",
  ])
    expect(translate(careful, new Map([["program.body.0", [text]]])), text).toMatchObject({
      kind: "notPlain",
      path: ["program", "body", 0],
    });
});

test("a name of the program that invariants have too is the one of the invariants", () => {
  const counting = documentOf(`effect-ir 1
tool bank.withdraw(amount: real)
program (all: list<real>) {
  for x in all carry \`the index\`: list<real> = [] {
    call bank.withdraw(amount: x)
    next \`the index\` = [x]
  }
}
`);
  const translated = (text: string) => translate(counting, new Map([["program.body.0", [text]]])).kind;
  expect(translated("`the index` >= 0")).toBe("plain");
  expect(translated("length(`the index`) >= 0")).toBe("notPlain");
});

test("what is found is as little as is needed", async () => {
  const found = await certify(careful, () => replayerOf(solver));
  if (found.kind !== "certified") throw new Error(found.why);
  expect(found.certificate.loops.map(({ invariants }) => invariants.length)).toEqual([2]);
  expect(await verdictOf(found.text)).toBe("valid");
});
