/**
 * Modules that look for others beside themselves, or load what is only known when they run. They stay where the
 * compiler put them, and this file, which Node loads itself, is where they are asked for.
 */
import { join } from "node:path";

export const solverPort = () => import("../prove/decide/solver/port.ts");
export const z3Solver = () => import("../prove/decide/solver/z3-wasm.ts");
export const otherSolver = () => import("../prove/decide/solver/native.ts");
export const toolLoader = () => import("../run/load-tools.ts");

/** Returns the folder of the certificate checker, whose length `check` reports. */
export const checkerFolder = (): string => join(import.meta.dirname, "../certificate");
