/** The worlds that the programs run in: whoever runs one decides here what its tools do. */

/** Carries out a call of a tool, by its full name. */
export type World = (tool: string, args: unknown) => Promise<unknown>;

let world: World = async (tool) => {
  throw new Error(`no world was set that \`${tool}\` could be called in`);
};

export function setWorld(next: World): void {
  world = next;
}

/** Calls a tool of the current world, which gives values of the declared type. */
export async function mock<Result>(tool: string, args: unknown): Promise<Result> {
  // SAFETY: the world gives a value of the type that the tool module declares; a run checks it.
  return (await world(tool, args)) as Result;
}
