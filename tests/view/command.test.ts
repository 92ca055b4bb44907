/** `foreclaim view`, from its options to what it says. */
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { fakeHost } from "../cli/fake-host.ts";
import { exampleFiles } from "../frontend/examples.ts";
import { timeout } from "../support/timeout.ts";
import { readFunctional, readXml } from "./read-notations.ts";
import { Graph } from "./read-turtle.ts";

const program = `import { program } from "foreclaim";
import * as email from "./tools/email";
export default program({
  guarantees: [email.only(["a@x.org"]), email.contentLengthAtMost(5)],
  async run() { await email.send({ addr: "a@x.org", msg: "hi" }); },
});
`;
const hand = `effect-ir 1
tool a.b(n: int)
program () { call a.b(n: 1) }
guarantee a.small(): forall x in a.b: x.n <= 1
`;

async function foreclaim(line: string) {
  // A document beside tool modules would have to be about their tools.
  const documents = { "hand.eir": hand, "wrong.eir": "effect-ir 1\nprogram" };
  const files = line.includes("greet.ts") ? { ...exampleFiles, "greet.ts": program } : documents;
  const host = fakeHost({ files });
  const code = await runCli(line.split(" "), host, "0");
  return { code, out: host.out(), err: host.err(), host };
}

// The first to compile a program loads all that it takes.
describe("foreclaim view", { timeout: timeout(60) }, () => {
  it("says a program as description logic, unless told otherwise", async () => {
    const { code, out } = await foreclaim("view greet.ts");
    expect(code).toBe(0);
    expect(out).toContain('\n# email.only(["a@x.org"]): faithful\n');
    expect(out).toContain('\nemail.send ⊑ ∃addr.{"a@x.org"}\n');
    expect(out).toContain("\n# email.contentLengthAtMost(5): needs SMT\n");
    expect(out).toContain("\n#   not said: it looks inside of strings or lists\n");
    expect((await foreclaim("view greet.ts --dl")).out).toBe(out);
  });

  it("says it as an ontology, in each notation", async () => {
    const functional = (await foreclaim("view greet.ts --owl")).out;
    expect((await foreclaim("view greet.ts --owl --format functional")).out).toBe(functional);
    const axioms = readFunctional(functional).sort();
    expect(new Graph((await foreclaim("view greet.ts --owl --format turtle")).out).axioms()).toEqual(axioms);
    expect(readXml((await foreclaim("view greet.ts --format xml")).out).sort()).toEqual(axioms);
  });

  it("takes a document, and says the same as data", async () => {
    const { code, out } = await foreclaim("view hand.eir --json");
    expect(code).toBe(0);
    const { text, hash, ...rest } = JSON.parse(out);
    expect(hash).toMatch(/^eir1-/);
    expect(text).toContain("a.b ⊑ ∃n.[≤ 1]");
    expect(rest).toEqual({
      ok: true,
      format: "dl",
      guarantees: [
        {
          guarantee: "a.small()",
          status: "faithful",
          sentence: "every `a.b` has `n` at most 1",
          axioms: ["a.b ⊑ ∃n.[≤ 1]"],
          closure: [
            { name: "effects", text: "every operation is an effect of the run, and the run has no other" },
            { name: "values", text: "an argument has one value, and an optional one at most one" },
          ],
          reasons: [],
        },
      ],
    });
  });

  it("writes a file", async () => {
    const { code, out } = await foreclaim("view hand.eir --owl -o hand.ofn");
    expect({ code, out }).toEqual({ code: 0, out: "wrote hand.ofn\n" });
  });

  it.each([
    ["view hand.eir --dl --owl", /cannot be used with/],
    ["view hand.eir --dl --format xml", /cannot be used with/],
    ["view hand.eir --format rdf", /is invalid/],
    ["view wrong.eir", /FC1/],
    ["view nowhere.eir", /FC9/],
    ["view", /missing required argument/],
  ])("%s is refused", async (line, message) => {
    const { code, err } = await foreclaim(line);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
