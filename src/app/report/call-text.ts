/** Calls as reports name them. */
import { nameText } from "./value-text.ts";

/** `pay`, and in loops `pay[0]` or `pay[2,0]`. */
export function callText(id: string, indices: readonly number[]): string {
  // One that stands for any iteration has an index below zero.
  const shown = indices.map((index) => (index < 0 ? "*" : String(index)));
  return shown.length === 0 ? nameText(id) : `${nameText(id)}[${shown.join()}]`;
}
