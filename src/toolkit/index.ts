/** The door of the room. Tool modules load what is behind it when they run, so it stays small. */
export { onRunEnd } from "./connection.ts";
export { NotDone } from "./not-done.ts";
export type { Person, QuestionPlace } from "./person.ts";
