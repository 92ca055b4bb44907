/** A contract that coverage requires counts only if it holds wherever the run may stop. */
import { expect, test } from "vitest";
import { fakeHost } from "../../../../tests/cli/fake-host.ts";
import { runCli } from "../../run-cli.ts";

const vault = `import { contract, coverage, fluent, tool } from "foreclaim";
export const open = fluent<string, boolean>({ initial: false });
export const enter = tool({
  effects: ({ door }) => [open.set(door, true)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const leave = tool({
  effects: ({ door }) => [open.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => {},
});
export const shut = contract(() => open.final.none((d) => d.value));
export const atMost = contract((n: number) => enter.count() <= n);
export const policy = coverage({ whenUsed: [enter, leave], required: [shut] });
`;
const program = (stated: string, body: string) => `import { program } from "foreclaim";
import * as vault from "./tools/vault";
export default program({ guarantees: [${stated}], async run() {
  ${body}
} });
`;
const inAndOut = 'await vault.enter({ door: "a" });\n  await vault.leave({ door: "a" });';
const where = "if the run stops after `vault.enter` (line 4)";

test.each<[string, string, string, object, string]>([
  [
    "stated",
    "vault.shut()",
    inAndOut,
    { status: "required_gap", mentioned: ["vault.shut"], openAtStops: ["vault.shut"], enforced: [] },
    "`vault.shut()` is required, and is proved of runs that complete; if the run stops",
  ],
  [
    "added",
    "vault.atMost(1)",
    inAndOut,
    { status: "required_gap", missingRequired: ["vault.shut"], openAtStops: ["vault.shut"], enforced: [] },
    "is proved of runs that complete; if the run stops",
  ],
  [
    "a call that may fail",
    "vault.shut()",
    'await vault.leave({ door: "a" });',
    // A call that fails leaves any value in its cell, so also this one is open.
    { status: "required_gap", openAtStops: ["vault.shut"] },
    "if the run stops",
  ],
])("required, and %s", async (_, stated, body, expected, words) => {
  const files = { "tools/vault.ts": vault, "p.ts": program(stated, body) };
  const [json, shown] = [fakeHost({ files }), fakeHost({ files })];
  // The verdict is about runs that complete.
  expect(await runCli(["prove", "p.ts", "--json"], json, "0"), json.err()).toBe(0);
  expect(JSON.parse(json.out())).toMatchObject({ verdict: "proved", coverage: [expected] });
  await runCli(["prove", "p.ts"], shown, "0");
  const out = shown.out().replace(/\s+/g, " ");
  expect(out).toContain(words);
  if (body === inAndOut) expect(out).toContain(where);
});
