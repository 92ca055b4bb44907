/** LIMIT: what a plan may have, besides what any JSON text may have. */
export interface PlanLimits {
  /** Actions of a plan in strict mode; more are an error and nothing else is looked at. */
  readonly actions: number;
  /** Code units of an id, of a key of the state and of the name of a tool. */
  readonly nameLength: number;
  /** Calls that a plan may make if something is to be proved of it, each try and each compensation counted. */
  readonly calls: number;
  /** Pairs that compatible mode lists as conflicts. */
  readonly conflictPairs: number;
}

export const defaultPlanLimits: PlanLimits = {
  actions: 100_000,
  nameLength: 1_000,
  calls: 20_000,
  conflictPairs: 1_000_000,
};
