/** The exit codes of the command. A script can rely on these. */

/** Success: everything that was checked holds. */
export const fine = 0;
/** Not proved, violated or undecided, or a run stopped. */
export const notSo = 1;
/** The input is bad: nothing was done. */
export const badInput = 2;
/** Proved, but not approved. */
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
