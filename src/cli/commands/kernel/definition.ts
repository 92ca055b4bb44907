/** The commands of `foreclaim kernel`: a kernel on a ledger. */
import type { CommandSpec } from "../../command-spec.ts";
import {
  askerOptions,
  attestationOption,
  jsonLinesOption,
  kernelOption,
  ledgerWords,
  mostCounted,
  option,
  whole,
} from "../../options.ts";

const ledger = ["<ledger>", ledgerWords] as const;
const actions = [
  "[actions]",
  "actions, one JSON object on each line (default: standard input, as -)",
] as const;
const repeated = { repeated: true } as const;

const init: CommandSpec = {
  name: "init",
  description: "Make a kernel: its budgets, limits, rules and initial state.",
  summary: "make a kernel",
  arguments: [ledger],
  options: [
    kernelOption,
    option("--budget <name=limit>", "budget; repeat for each", repeated),
    option("--min-cost <amount>", "least cost of a step; name=amount for each of several budgets", repeated),
    option("--max-steps <n>", "number of steps that the kernel ever allows", {
      parse: whole(0, mostCounted),
    }),
    option("--state <file>", "initial state, a JSON object"),
    option("--rules <file>", "rules, a JSON list"),
    option(
      "--principals <file>",
      "principals, a JSON list (default: everybody, with `local` as the operator)",
    ),
    option("--emergency <id>", "action that is always allowed; repeat for each", repeated),
    option("--key <file>", "key that signs checkpoints (default: <ledger>.key)"),
    jsonLinesOption,
  ],
  notes: `Rules:
  [{"name": "few mails", "enforcement": "blocking",
    "rule": "rateLimit", "key": "mails", "max": 3}]
  A budget or an emergency action can be JSON too, with all of its fields:
  --budget '{"name": "day", "limit": "5", "windowMs": 86400000}'`,
  examples: [
    ["foreclaim kernel init ledger.db --budget usd=10", ""],
    ["foreclaim kernel init ledger.db --budget usd=10 --budget calls=5", ""],
    ["foreclaim kernel init ledger.db --state s.json --rules rules.json", ""],
  ],
  jsonLines: true,
  load: async () => (await import("./init.ts")).initKernel,
};

const status: CommandSpec = {
  name: "status",
  description: "Show the spending, the reservations and the doubts of a kernel.",
  summary: "show spending, reservations and doubts",
  arguments: [ledger],
  options: [kernelOption, jsonLinesOption],
  examples: [
    ["foreclaim kernel status ledger.db", "for people"],
    ["foreclaim kernel status ledger.db --json", "as data"],
  ],
  jsonLines: true,
  load: async () => (await import("./status.ts")).kernelStatus,
};

const execute: CommandSpec = {
  name: "exec",
  description: "Judge actions in order, apply those that are allowed, and record every verdict.",
  summary: "judge actions, and apply them",
  arguments: [ledger, actions],
  options: [kernelOption, attestationOption, ...askerOptions, jsonLinesOption],
  notes: `Actions:
  {"id": "pay", "cost": {"usd": "1.50"}, "reads": 3,
   "effects": [{"key": "paid", "op": "increment", "value": 1}]}
Exit codes:
  0  the kernel allowed all
  1  it refused some
  2  bad input: a line that is not JSON, no such ledger, a wrong option`,
  examples: [
    ["foreclaim kernel exec ledger.db action.json", "one action"],
    ["cat a.jsonl | foreclaim kernel exec ledger.db - --json", "many, as data"],
  ],
  jsonLines: true,
  load: async () => (await import("./step.ts")).executeActions,
};

const evaluate: CommandSpec = {
  name: "eval",
  description: "Judge actions, each on the current state, and change nothing.",
  summary: "judge actions, and change nothing",
  arguments: [ledger, actions],
  options: [kernelOption, attestationOption, ...askerOptions, jsonLinesOption],
  examples: [
    ["foreclaim kernel eval ledger.db action.json", "would it be allowed?"],
    ["cat a.jsonl | foreclaim kernel eval ledger.db --json", "many, as data"],
  ],
  jsonLines: true,
  load: async () => (await import("./step.ts")).evaluateActions,
};

const rollback: CommandSpec = {
  name: "rollback",
  description: "Roll back a step by its receipt: restore the state, and refund the cost.",
  summary: "roll back a step",
  arguments: [ledger, ["<receipt>", "receipt of the step, as `exec` printed it"]],
  options: [
    kernelOption,
    option("--to <receipt>", "roll back all steps from the first to this one"),
    ...askerOptions,
    jsonLinesOption,
  ],
  examples: [
    ["foreclaim kernel rollback ledger.db s3-4f0c...", "one step"],
    ["foreclaim kernel rollback ledger.db s3-4f0c... --to s5-91aa...", "three"],
  ],
  jsonLines: true,
  load: async () => (await import("./outcome.ts")).rollbackStep,
};

