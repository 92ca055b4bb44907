/** Error codes of sessions and their calls; a closed set. Conditions of tools have the codes FC15xx, as in runs. */
export const sessionCodes = {
  FC4601: "session cannot be opened like this",
  FC4602: "call is not as its tool declares",
  FC4603: "standing guarantee would be broken",
  FC4604: "policy does not pass the call",
} as const;

export type SessionCode = keyof typeof sessionCodes;
