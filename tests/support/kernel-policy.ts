/** Policy of the kernels that are killed or shared. */

/** The budget is never reached by those that are killed. */
export const crashPolicy = {
  budgets: { usd: { limit: "1000000", quantum: "0.01" } },
  minCost: "0.01",
  rules: [
    { name: "up", enforcement: "blocking", rule: "monotoneIncreasing", key: "count" },
    { name: "counted", enforcement: "blocking", rule: "ceiling", key: "count", max: 1_000_000 },
  ],
};

export const crashState = { count: 0 };
