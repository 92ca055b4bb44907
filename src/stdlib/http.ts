/**
 * `foreclaim/std/http`: requests to named hosts. The address that a name resolves to is checked and then connected to, so that
 * a second answer of the name server changes nothing; every redirect is checked like the first request. Answers have a
 * limit in bytes and in time, however slowly they come.
 */

import { lookup as resolveName } from "node:dns/promises";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { refused } from "./refused.ts";

export { Refused } from "./refused.ts";

export interface ClientOptions {
  /** Hosts that may be asked, as `api.example.com` or `api.example.com:8443`. */
  readonly hosts: readonly string[];
  /** Methods besides `GET` and `HEAD` (default none). */
  readonly methods?: readonly string[];
  /** Bytes of an answer (default 1 MiB). */
  readonly maxBytes?: number;
  /** Bytes of a request's body (default 64 KiB). */
  readonly maxBodyBytes?: number;
  /** Milliseconds for a request with all its redirects (default 10,000). */
  readonly timeoutMs?: number;
  /** Redirects that are followed (default 3). */
  readonly maxRedirects?: number;
  /** Allows `http:` and private addresses for these hosts: servers of one's own. */
  readonly privateHosts?: readonly string[];
  /** Resolves a name; tests replace it. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
}

export interface HttpRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly body?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

export interface Client {
  readonly request: (request: HttpRequest) => Promise<HttpAnswer>;
}

const MIB = 1024 * 1024;
const MAX_URL = 2048;
const MAX_HEADERS = 20;
const MAX_HEADER = 1024;

/** A client for tools. */
export function client(options: ClientOptions): Client {
  const limits = {
    maxBytes: options.maxBytes ?? MIB,
    maxBodyBytes: options.maxBodyBytes ?? 64 * 1024,
    timeoutMs: options.timeoutMs ?? 10_000,
    maxRedirects: options.maxRedirects ?? 3,
  };
  const methods = new Set(["GET", "HEAD", ...(options.methods ?? [])]);
  const hosts = new Set(options.hosts.map((host) => host.toLowerCase()));
  const own = new Set((options.privateHosts ?? []).map((host) => host.toLowerCase()));
  const lookup = options.lookup ?? addressesOf;

  /** The address to connect to, after every check that needs no connection. */
  async function checked(text: string): Promise<{ readonly url: URL; readonly address: string }> {
    const url = urlOf(text);
    const host = url.host.toLowerCase();
    if (!hosts.has(host) && !own.has(host))
      return refused("host", `\`${host}\` is not among the hosts of this tool`);
    const isOwn = own.has(host);
    if (url.protocol !== "https:" && !isOwn) return refused("scheme", "only https is allowed");
    const name = url.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(name) === 0 ? await lookup(name) : [name];
    const [address] = addresses;
    if (address === undefined) return refused("name", `\`${name}\` has no address`);
    // One private address among public ones is enough to refuse: the next connection might take it.
    if (!isOwn && !addresses.every(isPublic))
      return refused("private-address", `\`${name}\` has a private address`);
    return { url, address };
  }

  return {
    request: async ({ url, method = "GET", headers = [], body }) => {
      if (!methods.has(method))
        return refused("method", `\`${method}\` is not among the methods of this tool`);
      checkHeaders(headers);
      if (body !== undefined && Buffer.byteLength(body) > limits.maxBodyBytes)
        return refused("too-large", "the body is too large");
      if (body !== undefined && (method === "GET" || method === "HEAD"))
        return refused("method", `\`${method}\` has no body`);
      const signal = AbortSignal.timeout(limits.timeoutMs);
      let next = url;
      for (let hop = 0; hop <= limits.maxRedirects; hop += 1) {
        const target = await checked(next);
        const answer = await send(
          target.url,
          target.address,
          { method, headers, body },
          limits.maxBytes,
          signal,
        );
        if (answer.location === undefined) return { status: answer.status, body: answer.body };
        // A body is sent once, to the host that was named.
        if (method !== "GET" && method !== "HEAD") return { status: answer.status, body: answer.body };
        const moved = resolveUrl(answer.location, target.url);
        if (moved.origin !== target.url.origin && headers.length > 0)
          return refused("redirect", "headers would go to another host");
        next = moved.href;
      }
      return refused("redirect", `more than ${limits.maxRedirects} redirects`);
    },
  };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  const found = await resolveName(host, { all: true, verbatim: true }).catch(() =>
    refused("name", `\`${host}\` has no address`),
  );
  return found.map(({ address }) => address);
}

function urlOf(text: string): URL {
  if (typeof text !== "string" || text.length > MAX_URL) return refused("bad-url", "the address is too long");
  // The parser of URLs drops or mends these; two readers would then see two addresses.
  if (/[^\x21-\x7e]|\\/.test(text))
    return refused("bad-url", "the address holds spaces, control characters or letters outside ASCII");
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refused("bad-url", "this is no address");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return refused("scheme", `\`${url.protocol}\` is not allowed`);
  if (url.username !== "" || url.password !== "")
    return refused("credentials", "an address with credentials");
  if (url.hash !== "") url.hash = "";
  return url;
}

function resolveUrl(location: string, from: URL): URL {
  if (location.length > MAX_URL) return refused("redirect", "the address of a redirect is too long");
  try {
    return new URL(location, from);
  } catch {
    return refused("redirect", "a redirect to no address");
  }
}

const OWN_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "x-forwarded-for",
  "x-forwarded-host",
  "metadata",
  "metadata-flavor",
]);

