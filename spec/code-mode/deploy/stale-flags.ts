/**
 * Task: Which feature flags in production have not been changed for half a year, and who owns them?
 * Verdict: holds
 * Why: Only listFlags is called.
 * Features: JSON.parse into unknown, user-defined type guard, Array.isArray, groupBy with reduce, setMonth on Date
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

interface Flag {
  key: string;
  updatedAt: string;
  owner?: string;
}

function isFlag(x: unknown): x is Flag {
  const f = x as Flag;
  return typeof x === "object" && x !== null && typeof f.key === "string" && typeof f.updatedAt === "string";
}

export default program({
  guarantees: [deploy.readOnly()],
  async run({ today }: { today: string }) {
    const data: unknown = JSON.parse(await deploy.listFlags({ env: "production" }));
    const list = (data as { flags?: unknown } | null)?.flags;
    if (!Array.isArray(list)) return { error: "unexpected answer from the flag service" };

    const limit = new Date(today);
    limit.setMonth(limit.getMonth() - 6);

    return list
      .filter(isFlag)
      .filter((f) => new Date(f.updatedAt).getTime() < limit.getTime())
      .reduce<Record<string, string[]>>((groups, f) => {
        const owner = f.owner ?? "nobody";
        return { ...groups, [owner]: [...(groups[owner] ?? []), f.key] };
      }, {});
  },
});
