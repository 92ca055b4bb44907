/** Operations: promises about changes to services, and what must come before and after them. */
import { automaton, contract, fluent, type Int, labelled, tool } from "foreclaim";

const log: string[] = [];

/** The state of a service: untouched, changed and not checked since, or checked. */
export const state = fluent<string, "untouched" | "changed" | "checked">({ initial: "untouched" });

/** True if a service was touched. */
export const touched = fluent<string, boolean>({ initial: false });

/** Returns true if a service is healthy. */
export const health = tool({
  reads: true,
  labels: ["safe"],
  run: async ({ service }: { service: string }): Promise<boolean> => service !== "",
});

/** The services of a team. */
export const services = tool({
  reads: true,
  labels: ["safe"],
  ensures: (found) => found.length <= 30,
  run: async ({ team }: { team: string }): Promise<string[]> => [`${team}-web`],
});

/** Opens a ticket for a change to a service. */
export const ticket = tool({
  run: async ({ service, text }: { service: string; text: string }): Promise<void> => {
    log.push(`${service}: ${text}`);
  },
});

/** Notes how a service is now, so that it can be put back. */
export const snapshot = tool({
  run: async ({ service }: { service: string }): Promise<void> => {
    log.push(`noted ${service}`);
  },
});

/** Puts a version of a service in place, at an hour of the day; fails if it is not that hour. */
export const deploy = tool({
  labels: ["change"],
  requires: ({ hour }) => hour >= 0 && hour <= 23,
  effects: ({ service }) => [state.set(service, "changed"), touched.set(service, true)],
  run: async ({ service, version }: { service: string; version: string; hour: Int }): Promise<void> => {
    log.push(`${service} ${version}`);
  },
});

/** Starts a service again. */
export const restart = tool({
  labels: ["change"],
  effects: ({ service }) => [state.set(service, "changed"), touched.set(service, true)],
  run: async ({ service }: { service: string }): Promise<void> => {
    log.push(`restarted ${service}`);
  },
});

/** Waits until a service is in order; fails if it does not get there. */
export const settle = tool({
  effects: ({ service }) => [state.set(service, "checked")],
  run: async ({ service }: { service: string }): Promise<void> => {
    log.push(`${service} is well`);
  },
});

/** Puts a service back to how it was noted. */
export const rollback = tool({
  effects: ({ service }) => [state.set(service, "untouched")],
  run: async ({ service }: { service: string }): Promise<void> => {
    log.push(`${service} is back`);
  },
});

/** Gives a version to a few users, or to all others. */
export const roll = tool({
  labels: ["change"],
  run: async ({
    version,
    to,
  }: {
    service: string;
    version: string;
    to: "canary" | "rest";
  }): Promise<void> => {
    log.push(`${version} for ${to}`);
  },
});

/** Hands the matter over to a person. */
export const escalate = tool({
  run: async ({ to, why }: { to: string; why: string }): Promise<void> => {
    log.push(`${to}: ${why}`);
  },
});

/** Nothing is changed. */
export const readOnly = contract(() => labelled("change").none());

/** Nothing is changed once a person has taken over. */
export const handsOff = contract(() => labelled("change").neverAfter(escalate));

/** Every change of a service has a ticket for that service, opened before. */
export const ticketFirst = contract(() =>
  ticket.precedes(labelled<{ service: string }>("change"), (t, c) => t.service === c.service),
);

/** Deployments are between these hours, the last not included. */
export const between = contract((from: number, to: number) =>
  deploy.all((d) => d.hour >= from && d.hour < to),
);

/** These services are not changed. */
export const frozen = contract((names: string[]) =>
  labelled<{ service: string }>("change").none((c) => names.includes(c.service)),
);

/** Before a service is deployed it was noted how to put it back. */
export const canGoBack = contract(() => snapshot.precedes(deploy, (s, d) => s.service === d.service));

/** Every service is at the end as it was, or found in order. */
export const nothingHalfDone = contract(() => state.final.none((one) => one.value === "changed"));

/** No more than so many services are touched, each as often as it takes. */
export const touchesAtMost = contract((n: number) => touched.final.count((one) => one.value) <= n);

/** A few users get a version first, and all others only when it was found in order there. */
export const canaryFirst = contract(() =>
  automaton({
    states: ["start", "canary", "well", "bad"],
    start: "start",
    on: [
      { from: ["start", "well"], call: roll.where((r) => r.to === "canary"), to: "canary" },
      { from: "canary", call: settle, to: "well" },
      { from: ["start", "canary"], call: roll.where((r) => r.to === "rest"), to: "bad" },
    ],
    error: "bad",
  }),
);

/** After each change a service is found in order before the next. */
export const oneAtATime = contract(() =>
  automaton({
    states: ["calm", "changed", "bad"],
    start: "calm",
    on: [
      { from: "calm", call: labelled("change"), to: "changed" },
      { from: "changed", call: settle, to: "calm" },
      { from: "changed", call: labelled("change"), to: "bad" },
    ],
    error: "bad",
  }),
);

/** Nothing but tools that are marked as safe is called, and `ticket`. */
export const onlySafe = contract(
  () => labelled("change").none() && snapshot.none() && settle.none() && rollback.none() && escalate.none(),
);
