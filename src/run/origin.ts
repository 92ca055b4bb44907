/**
 * Identifies the run and the purpose of a kernel action. It is structured data of the action, so nobody parses names;
 * the kernel records it without interpreting it.
 */
import { isJsonObject, type Json, JsonNumber } from "../ir/index.ts";

export const purposes = [
  /** Stands for the run itself. */
  "run",
  "call",
  /** Keeps that the run has stopped, or clears that. */
  "end",
  /** Undoes a call, or compensates it. */
  "undo",
  /** Keeps the charge of a call while it is compensated. */
  "charge",
  /** Marks the cells that a call may have set as unknown. */
  "mark",
] as const;
export type Purpose = (typeof purposes)[number];

export interface Origin {
  readonly run: string;
  readonly purpose: Purpose;
  /** The digest of the plan, if it is a run of one. */
  readonly plan?: string;
  /** The call of the program or the action of the plan, as the kernel calls it. */
  readonly call?: string;
  /** Attempt number of a call, from 1. */
  readonly attempt?: number;
  /** The receipt of the step that it is about. */
  readonly step?: string;
}

/** The origin that an action of an entry names; undefined if it names none. */
export function originIn(json: Json | undefined): Origin | undefined {
  if (json === undefined || !isJsonObject(json)) return undefined;
  const { run, plan, call, attempt, step } = json;
  const purpose = purposes.find((one) => one === json.purpose);
  if (typeof run !== "string" || purpose === undefined) return undefined;
  return {
    run,
    purpose,
    ...(typeof plan === "string" && { plan }),
    ...(typeof call === "string" && { call }),
    ...(JsonNumber.is(attempt) && { attempt: Number(attempt.value) }),
    ...(typeof step === "string" && { step }),
  };
}
