/** A home: doors, heating and an alarm in memory, and promises about how the house is left. */
import { contract, coverage, fluent, type Int, tool, unknown } from "foreclaim";

export type Room = "kitchen" | "bedroom" | "bath";

const house = {
  locked: new Map<string, boolean>(),
  degrees: new Map<Room, number>(),
  lights: new Set<Room>(),
};

/** True if a door is locked. Before the run all are. */
export const doorLocked = fluent<string, boolean>({ initial: true });

/** The temperature that the heating of a room is set to, in degrees; unknown before the run. */
export const heating = fluent<Room, number>({ initial: unknown });

/** The number of times that this run switched a light on. */
export const switched = fluent<Room, Int>({ initial: 0 });

/** True if the alarm is on; the key says for whom. */
export const armed = fluent<"house", boolean>({ initial: true });

/** Unlocks a door, which the alarm does not like. */
export const unlock = tool({
  requires: ({ door }) => door.length > 0 && !armed.get("house"),
  effects: ({ door }) => [doorLocked.set(door, false)],
  run: async ({ door }: { door: string }): Promise<void> => {
    house.locked.set(door, false);
  },
  undo: async ({ door }) => {
    house.locked.set(door, true);
  },
});

/** Locks a door. */
export const lock = tool({
  idempotent: true,
  effects: ({ door }) => [doorLocked.set(door, true)],
  run: async ({ door }: { door: string }): Promise<void> => {
    house.locked.set(door, true);
  },
});

/** Turns the alarm on or off. */
export const arm = tool({
  idempotent: true,
  effects: ({ on }) => [armed.set("house", on)],
  run: async ({ on }: { on: boolean }): Promise<void> => {
    console.log(on ? "the alarm is on" : "the alarm is off");
  },
});

/** Sets the heating of a room; above 25 degrees only up to 25. */
export const heat = tool({
  requires: ({ degrees }) => degrees >= 5,
  effects: ({ room, degrees }) => [heating.set(room, degrees > 25 ? 25 : degrees)],
  run: async ({ room, degrees }: { room: Room; degrees: number }): Promise<void> => {
    house.degrees.set(room, Math.min(degrees, 25));
  },
});

/** Sets the heating of a room lower by some degrees, if it is warm enough for that. */
export const lower = tool({
  requires: ({ by }) => by >= 0,
  effects: ({ room, by }) => [
    ...(heating.get(room) - by >= 5 ? [heating.set(room, heating.get(room) - by)] : []),
  ],
  run: async ({ room, by }: { room: Room; by: number }): Promise<void> => {
    house.degrees.set(room, (house.degrees.get(room) ?? 20) - by);
  },
});

/** Switches a light. */
export const light = tool({
  effects: ({ room, on }) => [...(on ? [switched.set(room, switched.get(room) + 1)] : [])],
  run: async ({ room, on }: { room: Room; on: boolean }): Promise<void> => {
    if (on) house.lights.add(room);
    else house.lights.delete(room);
  },
});

/** Lets the courier put a parcel behind an open door. */
export const takeParcel = tool({
  requires: ({ door }) => !doorLocked.get(door),
  run: async ({ door }: { door: string }): Promise<{ from: string; fragile: boolean }> => ({
    from: `courier at ${door}`,
    fragile: false,
  }),
});

/** Returns true if somebody is at home. */
export const someoneHome = tool({ reads: true, run: async (): Promise<boolean> => false });

/** The temperature of a room. */
export const temperature = tool({
  reads: true,
  ensures: (degrees) => degrees > -40 && degrees < 60,
  run: async ({ room }: { room: Room }): Promise<number> => house.degrees.get(room) ?? 20,
});

/** The doors that stand open. */
export const openDoors = tool({
  reads: true,
  ensures: (doors) => doors.length <= 10,
  run: async (): Promise<string[]> => [...house.locked].filter(([, locked]) => !locked).map(([door]) => door),
});

/** Every door is locked when the program ends. */
export const allDoorsLockedAtEnd = contract(() => doorLocked.final.all((d) => d.value));

/** This door is locked when the program ends. */
export const doorLockedAtEnd = contract((door: string) => doorLocked.final.get(door));

/** At no time is any other door open than these. */
export const onlyOpens = contract((doors: string[]) =>
  doorLocked.always.all((d) => d.value || doors.includes(d.key)),
);

/** No more doors than this are open at the end. */
export const openAtEndAtMost = contract((n: number) => doorLocked.final.count((d) => !d.value) <= n);

/** The alarm is on at the end. */
export const armedAtEnd = contract(() => armed.final.get("house"));

/** At the end, the alarm is on only if every door is locked. */
export const alarmFits = contract(() => (armedAtEnd() ? allDoorsLockedAtEnd() : true));

/** The room is heated to between these temperatures at the end. */
export const heatedBetween = contract(
  (room: Room, low: number, high: number) =>
    heating.final.get(room) >= low && heating.final.get(room) <= high,
);

/** The heating of this room is at the end what it was before. */
export const heatingUntouched = contract(
  (room: Room) => heating.final.get(room) === heating.initial.get(room),
);

/** No light goes on more often than this. */
export const calmLights = contract((n: number) => switched.final.all((l) => l.value <= n));

/** Every door that is unlocked is locked again afterwards. */
export const locksWhatItUnlocks = contract(() => unlock.count() <= lock.count() && doorsAreLockedAgain());

/** Doors that were unlocked in this run are locked at its end. */
export const doorsAreLockedAgain = contract(() => unlock.all((u) => doorLocked.final.get(u.door)));

/** A parcel is taken only through a door that was unlocked before. */
export const parcelsThroughOwnDoor = contract(() => unlock.precedes(takeParcel, (u, p) => u.door === p.door));

export const policy = coverage({
  whenUsed: [unlock],
  recommended: [onlyOpens],
  required: [alarmFits],
  label: "home",
});
