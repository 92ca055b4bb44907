/** Combines several abort signals, and removes its listeners from long-lived signals. */

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
