/** The socket of the service. It drops clients that are slow or send too much. */
import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Service } from "../../approve/index.ts";

/** LIMIT: for all headers. */
const headersMs = 10_000;
const keepAliveMs = 65_000;
const checkEveryMs = 500;
const headerBytes = 16 * 1024;
const connections = 2_000;
/** The time for responses in progress when the service stops. */
const lastAnswersMs = 5_000;

export async function listen(
  { fetch }: Pick<Service, "fetch">,
  host: string,
  port: number,
  requestMs: number,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env),
    serverOptions: {
      headersTimeout: Math.min(headersMs, requestMs),
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: checkEveryMs,
      maxHeaderSize: headerBytes,
    },
  });
  // SAFETY: without another `createServer` it is one of `node:http`.
  const http = server as Server;
  http.maxConnections = connections;
  await new Promise<void>((resolve, reject) => {
    http.once("error", reject);
    http.listen(port, host, () => {
      http.off("error", reject);
      resolve();
    });
  });
  const address = http.address();
  const found = typeof address === "object" && address !== null ? address.port : port;
  const close = () =>
    new Promise<void>((resolve) => {
      // A connection whose last answer is out is of no more use, and is not closed by itself.
      const timer = setInterval(() => http.closeIdleConnections(), 20);
      const late = setTimeout(() => http.closeAllConnections(), lastAnswersMs);
      http.close(() => {
        clearInterval(timer);
        clearTimeout(late);
        resolve();
      });
    });
  return { port: found, close };
}
