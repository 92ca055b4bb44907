/** The door of the room, for the command line. Each SDK has an entry of its own. */
export { foreclaim } from "./claude.ts";
