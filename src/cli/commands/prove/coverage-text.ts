/** Coverage for people: the loudest gap first, what it is, and what to add to close it. */

import {
  count,
  type DomainCoverage,
  notes,
  type SourceMap,
  type TargetCoverage,
} from "../../../app/index.ts";
import { type CoverageStatus, coverageStatuses } from "../../../coverage/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Proof } from "../../../prove/index.ts";
import type { Paint } from "../../text/paint.ts";
import { cut, wrap } from "../../text/width.ts";

export function coverageLines(
  { domains, statedBy }: TargetCoverage,
  proof: Proof,
  places: SourceMap,
  width: number,
  paint: Paint,
): string[] {
  const loud = ({ coverage }: DomainCoverage) => coverageStatuses.indexOf(coverage.status);
  const sorted = [...domains].sort((a, b) => loud(b) - loud(a));
  const widest = sorted.reduce((most, { coverage }) => Math.max(most, words[coverage.status].length), 0);
  const indent = 2 + widest + 2;
  const room = Math.max(20, width - indent);
  return sorted.flatMap((one) => {
    const { status, domain } = one.coverage;
    const [first = "", ...others] = wrap(cut(visibleText(domain), 2 * room, paint.signs.cut), room);
    const said = notes(one, proof, places, statedBy, paint.signs.cut).flatMap((note) =>
      wrap(cut(visibleText(note), 6 * room, paint.signs.cut), room),
    );
    const word = colour(status, paint)(words[status].padEnd(widest));
    return [
      `  ${word}  ${first}`,
      ...[...others, ...said.map(paint.dim)].map((line) => " ".repeat(indent) + line),
    ];
  });
}

/** For the line that sums it up. */
export function gapWords({ domains }: TargetCoverage): string[] {
  const gaps = domains.filter(({ coverage }) => coverage.status !== "covered");
  return gaps.length === 0 ? [] : [count(gaps.length, "coverage gap")];
}

const words: Readonly<Record<CoverageStatus, string>> = {
  covered: "covered",
  recommended_gap: "recommended gap",
  silent_gap: "silent gap",
  required_gap: "required gap",
};

function colour(status: CoverageStatus, { green, yellow, red }: Paint): (text: string) => string {
  switch (status) {
    case "covered":
      return green;
    case "recommended_gap":
      return yellow;
    case "silent_gap":
    case "required_gap":
      return red;
  }
}
