/** The commands of `foreclaim plan`: plans, which are lists of actions as JSON. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonOption, mostCounted, option, outputOption, whole } from "../../options.ts";
import { exitCodes, runOptions } from "../run/definition.ts";
import type { RunProgramOptions } from "../run/handler.ts";

const planFile = ["<plan>", "plan, JSON; - is standard input"] as const;

const compat = option("--compat <runtime>", "answer as another runtime does, including its mistakes", {
  choices: ["car"],
});
const state = option("--state <file>", "complete initial state, a JSON object");
const knownTools = option("--known-tools <names>", "names of all tools, separated by commas", {
  parse: (text) => text.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])),
});
const believed = option(
  "--tools <folder>",
  "folder of trusted tool modules, believed instead of the plan; repeat for each",
  { repeated: true, conflicts: "compat" },
);
const maxActions = option(
  "--max-actions <n>",
  "number of actions that a plan may have (default: 100000; 30 with --compat car)",
  { parse: whole(0, mostCounted) },
);

const verify: CommandSpec = {
  name: "verify",
  description: "Verify that no schedule and no tool failure makes a plan go wrong.",
  summary: "verify that it cannot go wrong",
  arguments: [planFile],
  options: [compat, state, knownTools, maxActions, believed, jsonOption],
  examples: [
    ["foreclaim plan verify plan.json", "for every initial state"],
    ["foreclaim plan verify plan.json --state s.json", "for this one"],
    ["foreclaim plan verify plan.json --known-tools mail.send,files.read", ""],
    ["foreclaim plan verify plan.json --tools tools", "with the contracts of tool modules"],
    ["foreclaim plan verify plan.json --compat car --json", "as the Common Agent Runtime says it"],
  ],
  load: async () => (await import("./verify.ts")).verifyPlan,
};

const simulate: CommandSpec = {
  name: "simulate",
  description: "Show the state that a plan leaves behind, without calling any tool.",
  summary: "show the state that it leaves behind",
  arguments: [planFile],
  options: [compat, state, maxActions, believed, jsonOption],
  examples: [
    ["foreclaim plan simulate plan.json --state s.json", "the final state, as far as it is known"],
    ["foreclaim plan simulate plan.json --json", "as data, with blocked actions"],
  ],
  load: async () => (await import("./simulate.ts")).simulatePlan,
};

const equivalent: CommandSpec = {
  name: "equivalent",
  description: "Decide whether two plans do the same from every state, with every tool result.",
  summary: "compare two plans",
  arguments: [
    ["<plan>", "one plan, JSON"],
    ["<other>", "the other plan"],
  ],
  options: [compat, state, believed, jsonOption],
  examples: [
    ["foreclaim plan equivalent a.json b.json", "for every state"],
    ["foreclaim plan equivalent a.json b.json --compat car", "on a few states"],
  ],
  load: async () => (await import("./equivalent.ts")).comparePlans,
};

const optimize: CommandSpec = {
  name: "optimize",
  description: "Print a plan with fewer dependencies that is proved equivalent.",
  summary: "print a plan with fewer dependencies",
  arguments: [planFile],
  options: [
    compat,
    state,
    maxActions,
    believed,
    outputOption,
    option("--out <file>", "the same", { hidden: true }),
    jsonOption,
  ],
  examples: [
    ["foreclaim plan optimize plan.json > better.json", "lists the changes on standard error"],
    ["foreclaim plan optimize plan.json --json", "the plan and the proof, as data"],
    ["foreclaim plan optimize plan.json --compat car", "without a proof"],
  ],
  load: async () => (await import("./optimize.ts")).optimizePlan,
};

const graph: CommandSpec = {
  name: "graph",
  description: "Draw a plan by levels, with the findings in it (SVG).",
  summary: "draw it, with its findings",
  arguments: [planFile],
  options: [state, knownTools, believed, outputOption, jsonOption],
  examples: [
    ["foreclaim plan graph plan.json > plan.svg", ""],
    ["foreclaim plan graph plan.json --state s.json -o plan.svg", ""],
  ],
  load: async () => (await import("./graph.ts")).graphPlan,
};

const run: CommandSpec = {
  name: "run",
  description: "Prove a plan, ask whether it may run, and run exactly the plan that was proved.",
  summary: "prove it, ask, and run it",
  arguments: [planFile],
  options: [{ ...state, conflicts: "ledger" }, ...runOptions],
  notes: exitCodes,
  examples: [
    ["foreclaim plan run plan.json", "proves the contracts that its tools require, and asks"],
    ["foreclaim plan run plan.json --guarantee 'bank.maxSpend(500)'", "proves this too"],
    ["foreclaim plan run plan.json --state s.json --yes", "in memory, from this state"],
    ["foreclaim plan run plan.json --ledger ledger.db --resume 5f2c81a09b3e", "after a crash"],
  ],
  load: async () => {
    const { runProgramFile } = await import("../run/handler.ts");
    return (host, file: string, options: RunProgramOptions) =>
      runProgramFile(host, file, { ...options, as: "plan" });
  },
};

export const plan: CommandSpec = {
  name: "plan",
  description: "Verify, simulate, compare, optimize, draw and run plans: lists of actions, as JSON.",
  summary: "work with plans of actions",
  examples: [
    ["foreclaim plan verify plan.json", "for every initial state"],
    ["foreclaim plan verify plan.json --state s.json", "for this one"],
    ["foreclaim plan graph plan.json > plan.svg", "a picture"],
  ],
  commands: [verify, simulate, equivalent, optimize, graph, run],
};
