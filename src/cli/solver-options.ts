/** The options of every command that may ask a solver. */
import { InvalidArgumentError, Option } from "commander";

export function timeoutOption(): Option {
  return new Option("--timeout <seconds>", "how long each question may take the solver")
    .default(10)
    .argParser(seconds);
}

export function solverOption(): Option {
  return new Option("--solver <name>", "which solver to ask what is not decided without one")
    .choices(["z3", "native:z3", "native:cvc5"])
    .default("z3", "z3, which is brought along");
}

export function seconds(text: string): number {
  const number = Number(text);
  if (/^[0-9]+(\.[0-9]+)?$/.test(text) && number >= 0.001 && number <= 3600) return number;
  throw new InvalidArgumentError("Expected seconds, from 0.001 to 3600.");
}
