/**
 * Isolation from other origins, without which browsers give no shared memory, which the solver needs. A server says so
 * with two headers; where it does not, a service worker adds them.
 */
export const canSolve = crossOriginIsolated;

const tried = "foreclaim.isolated";

/** Isolates the page if its server does not, and loads it again. Once: where it does not help, it is left alone. */
export async function isolate(): Promise<void> {
  if (crossOriginIsolated || !("serviceWorker" in navigator) || sessionStorage.getItem(tried) === "yes")
    return;
  sessionStorage.setItem(tried, "yes");
  await navigator.serviceWorker.register(new URL("headers.js", location.href));
  await navigator.serviceWorker.ready;
  location.reload();
}
