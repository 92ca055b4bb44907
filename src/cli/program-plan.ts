/** The commands of `foreclaim plan`: plans, which are lists of actions as JSON. */
import { Command, InvalidArgumentError, Option } from "commander";
import type { EquivalentOptions, GraphOptions, OptimizeOptions, PlanOptions } from "./commands/plan.ts";
import { exitCodes, withRunOptions } from "./commands/run/definition.ts";
import type { RunProgramOptions } from "./commands/run/handler.ts";
import { toolsOption } from "./repeated.ts";
import { examples, jsonOption, type Session, set } from "./session.ts";

export function planFor(session: Session): Command {
  const plan = set(new Command("plan"), session, "foreclaim plan")
    .description("Verify, simulate, compare, optimize, draw and run plans: lists of actions, as JSON.")
    .summary("work with plans of actions")
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan verify plan.json", "for every state at the start"],
        ["foreclaim plan verify plan.json --state s.json", "for this one"],
        ["foreclaim plan graph plan.json > plan.svg", "a picture"],
      ),
    );
  const command = (name: string, description: string): Command =>
    set(plan.command(name), session, `foreclaim plan ${name}`).description(description);
  addVerify(session, command);
  addSimulate(session, command);
  addEquivalent(session, command);
  addOptimize(session, command);
  addGraph(session, command);
  addRun(session, command);
  return plan;
}

type MakeCommand = (name: string, description: string) => Command;

function addVerify(session: Session, command: MakeCommand): void {
  command("verify", "Find out whether a plan can go wrong: for every schedule, and every tool that may fail.")
    .summary("find out whether it can go wrong")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(compatOption())
    .addOption(stateOption())
    .addOption(knownToolsOption())
    .addOption(maxActionsOption())
    .addOption(believedOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan verify plan.json", "whatever the state at the start"],
        ["foreclaim plan verify plan.json --state s.json", "for this one"],
        ["foreclaim plan verify plan.json --known-tools mail.send,files.read", ""],
        ["foreclaim plan verify plan.json --tools tools", "with what tool modules say"],
        ["foreclaim plan verify plan.json --compat car --json", "as the Common Agent Runtime says it"],
      ),
    )
    .action(async (file: string, options: PlanOptions) => {
      const { verifyPlan } = await import("./commands/plan.ts");
      session.code = await verifyPlan(session.terminal, file, options);
    });
}

function addSimulate(session: Session, command: MakeCommand): void {
  command("simulate", "Say what state a plan leaves behind, without calling any tool.")
    .summary("say what state it leaves behind")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(compatOption())
    .addOption(stateOption())
    .addOption(maxActionsOption())
    .addOption(believedOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan simulate plan.json --state s.json", "what is known at the end"],
        ["foreclaim plan simulate plan.json --json", "as data, with what is blocked"],
      ),
    )
    .action(async (file: string, options: PlanOptions) => {
      const { simulatePlan } = await import("./commands/plan.ts");
      session.code = await simulatePlan(session.terminal, file, options);
    });
}

function addEquivalent(session: Session, command: MakeCommand): void {
  command(
    "equivalent",
    "Find out whether two plans do the same, whatever the state and whatever tools answer.",
  )
    .summary("compare two plans")
    .argument("<plan>", "one plan, JSON")
    .argument("<other>", "the other one")
    .addOption(compatOption())
    .addOption(stateOption())
    .addOption(believedOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan equivalent a.json b.json", "for every state"],
        ["foreclaim plan equivalent a.json b.json --compat car", "on a few states"],
      ),
    )
    .action(async (file: string, other: string, options: EquivalentOptions) => {
      const { comparePlans } = await import("./commands/plan.ts");
      session.code = await comparePlans(session.terminal, file, other, options);
    });
}

function addOptimize(session: Session, command: MakeCommand): void {
  command("optimize", "Print a plan whose actions wait for less, and that is proved to do the same.")
    .summary("print a plan that waits for less")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(compatOption())
    .addOption(stateOption())
    .addOption(maxActionsOption())
    .addOption(believedOption())
    .option("-o, --output <file>", "write the plan to a file")
    .addOption(new Option("--out <file>", "the same").hideHelp())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan optimize plan.json > better.json", "what was changed goes to standard error"],
        ["foreclaim plan optimize plan.json --json", "the plan and the proof, as data"],
        ["foreclaim plan optimize plan.json --compat car", "without a proof"],
      ),
    )
    .action(async (file: string, options: OptimizeOptions) => {
      const { optimizePlan } = await import("./commands/plan.ts");
      session.code = await optimizePlan(session.terminal, file, options);
    });
}

function addGraph(session: Session, command: MakeCommand): void {
  command("graph", "Draw a plan by levels, with what was found in it (SVG).")
    .summary("draw it, with what was found")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(stateOption())
    .addOption(knownToolsOption())
    .addOption(believedOption())
    .option("-o, --output <file>", "write the picture to a file")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim plan graph plan.json > plan.svg", ""],
        ["foreclaim plan graph plan.json --state s.json -o plan.svg", ""],
      ),
    )
    .action(async (file: string, options: GraphOptions) => {
      const { graphPlan } = await import("./commands/plan.ts");
      session.code = await graphPlan(session.terminal, file, options);
    });
}

function addRun(session: Session, command: MakeCommand): void {
  const run = command("run", "Prove a plan, ask whether it may run, and run exactly what was proved.")
    .summary("prove it, ask, and run it")
    .argument("<plan>", "the plan, JSON; - is standard input")
    .addOption(stateOption().conflicts("ledger"));
  withRunOptions(run)
    .addHelpText(
      "after",
      `
${exitCodes}
${examples(
  ["foreclaim plan run plan.json", "proves what its tools require, and asks"],
  ["foreclaim plan run plan.json --guarantee 'bank.maxSpend(500)'", "proves this too"],
  ["foreclaim plan run plan.json --state s.json --yes", "in memory, from this state"],
  ["foreclaim plan run plan.json --ledger ledger.db --resume 5f2c81a09b3e", "after a crash"],
)}`,
    )
    .action(async (file: string, options: RunProgramOptions) => {
      const { runPlanFile } = await import("./commands/plan-run.ts");
      session.code = await runPlanFile(session.terminal, file, options);
    });
}

function compatOption(): Option {
  return new Option("--compat <runtime>", "answer as another runtime does, its mistakes included").choices([
    "car",
  ]);
}

function stateOption(): Option {
  return new Option("--state <file>", "the whole state at the start, a JSON object");
}

function knownToolsOption(): Option {
  return new Option("--known-tools <names>", "the tools there are, with commas between them").argParser(
    (text) => text.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])),
  );
}

function believedOption(): Option {
  const words = "a folder of trusted tool modules, believed instead of the plan; once for each";
  return toolsOption(words).conflicts("compat");
}

function maxActionsOption(): Option {
  return new Option(
    "--max-actions <n>",
    "how many actions a plan may have (100000; 30 with --compat car)",
  ).argParser((text) => {
    const number = Number(text);
    if (/^[0-9]+$/.test(text) && Number.isSafeInteger(number)) return number;
    throw new InvalidArgumentError("expected an integer from 0");
  });
}
