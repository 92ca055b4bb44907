/** Foreclaim proves what an agent's program will do before any of it runs, and holds it to that while it runs. */

export * from "./frontend/surface/index.ts";
export * as ir from "./ir.ts";
export * from "./library.ts";
