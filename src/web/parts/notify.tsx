/** Notifications of the browser about requests that begin to wait. Nobody gets any without asking for them. */
import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { visibleText } from "../../explain/visible.ts";
import { go, requestAddress } from "../data/route.ts";
import { waiting } from "../data/state.ts";

const setting = "foreclaim.notify";
const isPossible = typeof Notification === "function";
const isOn = signal(isPossible && Notification.permission === "granted" && readSetting());

/** LIMIT: of notifications for one change of the list; more are told in one. */
const most = 3;

let known: ReadonlySet<string> | undefined;

effect(() => {
  const all = waiting.value;
  const before = known;
  known = new Set(all.map(({ id }) => id));
  if (!isOn.peek() || before === undefined) return;
  const fresh = all.filter(({ id }) => !before.has(id));
  if (fresh.length > most) {
    show(`${fresh.length} requests wait for you`, "", "#/", "many");
    return;
  }
  for (const { id, file, risk } of fresh)
    show(visibleText(file), visibleText(risk?.headline ?? "waits for you"), requestAddress(id), id);
});

function show(title: string, body: string, address: string, tag: string): void {
  try {
    const note = new Notification(title, { body, tag });
    note.onclick = () => {
      window.focus();
      go(address);
      note.close();
    };
  } catch {
    // Some browsers only allow them to workers: the list and the title tell it as well.
  }
}

export function NotifyButton(): JSX.Element | null {
  if (!isPossible || Notification.permission === "denied") return null;
  const turn = async () => {
    const on = !isOn.value && (await Notification.requestPermission()) === "granted";
    isOn.value = on;
    try {
      localStorage.setItem(setting, on ? "on" : "off");
    } catch {
      // Then it is for as long as the page is open.
    }
  };
  return (
    <button type="button" class="quiet notify" aria-pressed={isOn.value} onClick={() => void turn()}>
      {isOn.value ? "Notifying" : "Notify me"}
    </button>
  );
}

function readSetting(): boolean {
  try {
    return localStorage.getItem(setting) === "on";
  } catch {
    return false;
  }
}
