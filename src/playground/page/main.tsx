/** Starts the playground. */
import { render } from "preact";
import { App } from "./app.tsx";
import { isolate } from "./isolation.ts";
import { readAddress, start } from "./state.ts";

// A browser that allows no service worker still proves without the solver.
isolate().catch(() => undefined);
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
addEventListener("hashchange", () => void readAddress());
void start();
