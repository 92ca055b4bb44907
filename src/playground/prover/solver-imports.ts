/** The solver that the playground has, in the place of `app/unbundled-imports.ts`. */
export const solverPort = () => import("../../prove/decide/solver/port.ts");
export const z3Solver = () => import("../../prove/decide/solver/z3-wasm.ts");

export const otherSolver = (): never => absent("an installed solver");
export const toolLoader = (): never => absent("a tool");
export const checkerFolder = (): never => absent("the certificate checker");

function absent(what: string): never {
  throw new TypeError(`${what} is not loaded in a browser`);
}
