/** Tools that ask a person during a run at a real terminal, read texts with a model, or end the process. */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { build, finished, root } from "../cli/built.ts";

const main = join(root, "dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "foreclaim-asking-"));
cpSync(join(root, "examples/agents/tools"), join(folder, "tools"), { recursive: true });

writeFileSync(
  join(folder, "tools/exits.ts"),
  `import { contract, tool } from "foreclaim";
export const leave = tool({ run: async (): Promise<void> => process.exit(0) });
export const stray = tool({ run: async (): Promise<void> => { Promise.reject(new Error("stray")); await new Promise(() => setTimeout(() => {}, 5_000)); } });
export const nothing = contract(() => true);
`,
);

const programs = {
  "approved.ts": `const payee = await person.approve({ what: "pay 40 to", text: (await reader.billIn({ text }))?.payee ?? "" });`,
  "unapproved.ts": `const payee = (await reader.billIn({ text }))?.payee ?? "";`,
  "chosen.ts": `const payee = (await person.approveList({ what: "pay", items: ["a", "paper & co\\u001b[2J"] }))[0] ?? "nobody";`,
  "asked.ts": `const payee = await person.ask({ question: "Whom?" });`,
};
for (const [file, line] of Object.entries(programs))
  writeFileSync(
    join(folder, file),
    `import { program } from "foreclaim";
import * as person from "./tools/person";
import * as reader from "./tools/reader";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.trustedPayee()],
  async run() {
    const text = (await shop.invoices()).map((one) => one.payee).join("\\n");
    ${line}
    await shop.pay({ payee, amount: 40 });
    return payee;
  },
});
`,
  );
for (const name of ["leave", "stray"])
  writeFileSync(
    join(folder, `${name}.ts`),
    `import { program } from "foreclaim";
import * as exits from "./tools/exits";
export default program({ guarantees: [exits.nothing()], async run() { await exits.${name}(); } });
`,
  );

beforeAll(build);

const plain = (args: readonly string[]) =>
  finished(spawn(process.execPath, [main, ...args], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }));

/** Runs the command in a terminal of its own, and types each answer once its question is there. */
async function typed(file: string, answers: readonly (readonly [question: string, answer: string])[]) {
  const command = `${process.execPath} ${main} run ${file}`;
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd: folder });
  const left = [...answers];
  let seen = "";
  child.stdout.on("data", (chunk: Buffer) => {
    seen += chunk.toString("utf8");
    const [next] = left;
    if (next === undefined || !seen.includes(next[0])) return;
    left.shift();
    seen = "";
    child.stdin.write(`${next[1]}\n`);
  });
  const { code, out } = await finished(child);
  return { code, out, unasked: left.length };
}

const begin = ["approve this run? [y/N]", "y"] as const;

describe("a person at a terminal", () => {
  it("approves a text during the run, or does not", async () => {
    const question = "approve this as it stands? [y/N]";
    const [yes, no] = await Promise.all([
      typed("approved.ts", [begin, [question, "y"]]),
      typed("approved.ts", [begin, [question, "n"]]),
    ]);
    expect(yes).toMatchObject({ code: 0, unasked: 0 });
    expect(yes.out).toContain("the program asks you: pay 40 to\r\n  | paper & co\r\n");
    expect(yes.out).toContain("paid 40 to paper & co");
    expect(no).toMatchObject({ code: 4, unasked: 0 });
    expect(no.out).not.toContain("paid 40");
  });

  it("chooses from a list, and answers a question", async () => {
    const [chosen, asked] = await Promise.all([
      typed("chosen.ts", [begin, ["which of them?", "3"], ["which of them?", "2"]]),
      typed("asked.ts", [begin, ["> ", "paper & co"]]),
    ]);
    expect(chosen).toMatchObject({ code: 0, unasked: 0 });
    expect(chosen.out).toContain("    2 | paper & co\\u001b[2J");
    expect(chosen.out).toContain("write numbers of the list, such as 1,3");
    expect(asked).toMatchObject({ code: 0, unasked: 0 });
    expect(asked.out).toContain("paid 40 to paper & co");
  });

  it("is nobody where there is no terminal, whatever --yes says", async () => {
    const { code, err, out } = await plain(["run", "approved.ts", "--yes"]);
    expect({ code, paid: err.includes("paid 40") }).toEqual({ code: 4, paid: false });
    expect(out + err).toContain("nobody can be asked in this run");
  });
});

describe("a quarantined model", () => {
  it("gives what is as untrusted as the text", async () => {
    const { code, out } = await plain(["prove", "unapproved.ts"]);
    expect(code).toBe(1);
    expect(out).toContain("`reader.billIn` answers with it");
  });
});

describe("a tool that ends the process", () => {
  it.each(["leave", "stray"])("does not make the run look finished: %s", async (name) => {
    const { code, err, out } = await plain(["run", `${name}.ts`, "--yes", "--json"]);
    expect(code).toBe(4);
    expect(JSON.parse(out)).toMatchObject({
      outcome: "in doubt",
      calls: [{ status: "in doubt", reason: "the process of the tool has ended" }],
    });
    expect(err).not.toContain("fault");
  });
});
