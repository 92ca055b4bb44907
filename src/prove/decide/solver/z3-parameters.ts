/** Parameters of Z3 for a script, in WebAssembly and native. */
import { defaultMemoryMb, type Script, type SolverLimits } from "./port.ts";
import { setsLogic } from "./script.ts";

/**
 * Left to itself, Z3 tries several tactics, each for some seconds by the clock and each with the whole count of
 * steps: answers would depend on the machine. One fixed sequence of tactics does as well and is repeatable.
 */
const tactic = "(then simplify propagate-values solve-eqs smt)";

/** Names and values. They outlive a script, so that each script must set all of them. */
export function z3Parameters(script: Script, limits: SolverLimits): readonly (readonly [string, string])[] {
  return [
    // Exactly the UTF-16 code units, which is what strings are made of here.
    ["encoding", "bmp"],
    // Some logics, such as that of Horn clauses, come with a tactic of their own.
    ["tactic.default_tactic", setsLogic(script) ? "" : tactic],
    ["memory_max_size", String(limits.memoryMb ?? defaultMemoryMb)],
    ["rlimit", String(limits.resources)],
  ];
}
