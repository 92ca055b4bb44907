/** The world in which ledgers and stores are opened by their addresses; tests put it in the place of the real ones. */
import type { Database } from "../../src/approve/requests/sql.ts";
import type { Ledger } from "../../src/ledger/port.ts";
import { type Engine, SimulatedLedger } from "./engine.ts";
import { SimulatedStore, type StoreServer } from "./store.ts";

export interface Servers {
  readonly engine: Engine;
  readonly store: StoreServer;
}

let place: Servers | undefined;

export function setServers(servers: Servers | undefined): void {
  place = servers;
}

async function openSimulatedLedger(): Promise<Ledger> {
  const { engine } = servers();
  return new SimulatedLedger(engine, processOf(engine.world));
}

async function openSimulatedStore(): Promise<Database> {
  const { store } = servers();
  return new SimulatedStore(store, processOf(store.world));
}

function servers(): Servers {
  if (place === undefined) throw new TypeError("there is no world");
  return place;
}

function processOf({ process }: Engine["world"]): NonNullable<Engine["world"]["process"]> {
  if (process === undefined) throw new TypeError("no process asks");
  return process;
}

/** These in the place of the modules that open the real ones. */
export const ledgersHere = { openLedger: openSimulatedLedger };
export const storesHere = { openStore: openSimulatedStore, storeFile: () => undefined };
