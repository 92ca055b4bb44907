/** A share of the programs in spec/code-mode, by the seed of the commit: no guarantee that a header calls broken is proved. */
import { describe, expect, it } from "vitest";
import { gapsOf, judged, measure, programsIn, shareOf, summary } from "../../scripts/corpus.mjs";
import { seed } from "../support/runs.ts";

const shares = 40;
const all = programsIn();

describe("programs as models write them", () => {
  it("have a verdict in their header, and a tool module", () => {
    expect(all.length).toBeGreaterThan(300);
    expect(all.filter(({ holds }) => !holds).length).toBeGreaterThan(100);
    for (const domain of new Set(all.map((one) => one.domain)))
      expect(gapsOf(domain), domain).toBeInstanceOf(Map);
  });

  it("are not proved to keep what they break", async () => {
    const share = `${(seed() ?? 0) % shares}/${shares}`;
    const programs = shareOf(all, share);
    const measured = await measure(programs, { seconds: 20, compileOnly: false });
    const { wrongProofs, answers } = summary(measured);
    console.info(`share ${share}: ${JSON.stringify(answers)}`);
    expect(wrongProofs).toEqual([]);
  });

  it("are judged by their headers", () => {
    const [broken] = all.filter((one) => one.broken.length === 1);
    const name = broken?.broken[0] ?? "";
    if (broken === undefined) throw new Error("no program names the contract that it breaks");
    const outcome = (verdict: string) =>
      ({ kind: "proved", verdict, guarantees: [{ name, verdict }], obligations: [] }) as const;
    const judge = (verdict: string) =>
      judged({ program: broken, outcome: outcome(verdict), ms: 0 }, new Map()).wrongProofs;
    expect(judge("proved")).toEqual([name]);
    expect(judge("refuted")).toEqual([]);
    expect(judge("unknown")).toEqual([]);
  });
});