function checkHeaders(headers: NonNullable<HttpRequest["headers"]>): void {
  if (headers.length > MAX_HEADERS) refused("header", "too many headers");
  for (const { name, value } of headers) {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(name) || OWN_HEADERS.has(name.toLowerCase()))
      refused("header", `the header \`${name.slice(0, 64)}\` is not allowed`);
    if (value.length > MAX_HEADER || !/^[\x20-\x7e]*$/.test(value))
      refused("header", `the value of \`${name}\` is too long or holds line ends`);
  }
}

/** Networks that are not the public internet (RFC 6890 and successors). */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const) {
  privateNetworks.addSubnet(network, prefix, "ipv4");
}

/** True of an address of the public internet. */
export function isPublic(address: string): boolean {
  const kind = isIP(address);
  if (kind === 4) return !privateNetworks.check(address, "ipv4");
  if (kind !== 6) return false;
  // Only global unicast; in it, networks that carry or translate IPv4 lead anywhere.
  const groups = groupsOf(address);
  const [first = 0, second = 0] = groups;
  if (first < 0x2000 || first > 0x3fff) return false;
  if (first === 0x2002) return false;
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return first !== 0x3fff;
}

/** The eight groups of an IPv6 address without a zone. */
function groupsOf(address: string): readonly number[] {
  if (address.includes(".") || address.includes("%")) return [];
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array.from({ length: zeros }, () => "0"), ...right].map((group) =>
    Number.parseInt(group, 16),
  );
}

interface Sent {
  readonly status: number;
  readonly body: string;
  readonly location: string | undefined;
}

/** One request to one address, whatever the name resolves to by now. */
function send(
  url: URL,
  address: string,
  {
    method,
    headers,
    body,
  }: {
    readonly method: string;
    readonly headers: NonNullable<HttpRequest["headers"]>;
    readonly body: string | undefined;
  },
  maxBytes: number,
  signal: AbortSignal,
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    const options = {
      method,
      agent: false as const,
      signal,
      headers: {
        accept: "*/*",
        "accept-encoding": "identity",
        ...given,
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
      },
      maxHeaderSize: 16_384,
      // The checked address, and no other, is connected to.
      lookup: pinned(address),
    };
    const made: ClientRequest =
      url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
    const stop = (error: unknown) => {
      made.destroy();
      reject(error);
    };
    made.on("error", (error) => stop(signal.aborted ? timedOut() : error));
    made.on("upgrade", (_answer, socket) => {
      socket.destroy();
      stop(failure("protocol", "the server wants another protocol"));
    });
    made.on("response", (answer: IncomingMessage) => {
      const chunks: Buffer[] = [];
      let length = 0;
      if (Number(answer.headers["content-length"] ?? 0) > maxBytes) {
        stop(failure("too-large", `the answer has more than ${maxBytes} bytes`));
        return;
      }
      answer.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBytes) stop(failure("too-large", `the answer has more than ${maxBytes} bytes`));
        else chunks.push(chunk);
      });
      answer.on("error", (error) => stop(signal.aborted ? timedOut() : error));
      answer.on("aborted", () =>
        stop(signal.aborted ? timedOut() : failure("cut-off", "the answer was cut off")),
      );
      answer.on("end", () => {
        const status = answer.statusCode ?? 0;
        const redirects =
          status >= 301 && status <= 308 && status !== 304 && status !== 305 && status !== 306;
        resolve({
          status,
          body: Buffer.concat(chunks, length).toString("utf8"),
          location: redirects ? answer.headers.location : undefined,
        });
      });
    });
    made.end(body);
  });
}

/** A resolver with one answer. */
function pinned(address: string): LookupFunction {
  const family = isIP(address);
  return (_host, { all }, done) => {
    if (all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}

function failure(code: string, message: string): unknown {
  try {
    return refused(code, message);
  } catch (error) {
    return error;
  }
}

function timedOut(): unknown {
  return failure("too-slow", "the answer took too long");
}
