/** Random small plans, few keys and few values, so that they have to do with each other. */
import fc from "fast-check";
import type { ActionData } from "./plans.ts";

export interface PlanShape {
  readonly actions: number;
  readonly keys?: readonly string[];
  /** Dependencies on later actions too. */
  readonly backwards?: boolean;
}

const values: readonly unknown[] = [0, 1, 2, true, "a", ["a"], null];

export function anyValue(): fc.Arbitrary<unknown> {
  return fc.constantFrom(...values);
}

export function anyPlanData({ actions, keys = ["x", "y", "z"], backwards = false }: PlanShape): fc.Arbitrary<{
  readonly actions: readonly ActionData[];
}> {
  return fc
    .integer({ min: 1, max: actions })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, i) => anyAction(i, count, keys, backwards))),
    )
    .map((list) => ({ actions: list }));
}

function anyAction(
  i: number,
  count: number,
  keys: readonly string[],
  backwards: boolean,
): fc.Arbitrary<ActionData> {
  const key = fc.constantFrom(...keys);
  const some = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 1 });
  const others = Array.from({ length: count }, (_, j) => j).filter((j) => (backwards ? j !== i : j < i));
  const id = (j: number) => `a${j}`;
  const ids =
    others.length === 0
      ? fc.constant([])
      : rarely(
          fc.constantFrom(...others).map((j) => [id(j)]),
          [],
        );
  const reference =
    others.length === 0
      ? anyValue()
      : fc.oneof(
          { weight: 6, arbitrary: anyValue() },
          { weight: 1, arbitrary: fc.constantFrom(...others).map((j) => `$${id(j)}.output`) },
        );
  const precondition = fc.record({
    key,
    operator: fc.constantFrom("eq", "neq", "gt", "lt", "gte", "lte", "exists", "not_exists", "contains"),
    value: anyValue(),
  });
  const common = {
    preconditions: some(precondition),
    state_dependencies: rarely(
      key.map((one) => [one]),
      [],
    ),
    dependencies: ids,
    failure_behavior: fc.constantFrom("abort", "retry", "skip"),
    read_set: rarely(
      key.map((one) => [one]),
      [],
    ),
    write_set: rarely(
      key.map((one) => [one]),
      [],
    ),
  };
  const effects = fc.dictionary(key, anyValue(), { maxKeys: 1 });
  return fc.oneof(
    fc.record({
      id: fc.constant(id(i)),
      type: fc.constant("tool_call"),
      tool: fc.constant(`t${i}`),
      parameters: fc.record({ p: reference }),
      expected_effects: effects,
      ...common,
    }),
    fc.record({
      id: fc.constant(id(i)),
      type: fc.constant("state_write"),
      parameters: fc.record({ key, value: reference }),
      ...common,
    }),
    fc.record({
      id: fc.constant(id(i)),
      type: fc.constant("state_read"),
      parameters: fc.record({ key }),
      ...common,
    }),
    fc.record({
      id: fc.constant(id(i)),
      type: fc.constant("assertion"),
      parameters: precondition,
      ...common,
    }),
  );
}

function rarely<T>(arbitrary: fc.Arbitrary<T>, otherwise: T): fc.Arbitrary<T> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });
}

export function anyState(keys: readonly string[] = ["x", "y", "z"]): fc.Arbitrary<Record<string, unknown>> {
  return fc.dictionary(fc.constantFrom(...keys), anyValue(), { maxKeys: keys.length });
}
