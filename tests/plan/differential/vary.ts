/** Plans that are nearly the same as another: in another order, with other names, with one thing changed. */
import fc from "fast-check";
import type { ActionData, PlanData } from "./generate.ts";

export interface Variation {
  /** Sorts the actions. */
  readonly places: readonly number[];
  readonly isRenamed: boolean;
  readonly change: (typeof changes)[number];
  /** Index of the changed action. */
  readonly at: number;
}

const changes = [
  "nothing",
  "nothing",
  "no dependencies",
  "another dependency",
  "no preconditions",
  "another failure behavior",
  "another number of retries",
  "another parameter",
  "another field",
  "no action",
  "no compensation",
  "no effects",
] as const;

export const anyVariation: fc.Arbitrary<Variation> = fc.record({
  places: fc.array(fc.nat(9), { minLength: 6, maxLength: 6 }),
  isRenamed: fc.boolean(),
  change: fc.constantFrom(...changes),
  at: fc.nat(5),
});

export function varied({ actions }: PlanData, { places, isRenamed, change, at }: Variation): PlanData {
  const i = at % actions.length;
  const changed = actions.flatMap((action, j) =>
    j === i ? changedBy(change, action, actions, j) : [action],
  );
  const sorted = changed
    .map((action, j) => ({ action, place: places[j] ?? 0 }))
    .sort((a, b) => a.place - b.place)
    .map(({ action }) => action);
  return { actions: isRenamed ? renamed(sorted) : sorted };
}

function changedBy(
  change: Variation["change"],
  action: ActionData,
  actions: readonly ActionData[],
  i: number,
): ActionData[] {
  switch (change) {
    case "nothing":
      return [action];
    case "no dependencies":
      return [{ ...action, dependencies: [] }];
    case "another dependency": {
      const other = actions[i === 0 ? actions.length - 1 : 0];
      return other === undefined || other === action ? [action] : [{ ...action, dependencies: [other.id] }];
    }
    case "no preconditions":
      return [{ ...action, preconditions: [] }];
    case "another failure behavior":
      return [{ ...action, failure_behavior: action.failure_behavior === "skip" ? "abort" : "skip" }];
    case "another number of retries":
      return [{ ...action, max_retries: 1 }];
    case "another parameter":
      return [textChanged(action, /"(?:a|\$s0\.output)"/, '"b"')];
    case "another field":
      return [textChanged(action, /\.output(?:\.\w+)?"/, '.output.id"')];
    case "no action":
      return [];
    case "no compensation":
      return [{ ...action, compensation: null }];
    case "no effects":
      return [{ ...action, expected_effects: {} }];
  }
}

function textChanged(action: ActionData, from: RegExp, to: string): ActionData {
  return JSON.parse(JSON.stringify(action).replace(from, to));
}

function renamed(actions: readonly ActionData[]): ActionData[] {
  return JSON.parse(JSON.stringify(actions).replaceAll(/(["$])s(\d)(?=["."])/g, "$1renamed$2"));
}
