/** Texts that ask a model to write or repair a program. */

export function writeProgram(task: string, guide: string): string {
  return [
    "Write one program for Foreclaim that does the task below.",
    "First call `search_tools` for the tools and contracts that fit. Then write the program, call `prove` with its text, and mend it until the verdict is `proved`. Do not weaken a guarantee to get there. Then call `run`.",
    `Task:\n${task}`,
    guide,
  ].join("\n\n");
}

export function repairProgram(program: string, proof: string): string {
  return [
    "This program is not proved. Change it so that the run in the counterexample cannot happen, or so that the errors are gone, and call `prove` again. Do not weaken a guarantee.",
    `Program:\n\`\`\`ts\n${program}\n\`\`\``,
    `Proof:\n\`\`\`json\n${proof}\n\`\`\``,
  ].join("\n\n");
}

export function writeContracts(module: string, declarations: string): string {
  return [
    `Write contracts for the tool module \`${module}\`: what a person would want to be told before a program that uses it may run. Who is affected, how much, how often, in which order, in which state at the end. Each contract has a comment that reads as a sentence, and \`coverage\` names the ones that should be stated.`,
    "Give one program that a contract allows and one that it refutes. A person reads the contracts before they are trusted.",
    `\`\`\`ts\n${declarations}\n\`\`\``,
  ].join("\n\n");
}
