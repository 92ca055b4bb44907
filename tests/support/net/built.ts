/**
 * Random programs in TypeScript that build a list, a set, a map or a record in one loop and read it in the next, keep
 * what the iteration before has left, count by index, and clean texts.
 */
import { Chance } from "../program/chance.ts";
import { compiled, sourceWith, type TypeScriptCase } from "./typescript.ts";

const numbers = ["0", "1", "5", "10", "20"];

/** The case that a seed stands for. */
export function builtCase(seed: number): TypeScriptCase {
  const chance = Chance.seeded(seed);
  const constructs = new Set<string>();
  const number = () => chance.pick(numbers);
  const guarantees = chance.times(3, 5, () => {
    const name = chance.pick([
      ...["eachAtMost", "eachAtLeast", "eachAtLeast", "payments", "onceEach", "onceEach", "timesPerPerson"],
      ...["paidInAll", "remindSame", "remindSame", "noneOf"],
    ]);
    constructs.add(`contract: ${name}`);
    return `club.${name}(${["onceEach", "remindSame"].includes(name) ? "" : number()})`;
  });
  const body = `const members = await club.members();\nconst guests = await club.guests();\n${partOf(chance, constructs)}`;
  const source = sourceWith([...new Set(guarantees)], body);
  return { source, checked: compiled(source), constructs };
}

function partOf(chance: Chance, constructs: Set<string>): string {
  const number = () => chance.pick(numbers);
  const list = () => chance.pick(["members", "members", "guests"]);
  const amount = () => chance.pick(["m.fee", "m.fee", "m.fee + 1", "1", "-m.fee", number()]);
  const who = () => chance.pick(["m.id", "m.id", "m.id", "m.id.trim()", '"ann"']);
  const guard = () =>
    chance.pick(["", "", "if (m.paid) continue;", `if (m.fee > ${number()}) continue;`, "if (quick) break;"]);
  const [name, text] = chance.weighted<readonly [string, () => string]>([
    [
      4,
      [
        "Map",
        () => {
          const key = who();
          const old = chance.pick(["0", "0", "1", "-1"]);
          const value = chance.pick([`(sums.get(${key}) ?? ${old}) + ${amount()}`, amount()]);
          const drop = chance.odds(20) ? `if (m.paid) sums.delete(${who()});` : "";
          const first = chance.odds(20) ? `[["a", ${number()}]]` : "";
          return `const sums = new Map<string, number>(${first});
for (const m of ${list()}) { ${guard()} sums.set(${key}, ${value}); ${drop} }
for (const [key, value] of sums) { await club.pay({ to: ${chance.pick(["key", "key", "key", '"a"'])}, amount: value }); }`;
        },
      ],
    ],
    [
      4,
      [
        "record",
        () => {
          const key = who();
          const step = chance.pick([
            `sums[${key}] ??= ${number()}; sums[${key}] += ${amount()};`,
            `sums[${key}] = ${amount()};`,
            `sums[${key}] = (sums[${key}] ?? 0) + ${amount()};`,
          ]);
          const drop = chance.odds(20) ? `if (m.paid) delete sums[${who()}];` : "";
          return `const sums: Record<string, number> = {};
for (const m of ${list()}) { ${guard()} ${step} ${drop} }
for (const [key, value] of Object.entries(sums)) { await club.pay({ to: key, amount: value }); }`;
        },
      ],
    ],
    [
      4,
      [
        "Set",
        () => {
          const [asked, added] = [who(), who()];
          const pay = `await club.pay({ to: m.id, amount: ${amount()} });`;
          return `const seen = new Set<string>();
for (const m of ${list()}) { if (seen.has(${chance.odds(75) ? added : asked})) continue; ${guard()} ${chance.odds(85) ? `seen.add(${added});` : ""} ${pay} }
${chance.odds(40) ? `for (const m of ${list()}) { if (seen.has(m.id)) continue; ${pay} ${chance.odds(50) ? "seen.add(m.id);" : ""} }` : ""}
${chance.odds(40) ? `for (const id of seen) await club.pay({ to: id, amount: ${number()} });` : ""}`;
        },
      ],
    ],
    [
      4,
      [
        "list",
        () => `const found: { key: string; n: number }[] = [];
for (const m of ${list()}) { ${guard()} ${chance.odds(60) ? "if (found.some((f) => f.key === m.id)) continue;" : ""} found.push({ key: ${who()}, n: ${amount()} }); }
for (const f of ${chance.pick(["found", "found.slice(0, 5)", "found.filter((f) => f.n > 1)", "found.map((f) => ({ key: f.key, n: f.n + 1 }))"])}) { await club.pay({ to: f.key, amount: f.n }); }`,
      ],
    ],
    [
      3,
      [
        "the one before",
        () => `let last = ${chance.pick(["members", "guests", "[] as typeof members"])};
for (const p of people) {
  ${chance.pick(["", "await club.remind({ to: p, amount: 0 });"])}
  for (const m of last) { await club.pay({ to: m.id, amount: ${amount()} }); }
  ${chance.pick(["", `if (p === "ann") ${chance.pick(["break", "continue"])};`])}
  last = ${chance.pick(["guests", "await club.guests()", "await club.members()", "members.filter((m) => m.paid)", "[...last, ...guests]"])};
}`,
      ],
    ],
    [
      3,
      [
        "index",
        () => {
          const [from, step] = [chance.pick(["0", "0", "1"]), chance.pick(["i++", "i += 1", "i += 2"])];
          return `for (let i = ${from}; i < ${chance.pick(["members.length", "members.length - 1", "Math.min(members.length, 5)", "Math.min(limits.length, 10)"])}; ${step}) {
  ${chance.pick([`await club.pay({ to: members[i]?.id ?? "a", amount: members[i]?.fee ?? ${number()} });`, `await club.pay({ to: "a", amount: i });`, `await club.pay({ to: people[i] ?? "b", amount: limits[i] ?? ${number()} });`])}
}`;
        },
      ],
    ],
    [
      2,
      [
        "reminded first",
        () => `for (const m of ${list()}) { ${guard()} await club.remind({ to: ${who()}, amount: 0 }); }
for (const m of ${list()}) { ${guard()} await club.pay({ to: m.id, amount: ${amount()} }); }`,
      ],
    ],
  ]);
  constructs.add(name);
  return text();
}
