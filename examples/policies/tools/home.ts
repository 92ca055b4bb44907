/** A home: promises about the state in which it is left. */
import { contract, fluent, tool } from "foreclaim";

const log: string[] = [];

/** True if a door is locked. */
export const locked = fluent<string, boolean>({ initial: true });

/** True if the light of a room is on. */
export const lit = fluent<string, boolean>({ initial: false });

/** Unlocks a door. */
export const unlock = tool({
  effects: ({ door }) => [locked.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => {
    log.push(`unlocked ${door}`);
  },
});

/** Locks a door. */
export const lock = tool({
  effects: ({ door }) => [locked.set(door, true)],
  run: async ({ door }: { door: string }): Promise<void> => {
    log.push(`locked ${door}`);
  },
});

/** Turns a light on or off. */
export const light = tool({
  effects: ({ room, on }) => [lit.set(room, on)],
  run: async ({ room, on }: { room: string; on: boolean }): Promise<void> => {
    log.push(`${room} ${on ? "on" : "off"}`);
  },
});

/** Returns true if somebody is at a door. */
export const visitor = tool({
  reads: true,
  run: async ({ door }: { door: string }): Promise<boolean> => door === "front",
});

/** Every door is locked at the end. */
export const allLocked = contract(() => locked.final.all((door) => door.value));

/** These doors stay locked all the time. */
export const neverUnlocked = contract((doors: string[]) =>
  locked.always.all((door) => door.value || !doors.includes(door.key)),
);

/** No light is on at the end. */
export const lightsOff = contract(() => lit.final.none((room) => room.value));
