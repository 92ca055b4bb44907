/** Certificates that someone made to be believed: each is refused, and for the right reason. */
import { describe, expect, test } from "vitest";
import { checkCertificate, type Replayer, solverLimits } from "../../src/certificate/index.ts";
import { documentToJson, hashDocument, readDocument } from "../../src/ir/index.ts";
import { canonicalJson, type PlainJson } from "../../src/ir/json/canonical.ts";
import { sha256Hex } from "../../src/ir/json/digest.ts";
import { certify } from "../../src/prove/certify/certify.ts";

const source = `effect-ir 1

tool bank.balance(account: string) -> real
  ensures result >= 0
tool bank.withdraw(account: string, amount: real)
  requires amount >= 0

program () {
  let owed = call bank.balance(account: "card")
  call bank.withdraw(account: "card", amount: min(owed, 500))
}

guarantee bank.maxSpend(500):
  sum(w in bank.withdraw: w.amount) <= 500
guarantee bank.onlyAccount("card"):
  forall w in bank.withdraw: w.account == "card"
`;

/** Says what the true answers are, as long as it is asked what the certificate was made of. */
const goals = new Map<string, string>();
const asked = new Map<string, "unsat" | "sat">();
const oracle: Replayer = {
  name: "oracle",
  version: "1",
  options: "",
  ask: async (text) => asked.get(text) ?? "unknown",
};
const options = { solvers: async () => [oracle] };

