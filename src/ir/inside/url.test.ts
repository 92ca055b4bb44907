/** Containment in an origin, by hand, against Node's `URL`, and against the solver's forms. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { expectFormsToAgree } from "../../../tests/support/inside-forms.ts";
import { naiveOperators } from "../../../tests/support/naive-operators.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import { urlForms, urlInside } from "./url.ts";

const api = "https://api.example.com";

describe("inside", () => {
  it.each([
    [api, api],
    [`${api}/`, api],
    [`${api}/v1/x`, api],
    ["HTTPS://API.Example.COM/v1", api],
    [`${api}:443/v1`, api],
    [api, `${api}:443`],
    [`${api}?q=1`, api],
    [`${api}#top`, api],
    [`${api}/a?b=c/../d#e?f`, api],
    [`${api}/a?x[]=%20`, api],
    [`${api}/../x`, api],
    [`${api}//x`, api],
    [`${api}/%41`, api],
    [`${api}/a@b:c`, api],
    [`${api}/v1`, `${api}/v1`],
    [`${api}/v1/`, `${api}/v1`],
    [`${api}/v1`, `${api}/v1/`],
    [`${api}/v1/users/7`, `${api}/v1`],
    [`${api}/v1/a/../b`, `${api}/v1`],
    [`${api}/v1/a/%2e%2E/b`, `${api}/v1`],
    [`${api}/./v1/b`, `${api}/v1`],
    [`${api}/x/../v1/b`, `${api}/v1`],
    [`${api}/v1//b`, `${api}/v1`],
    [`${api}/v1/...`, `${api}/v1`],
    ["http://127.0.0.1:8080/x", "http://127.0.0.1:8080"],
    ["http://localhost/x", "http://localhost"],
    ["ftp://files.example.com/x", "ftp://files.example.com:21"],
    ["wss://a.b/x", "wss://a.b"],
  ])("%j in %j", (url, origin) => {
    expect(urlInside(url, origin)).toBe(true);
  });

  it.each([
    ["http://api.example.com", api],
    [`${api}:8443/`, api],
    [`${api}.evil.com/`, api],
    [`${api}evil`, api],
    ["https://evil.com/https://api.example.com", api],
    ["https://evil.com?https://api.example.com", api],
    ["https://evil.com#@api.example.com", api],
    ["https://evil.com\\@api.example.com", api],
    ["https://api.example.com@evil.com/", api],
    ["https://api.example.com:443@evil.com/", api],
    ["https://user@api.example.com/", api],
    ["https://user:pw@api.example.com/", api],
    ["https://@api.example.com/", api],
    ["https:api.example.com", api],
    ["https:/api.example.com", api],
    ["https:///api.example.com", api],
    ["https:\\\\api.example.com", api],
    ["//api.example.com", api],
    ["api.example.com", api],
    ["/v1", api],
    ["", api],
    [` ${api}`, api],
    [`${api} `, api],
    [`${api}\n`, api],
    ["https://api.exa\tmple.com", api],
    ["ht\ntps://api.example.com", api],
    ["https://api.example.com./", api],
    ["https://api..example.com/", api],
    ["https://%61pi.example.com/", api],
    ["https://\uff41pi.example.com/", api],
    ["https://api.example.com\u3002evil.com/", api],
    [`${api}:/x`, api],
    [`${api}:0443/x`, api],
    [`${api}:99999/x`, api],
    [`${api}:65979/x`, api],
    [`${api}/a b`, api],
    [`${api}/a\\b`, api],
    [`${api}/\0`, api],
    [`${api}/%`, api],
    [`${api}/%2`, api],
    [`${api}/%2fx`, api],
    [`${api}/%5Cx`, api],
    [`${api}/%00`, api],
    [`${api}/é`, api],
    [`${api}/x?q=\n`, api],
    [`${api}/x?q= `, api],
    [`${api}/x#a#b`, api],
    ["javascript:alert(1)", api],
    ["file:///etc/passwd", "file:///etc"],
    ["data://a/b", "data://a"],
    [`${api}/v10`, `${api}/v1`],
    [`${api}/v1x/y`, `${api}/v1`],
    [api, `${api}/v1`],
    [`${api}/V1`, `${api}/v1`],
    [`${api}//v1`, `${api}/v1`],
    [`${api}/v1/..`, `${api}/v1`],
    [`${api}/v1/../admin`, `${api}/v1`],
    [`${api}/v1/%2e%2e/admin`, `${api}/v1`],
    [`${api}/v1/.%2E/admin`, `${api}/v1`],
    [`${api}/v1/a/../../admin`, `${api}/v1`],
    [`${api}/v1/..%2fadmin`, `${api}/v1`],
    [`${api}/%76%31/x`, `${api}/v1`],
    [`${api}?/v1`, `${api}/v1`],
    [`${api}/v1`, `${api}/v1?x`],
    [`${api}/v1`, `${api}/v1#x`],
    [`${api}/v1`, `${api}?`],
    [`${api}/v1`, "api.example.com"],
    [`${api}/v1//x`, `${api}/v1//`],
    [`${api}//v1`, `${api}//v1`],
    [`${api}/v1`, ""],
    [`${api}/v1`, "https://"],
    ["http://0x7f.1/", "http://127.0.0.1"],
    ["http://127.1/", "http://127.0.0.1"],
    ["http://2130706433/", "http://127.0.0.1"],
    ["http://0177.0.0.1/", "http://127.0.0.1"],
    ["http://127.0.0.1/", "http://0177.0.0.1"],
    ["http://a.0x1/", "http://a.0x1"],
    ["http://1.2.3.4.5/", "http://1.2.3.4.5"],
    ["http://256.0.0.1/", "http://256.0.0.1"],
    ["http://[::1]/", "http://[::1]"],
    ["http://xn--a/", "http://xn--a"],
    [`http://${"a".repeat(64)}/`, `http://${"a".repeat(64)}`],
  ])("%j not in %j", (url, origin) => {
    expect(urlInside(url, origin)).toBe(false);
  });
});

const part = fc.constantFrom(
  "/",
  "/",
  "/",
  "//",
  ".",
  "..",
  "..",
  "%2e",
  "%2E",
  "a",
  "b",
  "v1",
  "v1",
  "%",
  "%2f",
  "%41",
  "\\",
  "@",
  ":",
  "?",
  "#",
  "\t",
  "\n",
  " ",
  "é",
  "\0",
  "[",
  "|",
  "-",
  "~",
);
const mild = fc.constantFrom("/", "/", "/v1", "/a", "/..", "/.", "%2e", "b", "?", "-");
const rest = fc
  .oneof(fc.array(part, { maxLength: 8 }), fc.array(mild, { maxLength: 6 }))
  .map((parts) => parts.join(""));
const start = fc.constantFrom(
  "https://api.example.com",
  "https://api.example.com/v1",
  "HTTPS://API.example.com:443/",
  "https://api.example.com:8443",
  "http://127.0.0.1/",
  "http://0x7f.1/",
  "https://user@api.example.com",
  "https:/api.example.com",
  "https:\\\\api.example.com/",
  "ws://a.b",
  "https://",
  "http://1.2.3.256/",
  "https://a--b.c",
  "https://a_b.c",
);
const anyUrl = fc.tuple(start, rest).map(([before, after]) => before + after);
const anyOrigin = fc.oneof(
  fc.constantFrom(
    api,
    `${api}/`,
    `${api}/v1`,
    `${api}/v1/`,
    `${api}/a/%2e%2e/v1`,
    `${api}:8443/a`,
    `${api}/v1/a`,
    `${api}/v1//`,
    "http://127.0.0.1",
    "ws://A.B/v1",
    "https://a--b.c",
    "https://a_b.c",
  ),
  anyUrl,
);

const unresolved = /\/\.{1,2}(?:\/|$)/;

test("where it says inside, a parser of the web says so too", () => {
  let inside = 0;
  fc.assert(
    fc.property(anyUrl, anyOrigin, (url, origin) => {
      if (!urlInside(url, origin)) return;
      inside++;
      const [inner, outer] = [new URL(url), new URL(origin)];
      // Node 20's parser leaves `/v1/.a/..` as it is, against the standard, and then says nothing of where that leads.
      if ([inner, outer].some(({ pathname }) => unresolved.test(pathname))) return;
      expect([inner.origin, inner.username, inner.password]).toEqual([outer.origin, "", ""]);
      const prefix = outer.pathname.replace(/\/$/, "");
      expect([url, origin, inner.pathname === prefix || inner.pathname.startsWith(`${prefix}/`)]).toEqual([
        url,
        origin,
        true,
      ]);
    }),
    { numRuns: runs(20_000) },
  );
  expect(inside).toBeGreaterThan(atLeast(20_000) / 100);
});

test("any host that is taken is the one that a parser of the web takes", () => {
  const label = fc.oneof(
    fc.constantFrom(
      "0",
      "1",
      "07",
      "255",
      "256",
      "0x",
      "0x1f",
      "1e3",
      "a",
      "A-b",
      "a--b",
      "xn--a",
      "-",
      "a-",
      "4294967295",
    ),
    fc.string({ unit: fc.constantFrom(..."aZ09-x"), maxLength: 6 }),
  );
  let taken = 0;
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 5 }), (labels) => {
      const url = `http://${labels.join(".")}/`;
      if (!urlInside(url, url)) return;
      taken++;
      expect(new URL(url).href).toBe(url.toLowerCase());
    }),
    { numRuns: runs(5_000) },
  );
  expect(taken).toBeGreaterThan(atLeast(5_000) / 10);
});

test("the forms for solvers say the same, or leave it open", () => {
  expectFormsToAgree({ isInside: urlInside, forms: urlForms, anyText: anyUrl, anyOuter: anyOrigin });
});

test("a second reading of its meaning says the same", () => {
  fc.assert(
    fc.property(anyUrl, anyOrigin, (inner, outer) => {
      const found = urlInside(inner, outer);
      expect([inner, outer, found]).toEqual([inner, outer, naiveOperators.urlInside?.(inner, outer)]);
    }),
    { numRuns: runs(10_000) },
  );
});
