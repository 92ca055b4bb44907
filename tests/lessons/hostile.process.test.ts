/** Sources that double, nest or repeat what they hold end in an answer, soon, and with a little memory. */
import { describe } from "vitest";
import { lesson } from "./workbench.ts";

const evil = 'await t.send({ to: "evil", body: "" });';
const repeated = (times: number, make: (i: number) => string) =>
  Array.from({ length: times }, (_, i) => make(i)).join("\n");

describe("growth", () => {
  lesson("what is made from itself again and again", [
    [
      "a list of a tool",
      {
        body: `let l = await t.names(); ${repeated(40, (i) => `if (await t.asked()) l = [...l, "${i}"];`)} if (l.length > 3) ${evil}`,
        guarantees: "t.atMost(1)",
      },
      "proved",
    ],
    [
      "a list",
      {
        body: `const l: string[] = []; ${repeated(30, (i) => `if (await t.asked()) l.push("a${i}");`)} for (const to of l) await t.send({ to, body: "" });`,
        guarantees: "t.atMost(30)",
      },
      "proved",
    ],
    [
      "a list, at its beginning",
      {
        body: `const l: string[] = []; ${repeated(24, (i) => `if (await t.asked()) l.unshift("a${i}");`)} for (const to of l) await t.send({ to, body: "" });`,
        guarantees: "t.atMost(24)",
      },
      "unknown",
    ],
    [
      "a choice of words",
      {
        body: `let l = ["q"]; ${repeated(24, (i) => `if (await t.asked()) l = [...l, "x${i}"]; else l = ["y${i}", ...l];`)} for (const to of l) await t.post({ to, topic: "" });`,
      },
      "proved",
    ],
    [
      "a text",
      { body: `let s = "aaaaaaaaaa"; ${repeated(60, () => "s = s + s;")} if (s.length < 0) ${evil}` },
      "unknown",
    ],
    ["a number", { body: `let n = 3; ${repeated(60, () => "n = n * n;")} if (n < 0) ${evil}` }, "unknown"],
    ["an array", { body: `let l = ["a"]; ${repeated(25, () => "l = [...l, ...l];")} ${evil}` }, "FC2501"],
    [
      "helpers",
      {
        top: repeated(25, (i) =>
          i === 0
            ? "const f0 = async (): Promise<void> => {};"
            : `const f${i} = async (): Promise<void> => { await f${i - 1}(); await f${i - 1}(); };`,
        ),
        body: "await f24();",
      },
      "FC2503",
    ],
  ]);

  lesson("answers that no run could give", [
    ["a list longer than any", { body: `if ((await t.names()).length > 5000000000) ${evil}` }, "unknown"],
    ["a long list", { body: `if ((await t.names()).length > 200000000) ${evil}` }, "unknown"],
  ]);
});

describe("depth", () => {
  lesson("what is nested", [
    [
      "a value that many turns change",
      {
        body: `let n = 0; for (let i = 0; i < 1500; i++) { if (await t.asked()) n += 1; else n = n * 2; } if (n < -1) ${evil}`,
      },
      "proved",
    ],
    ["negations", { body: `const x = ${"!".repeat(3000)}true;` }, "FC2502"],
    ["blocks", { body: `${"{".repeat(2000)}${"}".repeat(2000)}` }, "FC2502"],
    ["arrays", { body: `const x = ${"[".repeat(2000)}${"]".repeat(2000)};` }, "FC2502"],
    [
      "sums",
      {
        body: `const n = await t.number(); const x = ${Array.from({ length: 2000 }, () => "n").join(" + ")};`,
      },
      "FC2502",
    ],
    [
      "else after else",
      { body: `const n = await t.number(); ${repeated(1000, (i) => `if (n === ${i}) {} else `)} {}` },
      "FC2502",
    ],
  ]);
});
