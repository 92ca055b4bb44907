/**
 * Faults that a change could put into the kernel, each of which the comparison with the model must find. `in` is the
 * function that holds the text to replace, or the constant.
 */
export interface Fault {
  readonly name: string;
  readonly in: string;
  readonly from: string;
  readonly to: string;
}

export const faults: readonly Fault[] = [
  // budget.ts
  {
    name: "what is held is not counted",
    in: "function left(",
    from: "policy.limit - budget.spent - budget.reserved",
    to: "policy.limit - budget.spent",
  },
  {
    name: "a refund ignores the window",
    in: "function refund(",
    from: "window === budget.window ? budget.spent - units : budget.spent",
    to: "budget.spent - units",
  },
  {
    name: "a refund is not counted",
    in: "function refund(",
    from: "budget.refunded + units",
    to: "budget.refunded",
  },
  {
    name: "a new window releases what is held",
    in: "function budgetAt(",
    from: "spent: 0n",
    to: "spent: 0n, reserved: 0n",
  },
  {
    name: "a new window keeps what was spent",
    in: "function budgetAt(",
    from: "spent: 0n",
    to: "spent: budget.spent",
  },
  { name: "windows are rounded up", in: "function windowAt(", from: "Math.floor(", to: "Math.ceil(" },
  { name: "gross is not raised", in: "function spend(", from: "gross: gross + units", to: "gross" },
  {
    name: "what is held is spent",
    in: "function hold(",
    from: "budget.reserved + units",
    to: "budget.reserved + units + 0n * units, spent: budget.spent + units",
  },
  // action.ts, units.ts
  {
    name: "only the nearest budget around is charged",
    in: "function withAround(",
    from: "of around)",
    to: "of around.slice(0, 1))",
  },
  {
    name: "writes are only the first",
    in: "function keysOf(",
    from: "return keys;",
    to: "return keys.slice(0, 1);",
  },
  {
    name: "the identity of an action forgets its arguments",
    in: "function textOfAction(",
    from: "args === void 0 ?",
    to: "true ?",
  },
  {
    name: "the identity of an action has its origin",
    in: "get identity(",
    from: "this.origin === void 0 ? this.text",
    to: "true ? this.text",
  },
  {
    name: "amounts finer than the quantum are rounded down",
    in: "function unitsOf(",
    from: 'if (typeof units !== "bigint")',
    to: 'if (typeof units !== "bigint") return 0n;\n\tif (false)',
  },
  { name: "negative amounts are taken", in: "function unitsOf(", from: "amount < 0n", to: "false" },
  {
    name: "amounts with few places are ten times too much",
    in: "function shortUnits(",
    from: "i < places",
    to: "i <= places",
  },
  {
    name: "a cost by name is that of the first budget",
    in: "function readCosts(",
    from: "costs[at] =",
    to: "costs[0] =",
  },
  // judge.ts
  {
    name: "one step over the limit",
    in: "function checkStepLimit(",
    from: "state.steps >= maxSteps",
    to: "state.steps > maxSteps",
  },
  {
    name: "the least cost is too cheap",
    in: "function pushBudgetChecks(",
    from: "units < policy.minCost",
    to: "units <= policy.minCost",
  },
  {
    name: "the least cost is not asked of all budgets",
    in: "function pushBudgetChecks(",
    from: "cheap ??= policy",
    to: "cheap = i === 0 ? policy : cheap",
  },
  {
    name: "one unit over the budget",
    in: "function pushBudgetChecks(",
    from: "units > available",
    to: "units > available + 1n",
  },
  {
    name: "budgets are judged in the last window",
    in: "function pushBudgetChecks(",
    from: "budgetAt(before, policy, time)",
    to: "before",
  },
  {
    name: "a stop does not stop calls of tools",
    in: "function judgeAction(",
    from: "state.stopped === void 0",
    to: "state.stopped === void 0 || action.tool !== void 0",
  },
  {
    name: "any version will do",
    in: "function judgeAction(",
    from: "action.reads === state.version",
    to: "action.reads <= state.version",
  },
  {
    name: "monitoring rules refuse",
    in: "function stopsNothing(",
    from: 'check.result === "ok" || check.monitoring === true',
    to: 'check.result === "ok"',
  },
  { name: "a counter goes up by nothing", in: "function checkProtected(", from: "> 0", to: ">= 0" },
  {
    name: "protected keys may be deleted",
    in: "function checkProtected(",
    from: "protects.has(key)",
    to: 'protects.has(key) && op !== "delete"',
  },
  {
    name: "only the first key is asked for its holder",
    in: "function checkHeld(",
    from: "of keys)",
    to: "of [...keys].slice(0, 1))",
  },
  // invariant.ts
  {
    name: "emergencies are judged like others",
    in: "function violationOf(",
    from: "violation !== void 0 && rule.state?.(before) === void 0",
    to: "violation !== void 0",
  },
  {
    name: "changes are judged backwards",
    in: "function violationOf(",
    from: "rule.change?.(before, after)",
    to: "rule.change?.(after, before)",
  },
  {
    name: "gates see the state after",
    in: "function violationOf(",
    from: "rule.gate?.(before, scene.clock)",
    to: "rule.gate?.(after, scene.clock)",
  },
  {
    name: "states are judged before the change",
    in: "function violationOf(",
    from: "?? rule.state?.(after) ??",
    to: "?? rule.state?.(before) ??",
  },
  // step.ts
  {
    name: "an emergency once more than its cap",
    in: "function emergency(",
    from: "used < cap",
    to: "used <= cap",
  },
  {
    name: "an emergency with other effects",
    in: "function emergency(",
    from: "action.effects.length === 0 ||",
    to: "true ||",
  },
  { name: "the clock goes back", in: "function timeOf(", from: "clock <= state.time", to: "false" },
  {
    name: "a clock that is no time counts",
    in: "function timeOf(",
    from: "!Number.isSafeInteger(clock) ||",
    to: "",
  },
  // reserve.ts
  {
    name: "settling over the reservation",
    in: "function settle(",
    from: "units > (action.charges[i] ?? 0n)",
    to: "units > (action.charges[i] ?? 0n) + 1n",
  },
  {
    name: "settling is not judged",
    in: "function settle(",
    from: 'pushInvariants(checks, state, "other", action, after, time);',
    to: "",
  },
  {
    name: "dropped effects can be rolled back",
    in: "function settle(",
    from: "before: []",
    to: "before: made.before",
  },
  {
    name: "settling charges the whole reservation",
    in: "function settle(",
    from: "charges[i] ?? 0n)",
    to: "action.charges[i] ?? 0n)",
  },
  {
    name: "a settled key repeats any action",
    in: "function reserve(",
    from: "same && use.status",
    to: "use !== void 0 && use.status",
  },
  {
    name: "a pending key is free",
    in: "function checkKey(",
    from: 'use.status === "released"',
    to: 'use.status !== "settled"',
  },
  {
    name: "a release keeps the keys held",
    in: "function outcome(",
    from: "=== receipt) held = remove(held, one)",
    to: '=== receipt && status === "settled") held = remove(held, one)',
  },
  { name: "a release gives the key away", in: "function outcome(", from: "digestOf(action),", to: '"",' },
  {
    name: "emergency actions can be reserved",
    in: "function checkOrdinary(",
    from: "!state.policy.emergencies.has(id)",
    to: "true",
  },
  {
    name: "a receipt of another hash settles",
    in: "function pendingOf(",
    from: "found?.receipt === receipt ?",
    to: "found !== void 0 ?",
  },
  // commit.ts
  {
    name: "records are kept one version longer",
    in: "function change(",
    from: "version - state.policy.undoSteps",
    to: "version - state.policy.undoSteps - 1",
  },
  {
    name: "times are forgotten one step early",
    in: "function countStep(",
    from: "steps - windowSteps",
    to: "steps - windowSteps + 1",
  },
  {
    name: "calls of a tool are counted once",
    in: "function countStep(",
    from: "?? 0) + 1)",
    to: "?? 0) * 0 + 1)",
  },
  // rollback.ts
  { name: "oldest first", in: "function stepsBetween(", from: "steps.push(step)", to: "steps.unshift(step)" },
  { name: "the next step does not depend", in: "function checkLater(", from: "newest + 1", to: "newest + 2" },
  {
    name: "undone steps depend",
    in: "function checkLater(",
    from: 'later === void 0 || later.status === "undone"',
    to: "later === void 0",
  },
  {
    name: "held keys are rolled back",
    in: "function rollback(",
    from: "checkHeld(state, keys, time)",
    to: "checkHeld(state, [], time)",
  },
  {
    name: "a rollback counts twice",
    in: "function rollback(",
    from: "const rollbacks = state.rollbacks + 1",
    to: "const rollbacks = state.rollbacks + 2",
  },
  { name: "a rollback twice", in: "function rollback(", from: 'status: "undone"', to: 'status: "open"' },
  {
    name: "absent keys become null",
    in: "function restored(",
    from: "remove(after, key)",
    to: "set(after, key, null)",
  },
  {
    name: "the whole charge is returned in every window",
    in: "function rollback(",
    from: "windows[i] ?? 0",
    to: "sum.window",
  },
  // operator.ts
  { name: "drift does not stop", in: "function stopping(", from: "stopped", to: "unstopped" },
  {
    name: "drift at the threshold",
    in: "function isDrift(",
    from: "compare(off, threshold) > 0",
    to: "compare(off, threshold) >= 0",
  },
  {
    name: "drift below is no drift",
    in: "function isDrift(",
    from: "compare(off, negate(threshold)) < 0",
    to: "false",
  },
  { name: "a grant of any key", in: "function grant(", from: "state.policy.protects.has(key)", to: "true" },
  {
    name: "a grant of a held key",
    in: "function grant(",
    from: "checkHeld(state, [key], time)",
    to: "checkHeld(state, [], time)",
  },
  {
    name: "taken values of keys that are gone stay",
    in: "function taken$1(",
    from: "value === void 0 ? remove(after, key) :",
    to: "value === void 0 ? after :",
  },
  // effects.ts
  { name: "decrement adds", in: "function changed$1(", from: "computed(subtract", to: "computed(add" },
  {
    name: "remove takes the last",
    in: "function changed$1(",
    from: "items.findIndex(",
    to: "items.findLastIndex(",
  },
  {
    name: "setting needs the key",
    in: "function applyEffect(",
    from: "before === void 0 && data.size >= limits.keys",
    to: "before === void 0",
  },
  {
    name: "effects do not see each other",
    in: "function applyEffects(",
    from: "applyEffect(after, effect)",
    to: "effect === effects[1] ? applyEffect(data, effect) : applyEffect(after, effect)",
  },
  // policy.ts, open.ts
  {
    name: "budgets with a window bound the steps",
    in: "function stepLimit(",
    from: "&& windowMs === void 0",
    to: "",
  },
  {
    name: "the step limit is one more",
    in: "function stepLimit(",
    from: "limit / minCost",
    to: "limit / minCost + 1n",
  },
  { name: "counters are not protected", in: "maxSteps: stepLimit(", from: "rule.counters ?? []", to: "[]" },
  { name: "gates are not protected", in: "maxSteps: stepLimit(", from: "rule.protects ?? []", to: "[]" },
  {
    name: "a broken initial state opens",
    in: "function openKernel(",
    from: "!stopsNothing(check)",
    to: "false",
  },
  {
    name: "an emergency that breaks a rule opens",
    in: "function openKernel(",
    from: '.verdict === "refused"',
    to: ".verdict === 0",
  },
  {
    name: "an around of an around is left out",
    in: "function nested(",
    from: "outer = found.within",
    to: "outer = void 0",
  },
  // entry.ts
  {
    name: "an entry tells the version before twice",
    in: "function entryText(",
    from: '"after":${next.version}',
    to: '"after":${state.version}',
  },
  {
    name: "an entry tells the budgets before",
    in: "function entryText(",
    from: "budgetsText(next, time)",
    to: "budgetsText(state, time)",
  },
  {
    name: "an entry forgets the entry before",
    in: "function entryText(",
    from: '"prev":"${state.head}"',
    to: '"prev":""',
  },
  { name: "net is gross", in: "function budgetsText(", from: "gross - refunded", to: "gross" },
  {
    name: "undo records are kept for none",
    in: "function stepOf(",
    from: "state.policy.undoSteps > 0",
    to: "state.policy.undoSteps >= 0",
  },
  // rules
  {
    name: "a ceiling above by one",
    in: "function above(",
    from: "compare(number, max) > 0",
    to: "compare(number, max) > 1",
  },
  {
    name: "a range without its lower bound",
    in: "const range = (fields",
    from: "compare(number, min) < 0",
    to: "false",
  },
  { name: "monotone both ways", in: "function monotone(", from: "* sign >= 0", to: "* sign * sign >= 0" },
  {
    name: "lists one longer",
    in: "const listLength = ",
    from: "value.length > max",
    to: "value.length > max + 1",
  },
  {
    name: "a window of one step more",
    in: "const timeWindow = ",
    from: "stepTime(max - 1)",
    to: "stepTime(max)",
  },
  {
    name: "a window that is open at its end",
    in: "const timeWindow = ",
    from: "time - earlier < windowMs",
    to: "time - earlier <= windowMs",
  },
  {
    name: "a terminal flag does not end anything",
    in: "const terminalFlag = ",
    from: "get(before, key) === true",
    to: "false",
  },
  {
    name: "deletion keeps any kind",
    in: "function deletion(",
    from: "kindOf$1(old) !== kindOf$1(now)",
    to: "false",
  },
  { name: "what is absent is fine", in: "function at(", from: 'missing === "ok"', to: "true" },
];
