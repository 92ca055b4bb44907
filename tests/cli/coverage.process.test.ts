/** Coverage as `foreclaim prove` tells it: in words, as JSON, and by its exit code, for programs and plans. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, foreclaim } from "./built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-coverage-"));
const inFolder = { cwd: folder };
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

const mail = `import { contract, coverage, tool } from "foreclaim";
export const send = tool({ run: async ({ to }: { to: string }): Promise<void> => {} });
export const only = contract((to: string[]) => send.all((e) => to.includes(e.to)));
export const once = contract(() => send.distinct((e) => e.to));
export const few = contract((n: number) => send.count() <= n);
export const nothing = contract(() => true);
export const policy = coverage({ whenUsed: [send], recommended: [only], required: [once], label: "mail" });
`;
const door = `import { contract, coverage, fluent, tool } from "foreclaim";
export const locked = fluent<string, boolean>({ initial: true });
export const open = tool({ effects: ({ door }) => [locked.set(door, false)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const shut = tool({ effects: ({ door }) => [locked.set(door, true)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const allShut = contract(() => locked.final.all((d) => d.value));
export const opensOnly = contract((doors: string[]) => open.all((o) => doors.includes(o.door)));
export const policy = coverage({ whenUsed: [open], recommended: [opensOnly, allShut] });
`;

const program = (guarantees: string, body: string) => `import { program } from "foreclaim";
import * as mail from "./tools/mail";
import * as door from "./tools/door";
export default program({ guarantees: [${guarantees}], async run() {
  ${body}
} });
`;

const plan = (actions: readonly object[]) => JSON.stringify({ id: "p", actions });
const sending = (id: string, to: string, dependencies: readonly string[] = []) => ({
  id,
  type: "tool_call",
  tool: "mail.send",
  parameters: { to },
  dependencies,
});

beforeAll(async () => {
  await build();
  mkdirSync(join(folder, "tools"));
  write("tools/mail.ts", mail);
  write("tools/door.ts", door);
  const send = 'await mail.send({ to: "a" });';
  write("covered.ts", program('mail.only(["a"]), mail.once()', send));
  write("entailed.ts", program('mail.only(["a"]), mail.few(1)', send));
  write("gaps.ts", program("mail.nothing()", `${send} await door.open({ door: "x" });`));
  write("broken.ts", program('mail.only(["a"])', `${send} ${send}`));
  write("dead.ts", program("mail.nothing()", `if (false) { ${send} }`));
  write("none.ts", program("mail.nothing()", ""));
  write("once.json", plan([sending("one", "a")]));
  write("twice.json", plan([sending("one", "a"), sending("two", "a", ["one"])]));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function json(...args: readonly string[]) {
  const { out, code } = await foreclaim(["prove", "--json", ...args], inFolder);
  return { code, ...JSON.parse(out) };
}

describe("in words", () => {
  const told = async (...args: readonly string[]) => {
    const { out, code } = await foreclaim(["prove", ...args], inFolder);
    const [, after = ""] = out.split(/\n(?= {2}(?:covered|[a-z]+ gap))/);
    return { code, text: after };
  };

  it("says that all is stated", async () => {
    expect(await told("covered.ts")).toEqual({
      code: 0,
      text: "  covered  mail\n           the program states every required and recommended contract\n\nproved  2 guarantees proved\n",
    });
  });

  it("says what is implied", async () => {
    expect(await told("entailed.ts")).toEqual({
      code: 0,
      text: "  covered  mail\n           `mail.once()` is implied by the stated guarantees\n\nproved  3 guarantees proved\n",
    });
  });

  it("says the loudest first, and what to add", async () => {
    expect(await told("gaps.ts")).toEqual({
      code: 0,
      text: `  required gap  mail
                \`mail.once()\` is required; Foreclaim added it, and it is proved
                \`mail.only(...)\` is recommended, and the stated guarantees do not imply it
                add \`mail.once()\` and \`mail.only(...)\` to \`guarantees\``,
    });
    const { out } = await foreclaim(["prove", "gaps.ts"], inFolder);
    expect(out).toMatch(
      /required gap {2}mail[\s\S]*silent gap {4}door\.policy\n +the program uses it and states no guarantee/,
    );
    expect(out).toContain("proved  1 guarantee proved; 1 contract that guarantees nothing; 2 coverage gaps");
    expect(out).toMatch(/proved {3}mail\.once\(\)\n[\s\S]*`mail` requires it; Foreclaim added it/);
  });

  it("shows where a required contract breaks, and where it is required", async () => {
    const { out, code } = await foreclaim(["prove", "broken.ts"], inFolder);
    expect(code).toBe(1);
    expect(out).toContain("`mail.once()` is required; Foreclaim added it, and it is refuted");
    expect(out).not.toContain("add `mail.once()`");
    expect(out).toMatch(/refuted: mail\.once\(\) is violated in this run[\s\S]*tools\/mail\.ts:7:84/);
  });
});

describe("as JSON", () => {
  const empty = {
    mentioned: [],
    entailed: [],
    missingRequired: [],
    missingRecommended: [],
    enforced: [],
    openAtStops: [],
  };

  it("lists the domains that are used", async () => {
    expect((await json("covered.ts")).coverage).toEqual([
      { ...empty, domain: "mail", status: "covered", mentioned: ["mail.once", "mail.only"] },
    ]);
    expect((await json("entailed.ts")).coverage).toEqual([
      {
        ...empty,
        domain: "mail",
        status: "covered",
        mentioned: ["mail.only"],
        entailed: ["mail.once"],
        enforced: ["mail.once"],
      },
    ]);
    expect((await json("gaps.ts")).coverage).toEqual([
      {
        ...empty,
        domain: "mail",
        status: "required_gap",
        missingRequired: ["mail.once"],
        missingRecommended: ["mail.only"],
        enforced: ["mail.once"],
      },
      {
        ...empty,
        domain: "door.policy",
        status: "silent_gap",
        missingRecommended: ["door.opensOnly", "door.allShut"],
      },
    ]);
    expect((await json("none.ts")).coverage).toEqual([]);
    expect((await json("dead.ts")).coverage).toMatchObject([{ domain: "mail", status: "required_gap" }]);
  });

  it("marks what was added, and rejects what breaks it", async () => {
    const { code, verdict, guarantees, coverage } = await json("broken.ts");
    expect({ code, verdict }).toEqual({ code: 1, verdict: "refuted" });
    expect(guarantees).toMatchObject([{ name: "mail.only" }, { name: "mail.once", enforced: true }]);
    expect(guarantees[0]).not.toHaveProperty("enforced");
    expect(coverage).toMatchObject([{ missingRequired: ["mail.once"], enforced: [], openAtStops: [] }]);
  });

  it("is empty for what does not compile, and for documents that speak for themselves", async () => {
    write("wrong.ts", program("mail.once", ""));
    expect(await json("wrong.ts")).toMatchObject({ verdict: "invalid", coverage: [] });
    // Where no tool modules are: beside them it would be linked.
    const aside = mkdtempSync(join(tmpdir(), "foreclaim-alone-"));
    writeFileSync(join(aside, "same.eir"), "effect-ir 1\nprogram () {\n}\n");
    const alone = await json(join(aside, "same.eir"));
    rmSync(aside, { recursive: true, force: true });
    expect(alone).toMatchObject({ verdict: "proved", coverage: [], relativeTo: "the document itself" });
  });
});

describe("of a plan", () => {
  it("is told like that of a program", async () => {
    const one = await json("once.json", "--guarantee", 'mail.only(["a"])');
    expect(one).toMatchObject({
      code: 0,
      guarantees: [{ name: "mail.only" }, { name: "mail.once", verdict: "proved", enforced: true }],
      coverage: [
        {
          domain: "mail",
          status: "required_gap",
          mentioned: ["mail.only"],
          missingRequired: ["mail.once"],
          enforced: ["mail.once"],
        },
      ],
    });
    const two = await json("twice.json", "--guarantee", 'mail.only(["a"])');
    expect(two).toMatchObject({
      code: 1,
      coverage: [{ status: "required_gap", enforced: [], openAtStops: [] }],
    });
    const { out } = await foreclaim(["prove", "once.json", "--guarantee", "mail.few(2)"], inFolder);
    expect(out).toContain("add `--guarantee 'mail.once()'` and `--guarantee 'mail.only(...)'`");
    const whole = await json("once.json", "--guarantee", 'mail.only(["a"])', "--guarantee", "mail.once()");
    expect(whole).toMatchObject({ code: 0, coverage: [{ status: "covered" }] });
  });

  it("counts what makes up for a call", async () => {
    const made = {
      id: "one",
      type: "tool_call",
      tool: "door.shut",
      parameters: { door: "x" },
      compensation: { type: "tool", tool: "door.open", parameters: { door: "x" } },
      reversibility: "compensable",
    };
    write("undone.json", plan([made]));
    const { coverage, errors } = await json("undone.json", "--guarantee", "mail.nothing()");
    expect(errors).toEqual([]);
    expect(coverage).toMatchObject([{ domain: "door.policy", status: "silent_gap" }]);
  });
});

describe("policies of modules that are not imported", () => {
  it("count as well", async () => {
    write(
      "tools/rules.ts",
      'import { coverage } from "foreclaim";\nimport { allShut, open } from "./door";\nexport const rule = coverage({ whenUsed: [open], required: [allShut], label: "house" });\n',
    );
    try {
      const { code, coverage } = await json("gaps.ts");
      expect(code).toBe(1);
      expect(coverage).toMatchObject([{ domain: "mail" }, { domain: "door.policy" }, { domain: "house" }]);
      write("tools/rules.ts", "// coverage in foreclaim\nexport const = 1;");
      expect((await json("gaps.ts")).errors).toMatchObject([{ code: "FC2001" }]);
    } finally {
      rmSync(join(folder, "tools/rules.ts"));
    }
  });
});
