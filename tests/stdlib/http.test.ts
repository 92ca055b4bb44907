/** Attacks on `foreclaim/std/http` with real servers on this machine: each is refused. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { client, isPublic } from "../../src/stdlib/http.ts";

let server: Server;
let host = "";
let seen: string[] = [];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  seen = [];
  answer = (_request, response) => response.end("fine");
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // SAFETY: a server that listens on a port has an address with one.
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const own = (more = {}) => client({ hosts: [], privateHosts: [host], ...more });
const refusedWith = (code: string) => ({ name: "Refused", code });

it("gets an answer, follows a redirect on the same host, and sends with an allowed method", async () => {
  answer = (request, response) => {
    if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
    else response.end(`${request.method} ${request.url}`);
  };
  expect(await own().request({ url: `http://${host}/a` })).toEqual({ status: 200, body: "GET /a" });
  expect(await own().request({ url: `http://${host}/old` })).toEqual({ status: 200, body: "GET /new" });
  expect(
    await own({ methods: ["POST"] }).request({ url: `http://${host}/b`, method: "POST", body: "x" }),
  ).toEqual({ status: 200, body: "POST /b" });
});

describe("addresses", () => {
  const addresses = [
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "198.18.0.1",
    "192.0.2.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2001:db8::1",
    "2001::1",
    "ff02::1",
    "3fff::1",
    "not an address",
  ];
  it.each(addresses)("takes %s for private", (address) => {
    expect(isPublic(address)).toBe(false);
  });
  it.each(["8.8.8.8", "93.184.216.34", "172.32.0.1", "2606:4700:4700::1111", "2a00:1450:4001::200e"])(
    "takes %s for public",
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  it.each(addresses)("connects to nothing if a name has the address %s", async (address) => {
    const web = client({ hosts: ["api.example.com"], lookup: async () => ["93.184.216.34", address] });
    await expect(web.request({ url: "https://api.example.com/" })).rejects.toMatchObject(
      refusedWith("private-address"),
    );
  });

  it("connects to the address that was checked, not to the next one (rebinding)", async () => {
    let asked = 0;
    const port = host.split(":")[1];
    const web = client({
      hosts: [],
      privateHosts: [`rebinding.example:${port}`],
      lookup: async () => (asked++ === 0 ? ["127.0.0.1"] : ["127.0.0.9"]),
    });
    expect((await web.request({ url: `http://rebinding.example:${port}/` })).body).toBe("fine");
    expect(asked).toBe(1);
    const second = client({
      hosts: ["rebinding.example"],
      lookup: async () => (asked++ % 2 === 0 ? ["10.0.0.1"] : ["93.184.216.34"]),
    });
    const results = await Promise.allSettled([second.request({ url: "https://rebinding.example/" })]);
    expect(results[0]?.status).toBe("rejected");
  });
});

describe("what is asked", () => {
  const urls: readonly (readonly [string, string])[] = [
    ["https://other.example/", "host"],
    ["https://api.example.com.evil.example/", "host"],
    ["https://api.example.com@evil.example/", "host|credentials"],
    ["https://user:pass@api.example.com/", "credentials"],
    ["https://api.example.com:8443/", "host"],
    ["http://api.example.com/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["gopher://api.example.com/", "scheme"],
    ["https://api.example.com\\@evil.example/", "bad-url"],
    ["https://api.example.com/\r\nHost: evil", "bad-url"],
    ["https://api.example.com/ x", "bad-url"],
    ["https://аpi.example.com/", "bad-url"],
    [`https://api.example.com/${"x".repeat(3000)}`, "bad-url"],
    ["https://2852039166/", "host"],
    ["https://[::1]/", "host"],
    ["", "bad-url"],
  ];
  it.each(urls)("refuses %s", async (url, codes) => {
    const web = client({ hosts: ["api.example.com"], lookup: async () => ["93.184.216.34"] });
    const error: unknown = await web.request({ url }).catch((thrown: unknown) => thrown);
    expect(codes.split("|")).toContain(error instanceof Error && "code" in error ? error.code : error);
  });

  it("refuses methods, bodies and headers that are not allowed", async () => {
    const url = `http://${host}/`;
    await expect(own().request({ url, method: "POST", body: "x" })).rejects.toMatchObject(
      refusedWith("method"),
    );
    await expect(own().request({ url, method: "GET\r\nX: y" })).rejects.toMatchObject(refusedWith("method"));
    await expect(own().request({ url, body: "x" })).rejects.toMatchObject(refusedWith("method"));
    const posting = own({ methods: ["POST"], maxBodyBytes: 10 });
    await expect(posting.request({ url, method: "POST", body: "x".repeat(11) })).rejects.toMatchObject(
      refusedWith("too-large"),
    );
    expect((await posting.request({ url, method: "POST", body: "x".repeat(10) })).status).toBe(200);
    const headers = [
      ["X-A", "b\r\nHost: evil"],
      ["X-A\r\nHost", "evil"],
      ["Host", "evil"],
      ["Transfer-Encoding", "chunked"],
      ["Metadata-Flavor", "Google"],
      ["X-A", "\u0000"],
      ["X-A", "x".repeat(1025)],
    ];
    for (const [name = "", value = ""] of headers) {
      await expect(own().request({ url, headers: [{ name, value }] })).rejects.toMatchObject(
        refusedWith("header"),
      );
    }
    const many = Array.from({ length: 21 }, (_, at) => ({ name: `X-${at}`, value: "" }));
    await expect(own().request({ url, headers: many })).rejects.toMatchObject(refusedWith("header"));
    expect(seen).toEqual(["POST /"]);
  });
});

describe("redirects", () => {
  const to = (location: string) => {
    answer = (_request, response) => response.writeHead(302, { location }).end();
  };

  it.each([
    ["http://169.254.169.254/latest/meta-data/", "host"],
    ["https://evil.example/", "host"],
    ["file:///etc/passwd", "scheme"],
    ["http://user:pass@127.0.0.1/", "credentials"],
    ["//evil.example/x", "host"],
  ])("refuses one to %s", async (location, code) => {
    to(location);
    await expect(own().request({ url: `http://${host}/` })).rejects.toMatchObject(refusedWith(code));
    expect(seen).toHaveLength(1);
  });

  it("refuses one to an allowed name with a private address", async () => {
    to("https://api.example.com/");
    const web = own({ hosts: ["api.example.com"], lookup: async () => ["169.254.169.254"] });
    await expect(web.request({ url: `http://${host}/` })).rejects.toMatchObject(
      refusedWith("private-address"),
    );
  });

  it("ends a loop, keeps headers from other hosts, and sends a body once", async () => {
    to("/again");
    await expect(own().request({ url: `http://${host}/` })).rejects.toMatchObject(refusedWith("redirect"));
    expect(seen).toHaveLength(4);
    to("https://api.example.com/");
    const web = own({ hosts: ["api.example.com"], methods: ["POST"], lookup: async () => ["93.184.216.34"] });
    await expect(
      web.request({ url: `http://${host}/`, headers: [{ name: "Authorization", value: "x" }] }),
    ).rejects.toMatchObject(refusedWith("redirect"));
    expect((await web.request({ url: `http://${host}/`, method: "POST", body: "x" })).status).toBe(302);
  });
});

describe("answers", () => {
  it("holds at and beyond the limit of bytes, said or not", async () => {
    answer = (request, response) => response.end("x".repeat(Number(request.url?.slice(1))));
    const web = own({ maxBytes: 1000 });
    expect((await web.request({ url: `http://${host}/1000` })).body).toHaveLength(1000);
    await expect(web.request({ url: `http://${host}/1001` })).rejects.toMatchObject(refusedWith("too-large"));
  });

  it("stops an endless answer of a gigabyte early", async () => {
    let sent = 0;
    answer = (_request, response) => {
      const chunk = Buffer.alloc(65_536);
      const more = () => {
        while (!response.destroyed && sent < 1024 ** 3) {
          sent += chunk.length;
          if (!response.write(chunk)) {
            response.once("drain", more);
            return;
          }
        }
      };
      more();
    };
    await expect(own({ maxBytes: 200_000 }).request({ url: `http://${host}/` })).rejects.toMatchObject(
      refusedWith("too-large"),
    );
    expect(sent).toBeLessThan(64 * 1024 ** 2);
  });

  it("does not wait for a server that drips or is silent", async () => {
    answer = (request, response) => {
      if (request.url === "/silent") return;
      const timer = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(timer));
    };
    const web = own({ timeoutMs: 150 });
    await expect(web.request({ url: `http://${host}/drip` })).rejects.toMatchObject(refusedWith("too-slow"));
    await expect(web.request({ url: `http://${host}/silent` })).rejects.toMatchObject(
      refusedWith("too-slow"),
    );
  });

  it("takes an answer that was cut off for none", async () => {
    answer = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("part");
      setImmediate(() => response.destroy());
    };
    await expect(own().request({ url: `http://${host}/` })).rejects.toThrow();
  });
});
