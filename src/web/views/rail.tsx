/**
 * The line beside the calls: one piece for each row, as high as the row is, so that text may wrap as it likes. A call
 * that is made only under a condition hangs from the line, a loop is drawn around its calls, and each fluent has a line
 * of its own, with a mark where a call may set it.
 */
import type { JSX } from "preact";
import type { MayCall, MayDo } from "../../approve/wire.ts";

export interface Lane {
  readonly letter: string;
  readonly fluent: string;
  readonly calls: ReadonlySet<number>;
}

/** LIMIT: of lines beside each other; the words below have them all. */
const mostLanes = 4;

export function lanesOf({ fluents }: MayDo): readonly Lane[] {
  return fluents.slice(0, mostLanes).map(({ fluent, changedBy }, i) => ({
    letter: String.fromCharCode(65 + i),
    fluent,
    calls: new Set(changedBy),
  }));
}

interface RailProps {
  readonly call: MayCall;
  readonly previous: MayCall | undefined;
  readonly next: MayCall | undefined;
  readonly lanes: readonly Lane[];
}

const spineX = 14;
const sideX = 32;
const laneX = 58;
const laneGap = 18;

export function Rail({ call, previous, next, lanes }: RailProps): JSX.Element {
  const { each, when, reads, number } = call;
  const starts = each !== null && previous?.each !== each;
  const ends = each !== null && next?.each !== each;
  // The words of the loop stand above its first call.
  const y = starts ? 52 : 22;
  const x = when === null ? spineX : sideX;
  // Where it leaves the line.
  const top = when === null ? y : y - 10;
  return (
    <div class={`rail lanes-${lanes.length}`}>
      <svg aria-hidden="true" focusable="false">
        {each === null ? null : <Loop starts={starts} ends={ends} />}
        <line
          class="spine"
          x1={spineX}
          x2={spineX}
          y1={previous === undefined ? top : 0}
          y2={next === undefined ? top : "100%"}
        />
        {when === null ? null : <path class="branch" d={`M${spineX} ${top} q0 10 10 10 H${sideX}`} />}
        <circle class={`node ${reads ? "reads" : "changes"}`} cx={x} cy={y} r="6" />
        {lanes.map(({ letter, calls }, i) => {
          const at = laneX + i * laneGap;
          return (
            <g key={letter} class="lane-group">
              <line
                class="lane"
                x1={at}
                x2={at}
                y1={previous === undefined ? y : 0}
                y2={next === undefined ? y : "100%"}
              />
              {previous === undefined ? (
                <text class="lane-letter" x={at} y={y - 12}>
                  {letter}
                </text>
              ) : null}
              {calls.has(number) ? (
                <rect
                  class="mark"
                  x={at - 4.5}
                  y={y - 4.5}
                  width="9"
                  height="9"
                  transform={`rotate(45 ${at} ${y})`}
                />
              ) : null}
            </g>
          );
        })}
      </svg>
    </div>
  );
}

/** A part of a rounded frame: what is beyond the row is cut off by it. */
function Loop({ starts, ends }: { readonly starts: boolean; readonly ends: boolean }): JSX.Element {
  const part = starts && ends ? "whole" : starts ? "first" : ends ? "last" : "middle";
  return <rect class={`loop ${part}`} x="2" y={starts ? 6 : -30} width="42" rx="10" />;
}
