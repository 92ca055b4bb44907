/** Error codes of program runs; a closed set. The interpreter's own codes are FC15xx. */
export const runCodes = {
  // before the first call
  FC4501: "program cannot be run with these options",
  FC4502: "state is not what the proof assumes",
  FC4503: "fluents are held by another run",
  // in the run
  FC4504: "others changed what the run relies on",
  FC4505: "call refused by the kernel",
  FC4506: "call beyond the budget of its receipt",
  FC4507: "guarantee would be broken",
  FC4508: "call without a tool result",
  FC4509: "call in doubt since an earlier process",
  FC4510: "run of a program was interrupted",
  FC4511: "call was not undone",
  // the state and the world
  FC4512: "world differs from the state",
  FC4513: "world could not be observed",
} as const;

export type RunCode = keyof typeof runCodes;