const resolve: CommandSpec = {
  name: "resolve",
  description: "Resolve a reservation in doubt: its effect happened, or it did not.",
  summary: "resolve a reservation in doubt",
  arguments: [ledger, ["<receipt>", "receipt of the reservation, as `status` lists it"]],
  options: [
    kernelOption,
    option("--settle", "the effect happened"),
    option("--release <reason>", "the effect did not happen"),
    option("--cost <amount>", "actual cost; name=amount for each of several budgets", repeated),
    option("--outcome <json>", "outcome, for the trace"),
    option("--drop-effects", "leave the state unchanged, because it has moved on"),
    ...askerOptions,
    jsonLinesOption,
  ],
  examples: [
    ["foreclaim kernel resolve ledger.db r7-c2d1... --settle --cost 1.20", ""],
    ["foreclaim kernel resolve ledger.db r7-c2d1... --release 'never sent'", ""],
  ],
  jsonLines: true,
  load: async () => (await import("./outcome.ts")).resolveReservation,
};

const reason = ["<reason>", "reason, for the trace and for everybody who is refused"] as const;

const stop: CommandSpec = {
  name: "stop",
  description: "Stop a kernel: until it is resumed, only emergency actions are allowed.",
  summary: "allow nothing but emergency actions",
  arguments: [ledger, reason],
  options: [kernelOption, ...askerOptions, jsonLinesOption],
  examples: [["foreclaim kernel stop ledger.db 'wrong account'", ""]],
  jsonLines: true,
  load: async () => (await import("./operator.ts")).stopKernel,
};

const resume: CommandSpec = {
  name: "resume",
  description: "Resume a stopped kernel, and believe the clock after a long pause.",
  summary: "resume a stopped kernel",
  arguments: [ledger, reason],
  options: [kernelOption, ...askerOptions, jsonLinesOption],
  examples: [["foreclaim kernel resume ledger.db 'looked at it, all fine'", ""]],
  jsonLines: true,
  load: async () => (await import("./operator.ts")).resumeKernel,
};

const grant: CommandSpec = {
  name: "grant",
  description: "Set a key that actions cannot write, such as an approval, or add to the limit of a budget.",
  summary: "set a protected key, or add to a budget",
  arguments: [ledger, ["[key]", "protected key"], ["[value]", "value, as JSON (default: true)"]],
  options: [
    kernelOption,
    option("--budget <name=amount>", "amount to add to the limit of a budget; repeat for each", repeated),
    ...askerOptions,
    jsonLinesOption,
  ],
  examples: [
    ["foreclaim kernel grant ledger.db approved", "the gate is open"],
    ["foreclaim kernel grant ledger.db approved false", "it is shut again"],
    ["foreclaim kernel grant ledger.db --budget usd=5", "five more"],
  ],
  jsonLines: true,
  load: async () => (await import("./operator.ts")).grantKernel,
};

const policy: CommandSpec = {
  name: "policy",
  description: "Show the policy of a kernel, or replace it: budgets, limits, rules, principals.",
  summary: "show or replace the policy",
  arguments: [ledger, ["[policy]", "policy to replace it with, a JSON object (default: show it)"]],
  options: [kernelOption, ...askerOptions, jsonLinesOption],
  notes: `A budget keeps its place, its quantum, its window and the budget around it, and no
limit falls below what is spent or held. The state must satisfy the new rules.`,
  examples: [
    ["foreclaim kernel policy ledger.db > policy.json", "show it"],
    ["foreclaim kernel policy ledger.db policy.json", "replace it"],
  ],
  jsonLines: true,
  load: async () => (await import("./operator.ts")).kernelPolicy,
};

const observe: CommandSpec = {
  name: "observe",
  description: "Compare the keys of a probe with the world; too far off, and the kernel stops.",
  summary: "compare keys with the world",
  arguments: [
    ledger,
    ["<probe>", "probe of the policy"],
    ["[values]", "observed values, a JSON object (default: standard input, as -)"],
  ],
  options: [
    kernelOption,
    option("--take", "take the values into the state, if the rules allow it"),
    ...askerOptions,
    jsonLinesOption,
  ],
  examples: [
    ["foreclaim kernel observe ledger.db account balance.json", ""],
    ["foreclaim kernel observe ledger.db account balance.json --take", ""],
  ],
  jsonLines: true,
  load: async () => (await import("./operator.ts")).observeWorld,
};

export const kernel: CommandSpec = {
  name: "kernel",
  description: "Hold actions to budgets, limits and rules, and record every verdict.",
  summary: "hold actions to budgets and rules",
  examples: [
    ["foreclaim kernel init ledger.db --budget usd=10", "make a kernel"],
    ["foreclaim kernel exec ledger.db action.json", "judge and apply an action"],
    ["foreclaim kernel status ledger.db", "what is spent and held"],
  ],
  commands: [init, status, execute, evaluate, rollback, resolve, stop, resume, grant, policy, observe],
};
