/** Lines of the table. What the published policies refuse by themselves comes first. */
import { type Takeover, variants } from "./attacks.ts";
import { type Counted, countsOf, wordsOf } from "./count.ts";
import type { Everything } from "./everything.ts";
import type { Suite } from "./facts.ts";
import { type Refusals, whyPassed } from "./judge.ts";
import { type Level, levels } from "./policies.ts";
import { isPlannable } from "./provenance.ts";

export interface Result {
  readonly suite: Suite;
  readonly found: Everything;
  /** Number of proofs: of different programs, at different levels, for different requests. */
  readonly proofs: number;
}

/** Attacks of each kind that the published policies refuse, with nothing else beside them. */
export function printAlone(results: readonly Result[]): readonly string[] {
  return [
    "refused by the published policies alone:",
    ...results.flatMap((result) =>
      kindsOf(result).map((kind) => `  ${result.suite.suite}, ${kind.name}: ${refusedWords(kind, "policy")}`),
    ),
    ...(results.length === 1 ? [] : together(results)),
  ];
}

/** The suites as one. */
function together(results: readonly Result[]): readonly string[] {
  const kinds = new Map<string, Kind>();
  for (const result of results)
    for (const kind of kindsOf(result)) {
      const rows = kind.rows.map((row) => ({ ...row, of: `${result.suite.suite} ${row.of}` }));
      kinds.set(kind.name, { ...kind, rows: [...(kinds.get(kind.name)?.rows ?? []), ...rows] });
    }
  return [...kinds.values()].map((kind) => `  together, ${kind.name}: ${refusedWords(kind, "policy")}`);
}

export function printSuite(result: Result): readonly string[] {
  const { suite, found, proofs } = result;
  const left = suite.user_tasks.filter((task) => !isPlannable(task));
  const silent = found.attacks.filter(({ refusals }) => refusals === undefined);
  const injections = [...new Set(silent.map(({ pair }) => pair.injection.id))];
  return [
    "",
    `${suite.suite}: ${suite.user_tasks.length} tasks, ${suite.injection_tasks.length} injections, ` +
      `${suite.user_tasks.length * suite.injection_tasks.length} pairs`,
    ...(left.length === 0
      ? []
      : [
          `  omitted, because nobody can plan them without reading the data: ${left.map(({ id }) => id).join(", ")}`,
        ]),
    ...(injections.length === 0
      ? []
      : [`  omitted, because they want no call that is known: ${injections.join(", ")}`]),
    ...levels.flatMap((level) => taskLines(found, level)),
    ...kindsOf(result).flatMap(attackLines),
    `  ${proofs} proofs, each of another program, at other levels or for another request`,
  ];
}

function taskLines({ benign }: Everything, level: Level): readonly string[] {
  const rows = benign.filter((one) => one.level === level);
  const alone = rows.filter((one) => one.approves.length === 0);
  const asking = rows.filter((one) => one.approves.length > 0);
  const handled = (those: typeof rows) => those.filter((one) => one.misses.length === 0).length;
  return [
    `  tasks, ${level}: ${handled(rows)} of ${rows.length} handled: ` +
      `${handled(alone)} of ${alone.length} proved without a person, ` +
      `${handled(asking)} of ${asking.length} with exactly the approvals that they need`,
    ...asking.map(({ task, approves }) => `    ${task}: ${approves.join(", ")}`),
  ];
}

function attackLines(kind: Kind): readonly string[] {
  const { name, rows, why } = kind;
  return levels.flatMap((level) => {
    const passed = rows.filter(({ at }) => !at[level].isRefused);
    const names = [...new Set(passed.map(({ what }) => what))].join(", ");
    return [
      `  ${name}, refused by ${level === "policy" ? level : `policy and ${level}`}: ${refusedWords(kind, level)}`,
      ...(passed.length === 0 ? [] : [`    not ${names}: ${why[level] ?? unsaid}`]),
    ];
  });
}

const unsaid = "nobody has said why";

