/** Server-sent events: what changes elsewhere is read again. */
import type { RequestEvent } from "../../approve/wire.ts";
import { route } from "./route.ts";
import { heard, isLive, loadList, loadRequest, now } from "./state.ts";

const retryMs = 3_000;

let source: EventSource | undefined;

export function listen(): void {
  source?.close();
  source = new EventSource("/api/events");
  source.addEventListener("open", () => {
    isLive.value = true;
    // Whatever happened while nobody listened.
    void loadList();
    const { value } = route;
    if (value.kind === "request") void loadRequest(value.id);
  });
  source.addEventListener("error", () => {
    isLive.value = false;
    // The browser tries again by itself, unless it was refused.
    if (source?.readyState === EventSource.CLOSED) setTimeout(listen, retryMs);
  });
  source.addEventListener("request", ({ data }) => {
    // SAFETY: the service is ours, and its events are of the type that both sides share.
    void heard(JSON.parse(String(data)) as RequestEvent);
  });
}

export function stopListening(): void {
  source?.close();
  source = undefined;
  isLive.value = false;
}

setInterval(() => {
  now.value = Date.now();
}, 1_000);
