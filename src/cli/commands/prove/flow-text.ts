/** The path of data to a place that may not receive it, for people. */

import type { SourceMap } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { FlowStep } from "../../../prove/index.ts";
import { wrap } from "../../text/width.ts";

/** LIMIT: of a longer way, people see the beginning and the end; `--json` has all of it. */
const mostSteps = 12;

export function flowLines(flow: readonly FlowStep[], places: SourceMap, width: number): string[] {
  if (flow.length === 0) return [];
  const half = mostSteps / 2;
  const isLong = flow.length > mostSteps;
  const shown = isLong ? [...flow.slice(0, half), ...flow.slice(-half)] : flow;
  const lines = shown.flatMap(({ what, path }, i) => {
    const place = path && places.at(path);
    const where = place === undefined ? "" : `, ${places.words(place)}`;
    const gap = isLong && i === half ? [`    … ${flow.length - mostSteps} more steps`] : [];
    return [
      ...gap,
      ...wrap(visibleText(`${what}${where}`), Math.max(20, width - 4)).map((line) => `    ${line}`),
    ];
  });
  return ["", "  how the data gets there:", ...lines];
}