/** Why a level lets some attacks of a kind pass; one without a reason must let none. */
type Why = Partial<Readonly<Record<Level, string>>>;

interface Row extends Refusals {
  /** The pair, or the task of a takeover, which is of no injection. */
  readonly of: string;
  /** The injection, or the argument. */
  readonly what: string;
}

interface Kind {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Words for what is counted. */
  readonly units: readonly [of: string, each: string];
  readonly why: Why;
}

const leftTo: Why = {
  policy: "the policy asks nothing about it, or everybody may know what is sent",
  strict: "a new file is the person's own",
  request: "the request leaves it to what is found, or to the planner's words",
};

const takeoverKinds = [
  {
    name: "takeovers, read instead",
    has: ({ way, isLeft }: Takeover) => way === "read" && !isLeft,
    why: leftTo,
  },
  {
    name: "takeovers, read as planned",
    has: ({ way, isLeft }: Takeover) => way === "read" && isLeft,
    why: leftTo,
  },
  {
    name: "takeovers, written",
    has: ({ way }: Takeover) => way === "written",
    why: {
      ...leftTo,
      policy: "the value comes from nobody but the program",
      strict: "the value comes from nobody but the program",
    },
  },
];

/** The kinds of attacks. */
export function kindsOf({ found }: Pick<Result, "found">): readonly Kind[] {
  const spliced = variants.map((variant) => ({
    name: `attacks, ${variant}`,
    rows: found.attacks.flatMap(({ pair, variant: its, refusals }) =>
      its !== variant || refusals === undefined
        ? []
        : [{ ...refusals, of: `${pair.task.id} ${pair.injection.id}`, what: pair.injection.id }],
    ),
    units: ["pairs", "triples"] as const,
    why: whyPassed[variant],
  }));
  const taken = takeoverKinds.map(({ name, has, why }) => ({
    name,
    rows: found.takeovers.flatMap(({ takeover, refusals }) => {
      const { task, call, arg } = takeover;
      return has(takeover) ? [{ ...refusals, of: task.id, what: `${task.calls[call]?.tool}.${arg}` }] : [];
    }),
    units: ["tasks", "arguments"] as const,
    why,
  }));
  return [...spliced, ...taken];
}

function refusedWords({ rows, units: [of, each] }: Kind, level: Level): string {
  const counted: Counted[] = rows.map(({ of: pair, at }) => ({ pair, ...at[level] }));
  const { triples, pairs, programs } = countsOf(counted);
  return `${wordsOf(programs)} programs, ${wordsOf(pairs)} ${of}, ${wordsOf(triples)} ${each}`;
}

/** Everything that is not as it should be. */
export function missesOf({ suite: { suite }, found }: Result): readonly string[] {
  const { benign, bases, attacks, takeovers } = found;
  const passing = kindsOf({ found }).flatMap(({ name, rows, why }) =>
    levels
      .filter((level) => why[level] === undefined && rows.some(({ at }) => !at[level].isRefused))
      .map((level) => `${suite} ${name}: some pass by ${level}, and ${unsaid}`),
  );
  return [
    ...passing,
    ...benign.flatMap(({ task, level, misses }) => misses.map((one) => `${suite} ${task}, ${level}: ${one}`)),
    ...bases.flatMap(({ task, found: { isProved, refuted, open } }) =>
      isProved ? [] : [`${suite} ${task}: ${[...refuted, ...open].join("; ")}`],
    ),
    ...attacks.flatMap(({ pair, variant, refusals }) =>
      (refusals?.misses ?? []).map(
        (one) => `${suite} ${pair.task.id} ${pair.injection.id} ${pair.vector} ${variant}: ${one}`,
      ),
    ),
    ...takeovers.flatMap(({ takeover: { way, task, shownBy, call, arg }, refusals: { misses } }) =>
      misses.map((one) => `${suite} ${task.id} call ${call} ${arg} ${way} from call ${shownBy}: ${one}`),
    ),
  ];
}
