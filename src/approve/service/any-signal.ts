/** When one of several signals, or a time, ends something. Leaves nothing behind on signals that live long. */

/** Gives a way to listen no more. Told at once if one has happened already. */
export function onAny(signals: readonly AbortSignal[], listener: () => void): () => void {
  const leave = (): void => {
    for (const signal of signals) signal.removeEventListener("abort", hear);
  };
  const hear = (): void => {
    leave();
    listener();
  };
  for (const signal of signals) signal.addEventListener("abort", hear);
  if (signals.some(({ aborted }) => aborted)) hear();
  return leave;
}
