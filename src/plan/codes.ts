/**
 * Codes of plan findings; a closed set. 30xx: structure; 31xx: behavior; 32xx: disagreement with tool modules; 33xx:
 * running; 34xx: optimizing and lowering. Errors in the JSON have the codes of all JSON, FC11xx and FC14xx.
 */
export const planCodes = {
  // how it hangs together
  FC3001: "unknown field of a plan",
  FC3002: "too many actions",
  FC3003: "action id used twice",
  FC3004: "missing parameter",
  FC3005: "action without a tool",
  FC3006: "no such action",
  FC3007: "cyclic dependencies",
  FC3008: "ambiguous order",
  FC3009: "action without an id",
  // what it does
  FC3101: "precondition fails",
  FC3102: "precondition may fail",
  FC3103: "state key may be missing",
  FC3104: "assertion may fail",
  FC3105: "output may be missing",
  FC3106: "unknown tool of a plan",
  FC3107: "order of writes is not declared",
  FC3108: "same call more than once",
  FC3109: "looks like a reference but is not one",
  FC3110: "no compensation",
  FC3111: "value that no run can store",
  // with tool modules
  FC3201: "parameters do not fit the tool",
  FC3202: "`requires` of a tool may fail",
  FC3203: "claim contradicts the tool",
  FC3204: "claim that the tool does not confirm",
  FC3205: "key of a tool's state is not known",
  FC3206: "effect may have no exact value",
  // before a run
  FC3303: "invalid compensation",
  FC3306: "action is beyond the limits of a run",
  // in a run
  // as another plan, and as a document
  FC3401: "plan that is not valid is not optimized",
  FC3411: "plan writes what only tools may set",
  FC3412: "compensation does not fit a tool",
  FC3413: "too many calls to prove",
} as const;

export type PlanCode = keyof typeof planCodes;
