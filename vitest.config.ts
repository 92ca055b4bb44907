import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// Time limits end a test that hangs. They are far above what a test takes beside busy processes, so that load fails none.
// More runs of each property (see tests/support/runs.ts) need more time.
const timeScale = Math.max(1, Number(process.env.FORECLAIM_RUNS ?? 1));
const setupFiles = ["tests/support/setup.ts"];

/** Tests that change their own process: its modules, its environment, its shared solvers. */
const apart = [
  "tests/app/solver-pool.process.test.ts",
  "tests/certify/commands.process.test.ts",
  "tests/kernel/simulation.process.test.ts",
  "tests/simulation/workers.process.test.ts",
  "tests/support/installed.process.test.ts",
];

/** Files that take longest: started last, one of them would go on alone while the other cores are idle. */
const longest = [
  "src/prove/loops/loops-soundness.process.test.ts",
  "src/prove/soundness.process.test.ts",
  "tests/kernel/crash.process.test.ts",
  "tests/run/run-page.process.test.ts",
  "tests/run/run-cli.process.test.ts",
  "tests/mcp/server.process.test.ts",
  "src/prove/loops/nested-soundness.process.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // All of the machine: by default one core is left idle, which on a small machine is half of it.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: ["**/*.process.test.ts"],
          setupFiles,
          // Unit tests share nothing that changes, so they need no isolation: several times faster.
          pool: "threads",
          isolate: false,
          testTimeout: 120_000 * timeScale,
        },
      },
      {
        test: {
          // Tests that start processes, workers, browsers or databases. Files share the modules of their process:
          // loading all of `src` again for each would take a tenth of the time.
          name: "process",
          include: ["src/**/*.process.test.ts", "tests/**/*.process.test.ts"],
          exclude: apart,
          setupFiles,
          pool: "forks",
          isolate: false,
          testTimeout: 600_000 * timeScale,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: "apart",
          include: apart,
          setupFiles,
          pool: "forks",
          testTimeout: 600_000 * timeScale,
          hookTimeout: 600_000,
        },
      },
      // Long random tests, only for `npm run soak`.
      ...(process.env.FORECLAIM_SOAK === undefined
        ? []
        : [
            {
              test: {
                name: "soak",
                include: ["src/**/*.soak.ts", "tests/**/*.soak.ts"],
                setupFiles,
                pool: "forks" as const,
                testTimeout: 3_600_000,
              },
            },
          ]),
    ],
  },
});
