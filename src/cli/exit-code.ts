/** What the command tells whoever started it. A script can rely on these. */

/** What was asked for was done, and what was checked holds. */
export const fine = 0;
/** What was checked does not hold, or is not decided, or a run stopped. */
export const notSo = 1;
/** The input is bad: nothing was done. */
export const badInput = 2;
/** What is proved was not approved. */
export const notApproved = 3;
/** A program was approved, and stopped, or could not begin. */
export const stoppedAtRun = 4;
/** A fault of Foreclaim itself. */
export const fault = 70;

export type ExitCode =
  | typeof fine
  | typeof notSo
  | typeof badInput
  | typeof notApproved
  | typeof stoppedAtRun;
