/** Ledgers: where a kernel keeps its entries. An engine is loaded when a ledger of its kind is opened. */
export { type OpenOptions, openLedger } from "./open.ts";
export { InDoubt, type Ledger, LedgerUnavailable } from "./port.ts";
