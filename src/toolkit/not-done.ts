/** By this name a run knows that nothing has happened. */
export class NotDone extends Error {
  override readonly name = "NotDone";
}
