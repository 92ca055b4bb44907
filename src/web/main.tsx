/** Starts the page. */
import { render } from "preact";
import { App } from "./app.tsx";
import { signIn } from "./data/api.ts";
import { takeToken } from "./data/route.ts";
import { loadSession, session, trouble } from "./data/state.ts";

const token = takeToken();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);

if (token === null) void loadSession();
else
  void signIn(token).then((answer) => {
    session.value = answer.ok ? answer.value : null;
    if (!answer.ok) trouble.value = answer.refusal;
  });