function documentOf(text: string) {
  const read = readDocument(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value.checked;
}

const checked = documentOf(source);
const made = await certify(checked, async () => ({
  ...oracle,
  ask: async (text) => {
    const answer = answerOf(text);
    if (answer !== "unknown") asked.set(text, answer);
    return answer;
  },
}));
if (made.kind !== "certified") throw new Error(made.why);

/** A goal follows from all that is assumed, and from nothing less. */
function answerOf(text: string): "unsat" | "sat" | "unknown" {
  // Every goal is denied in its last line, by the definition of a negation.
  const last = /\(assert (\w+)\)\n$/.exec(text)?.[1] ?? "";
  if (!text.includes(`(define-fun ${last} () Bool (not `)) return "sat";
  const first = goals.get(last) ?? text;
  goals.set(last, first);
  return first === text ? "unsat" : "unknown";
}

type Plain = { [key: string]: PlainJson };
const certificate: Plain & { obligations: Plain[]; guarantees: Plain[]; document: Plain; solver: Plain } =
  JSON.parse(made.text);

function written({ integrity, ...rest }: Plain): string {
  void integrity;
  return `${canonicalJson({ ...rest, integrity: sha256Hex(canonicalJson(rest)) })}\n`;
}

async function codeOf(text: string, more = {}): Promise<string> {
  const checking = await checkCertificate(text, { ...options, ...more });
  return checking.kind === "valid" ? "valid" : `${checking.kind} ${checking.problem.code}`;
}

const place = certificate.obligations.findIndex(({ kind, by }) => kind === "guarantee" && by === "solver");
const withObligation = (change: Plain): string =>
  written({
    ...certificate,
    obligations: certificate.obligations.map((one, i) => (i === place ? { ...one, ...change } : one)),
  });

test("as it was made it is valid, and asks what it was made of", async () => {
  expect(place).toBeGreaterThan(0);
  expect(written(certificate)).toBe(made.text);
  expect(await checkCertificate(made.text, options)).toMatchObject({ kind: "valid", byEvaluation: 1 });
});

describe("refused", () => {
  const easier = "(assert false)\n";
  const weaker = documentOf(source.replace("<= 500\n", "<= 5000\n"));
  const otherTool = documentOf(source.replace("ensures result >= 0", "ensures result >= 1"));
  const fewer = documentOf(source.replace(/guarantee bank.onlyAccount[\s\S]*/, ""));
  const of = ({ document }: typeof checked): Plain => ({
    ...certificate,
    document: documentToJson(document),
    documentHash: hashDocument(document),
  });

  test.each<[string, string, string]>([
    ["an easier question", withObligation({ smtLib: easier, hash: sha256Hex(easier) }), "refused FC5305"],
    ["no assumptions", withObligation({ uses: [] }), "refused FC5305"],
    ["assumptions that do not exist", withObligation({ uses: [0, 99] }), "refused FC5305"],
    ["assumptions twice", withObligation({ uses: [0, 0] }), "refused FC5305"],
    [
      "a question as if it were decided by evaluation",
      withObligation({ by: "evaluation" }),
      "refused FC5305",
    ],
    ["a goal that some run meets", withObligation({ verdict: "sat" }), "refused FC5305"],
    [
      "a weaker guarantee",
      written({ ...certificate, document: of(weaker).document ?? null }),
      "refused FC5305",
    ],
    ["a weaker guarantee with its hash", written(of(weaker)), "refused FC5305"],
    ["another tool with its hash", written(of(otherTool)), "refused FC5305"],
    [
      "fewer guarantees",
      written({ ...certificate, guarantees: certificate.guarantees.slice(1) }),
      "refused FC5305",
    ],
    ["a document with fewer guarantees", written(of(fewer)), "refused FC5305"],
    [
      "fewer obligations",
      written({ ...certificate, obligations: certificate.obligations.slice(1) }),
      "refused FC5305",
    ],
    ["no solver", written({ ...certificate, solver: null }), "refused FC5305"],
    [
      "more time",
      written({ ...certificate, solver: { ...certificate.solver, timeoutMs: solverLimits.timeoutMs + 1 } }),
      "refused FC5306",
    ],
    [
      "another solver",
      written({ ...certificate, solver: { ...certificate.solver, name: "other" } }),
      "refused FC5306",
    ],
    [
      "other options",
      written({ ...certificate, solver: { ...certificate.solver, options: "x" } }),
      "refused FC5306",
    ],
    ["other modules", written({ ...certificate, modules: `fcm1-${"b".repeat(64)}` }), "refused FC5305"],
    ["blanks", made.text.replace("{", "{ "), "refused FC5304"],
    ["two line ends", `${made.text}\n`, "refused FC5304"],
    ["no line end", made.text.trimEnd(), "refused FC5304"],
    ["another integrity", made.text.replace(/"integrity":"./, '"integrity":"x'), "refused FC5304"],
    ["one more field", written({ ...certificate, more: 1 }), "unreadable FC5303"],
    [
      "a key twice",
      made.text.replace('{"certificate":1', '{"certificate":1,"certificate":1'),
      "unreadable FC5303",
    ],
    ["another version", written({ ...certificate, certificate: 2 }), "unreadable FC5303"],
    [
      "a huge number",
      made.text.replace('"certificate":1', `"certificate":1${"0".repeat(100_000)}`),
      "unreadable FC5303",
    ],
    [
      "a number that is no integer",
      made.text.replace('"certificate":1', '"certificate":1.0e0'),
      "refused FC5304",
    ],
    ["negative zero", withObligation({}).replace('"uses":[0', '"uses":[-0'), "unreadable FC5303"],
    ["deep nesting", made.text.replace('"args":[', `"args":${"[".repeat(100_000)}`), "unreadable FC5303"],
    ["deep nesting of a document", `{"document":${'{"a":'.repeat(100_000)}`, "unreadable FC5303"],
    ["50 MB", made.text.replace('"smtLib":"', `"smtLib":"${"x".repeat(50_000_000)}`), "unreadable FC5303"],
    [
      "a document that makes no sense",
      written({ ...certificate, document: { effectIr: 1 } }),
      "unreadable FC5303",
    ],
    ["no JSON", "certificate", "unreadable FC5303"],
    ["nothing", "", "unreadable FC5303"],
    ["half a surrogate pair", made.text.replace('"smtLib":"', '"smtLib":"\ud800'), "refused FC5304"],
  ])("%s", async (_, text, expected) => {
    expect(text).not.toBe(made.text);
    expect(await codeOf(text)).toBe(expected);
  });
});

describe("what would take too long is refused in time", () => {
  const calls = '  call bank.withdraw(account: "a", amount: 1)\n'.repeat(300);
  const tool = "effect-ir 1\ntool bank.withdraw(account: string, amount: real)\n";
  const nested = (depth: number): string =>
    depth === 0 ? "true" : `(forall w${depth} in bank.withdraw: ${nested(depth - 1)})`;

  test.each([
    ["quantifiers in quantifiers", `${tool}program () {\n${calls}}\nguarantee g():\n  ${nested(6)}`],
    ["loops in loops", `${tool}program () {\n${loops(8)}}\n`],
    ["many obligations", `${tool}program (x: int) {\n${'  require x > 0: "y"\n'.repeat(20_000)}}\n`],
  ])("%s", { timeout: 60_000 }, async (_, text) => {
    expect((await certify(documentOf(text), async () => oracle)).kind).toBe("notYet");
  });

  function loops(depth: number): string {
    if (depth === 0) return '  call bank.withdraw(account: "a", amount: 1)\n';
    return `for x${depth} in [1, 2, 3, 4, 5, 6, 7, 8] {\n${loops(depth - 1)}}\n`;
  }
});

describe("solvers", () => {
  const answering = (answer: "unsat" | "sat" | "unknown") => ({
    solvers: async () => [{ ...oracle, ask: async () => answer }],
  });

  test("an answer that is another, or none, is no evidence", async () => {
    for (const answer of ["unsat", "sat", "unknown"] as const)
      expect(await codeOf(made.text, answering(answer))).toBe("refused FC5306");
  });

  test("all of them must agree", async () => {
    const other: Replayer = { ...oracle, name: "second", ask: async () => "unknown" };
    expect(await codeOf(made.text, { solvers: async () => [oracle, other] })).toBe("refused FC5306");
    expect(await codeOf(made.text, { solvers: async () => [oracle, { ...oracle, name: "second" }] })).toBe(
      "valid",
    );
    expect(await codeOf(made.text, { solvers: async () => [] })).toBe("refused FC5306");
  });

  test("another version will do only if it is said so", async () => {
    const solvers = async () => [{ ...oracle, version: "2" }];
    expect(await codeOf(made.text, { solvers })).toBe("refused FC5306");
    expect(await codeOf(made.text, { solvers, otherVersion: true })).toBe("valid");
  });

  test("a certificate of another document is not the one that is asked for", async () => {
    expect(await codeOf(made.text, { document: certificate.documentHash })).toBe("valid");
    expect(await codeOf(made.text, { document: `eir1-${"0".repeat(64)}` })).toBe("refused FC5307");
  });
});
