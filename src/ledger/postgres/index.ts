/** The door to PostgreSQL, beside the room's own: it loads the driver. */
export { type Address, readAddress } from "./address.ts";
export { Connections } from "./connections.ts";
export { isAgain, isLost } from "./errors.ts";
