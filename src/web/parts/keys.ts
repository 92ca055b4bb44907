/** Keyboard shortcuts: which there are, and who hears them. None of them decides: a second key has to confirm. */
import { signal } from "@preact/signals";

export interface Shortcut {
  readonly key: string;
  readonly does: string;
}

export const shortcuts: readonly { readonly where: string; readonly keys: readonly Shortcut[] }[] = [
  {
    where: "Everywhere",
    keys: [
      { key: "?", does: "show or hide this list" },
      { key: "u", does: "back to the list" },
      { key: "Esc", does: "close the open view, or cancel a choice" },
    ],
  },
  {
    where: "List",
    keys: [
      { key: "j", does: "next request" },
      { key: "k", does: "previous request" },
      { key: "Enter", does: "open the request" },
    ],
  },
  {
    where: "Request",
    keys: [
      { key: "a", does: "approve once, then Enter to confirm" },
      { key: "A", does: "approve and remember, then Enter to confirm" },
      { key: "r", does: "reject, then Enter to confirm" },
      { key: "m", does: "ask for more, then Enter to confirm" },
      { key: "t", does: "write to the agent" },
      { key: "n", does: "next step of the counterexample" },
      { key: "p", does: "previous step" },
    ],
  },
];

export const isHelpOpen = signal(false);
/** Single keys are in the way of some who speak to their computer: they can be turned off. */
export const areKeysOn = signal(readSetting());

const setting = "foreclaim.keys";

export function turnKeys(on: boolean): void {
  areKeysOn.value = on;
  try {
    localStorage.setItem(setting, on ? "on" : "off");
  } catch {
    // Then it is for as long as the page is open.
  }
}

function readSetting(): boolean {
  try {
    return localStorage.getItem("foreclaim.keys") !== "off";
  } catch {
    return true;
  }
}

type Handler = () => void;
const handlers = new Map<string, Handler[]>();

/** The last who asks for a key is told. Gives what ends it. */
export function onKey(key: string, handler: Handler): () => void {
  handlers.set(key, [...(handlers.get(key) ?? []), handler]);
  return () =>
    handlers.set(
      key,
      (handlers.get(key) ?? []).filter((one) => one !== handler),
    );
}

/** Several keys at once, for an effect. */
export function onKeys(keys: Readonly<Record<string, Handler>>): () => void {
  const ends = Object.entries(keys).map(([key, handler]) => onKey(key, handler));
  return () => ends.forEach((end) => end());
}

addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, altKey, target, repeat } = event;
  if (ctrlKey || metaKey || altKey || repeat) return;
  // What is behind the list of keys hears none of them, and the browser closes it by itself.
  if (isHelpOpen.value && key !== "?") return;
  const isWriting =
    target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
  if (key !== "Escape" && (isWriting || !areKeysOn.value)) return;
  const handler = handlers.get(key)?.at(-1);
  if (handler === undefined) return;
  event.preventDefault();
  handler();
});
