/** Starts the page. */
import { render } from "preact";
import { App } from "./app.tsx";
import { signIn } from "./data/api.ts";
import { takeToken } from "./data/route.ts";
import { loadSession, session, trouble } from "./data/state.ts";

const root = document.getElementById("app");
const token = takeToken();
if (root !== null) render(<App />, root);

if (token === null) void loadSession();
else void enter(token);

// Somebody who has the page open may follow the address that signs in.
addEventListener("hashchange", () => {
  const another = takeToken();
  if (another !== null) void enter(another);
});

async function enter(credential: string): Promise<void> {
  const answer = await signIn(credential);
  if (answer.ok) {
    session.value = answer.value;
    return;
  }
  // A token that was used up does not end a session that is there.
  await loadSession();
  if (session.value === null) trouble.value = answer.refusal;
}
