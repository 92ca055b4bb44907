/** Webhooks as an operator writes them, and the times between attempts. */
import { describe, expect, test } from "vitest";
import { serviceLimits } from "./limits.ts";
import { readWebhooks } from "./read-webhooks.ts";
import { backoffMs } from "./webhooks.ts";

const secret = () => "0123456789abcdef\n";
const read = (...webhooks: unknown[]) => readWebhooks(JSON.stringify({ webhooks }), secret);
const good = { name: "a", url: "https://hooks.example/x" };

test("have an address, a form, events and a secret", () => {
  const whole = { ...good, format: "slack", events: ["pending", "decided"], secretFile: "s" };
  expect(read(whole)).toEqual({
    webhooks: [
      {
        name: "a",
        url: good.url,
        format: "slack",
        events: ["pending", "decided"],
        secret: "0123456789abcdef",
      },
    ],
  });
  expect(read(good)).toMatchObject({ webhooks: [{ format: "json", events: ["pending"] }] });
});

describe("are refused", () => {
  test.each([
    ["an address without TLS", { ...good, url: "http://hooks.example/x" }],
    ["a name that only begins like this machine", { ...good, url: "http://localhost.example/x" }],
    ["a password in the address", { ...good, url: "https://u:p@hooks.example/" }],
    ["another protocol", { ...good, url: "file:///etc/passwd" }],
    ["no address", { name: "a" }],
    ["another form", { ...good, format: "xml" }],
    ["another event", { ...good, events: ["pending", "filed"] }],
    ["no event", { ...good, events: [] }],
    ["another field", { ...good, secret: "x" }],
    ["a name with spaces", { ...good, name: "a b" }],
    ["no object", "x"],
  ])("%s", (_, one) => {
    expect(read(one)).toHaveProperty("problem");
  });

  test("two of a name, too many, a short secret, and what is no list", () => {
    expect(read(good, good)).toHaveProperty("problem");
    const many = Array.from({ length: serviceLimits.webhooks + 1 }, (_, i) => ({ ...good, name: `a${i}` }));
    expect(read(...many)).toHaveProperty("problem");
    expect(read(...many.slice(1))).toHaveProperty("webhooks");
    const short = JSON.stringify({ webhooks: [{ ...good, secretFile: "s" }] });
    expect(readWebhooks(short, () => "too short")).toHaveProperty("problem");
    for (const text of ["[]", "{}", "{", '{"webhooks":{}}', '{"webhooks":[],"more":1}'])
      expect(readWebhooks(text)).toHaveProperty("problem");
  });
});

test("attempts are further and further apart, up to a bound", () => {
  const times = Array.from({ length: 12 }, (_, i) => backoffMs(i + 1));
  expect(times.slice(0, 3)).toEqual([500, 1_000, 2_000]);
  expect(times.at(-1)).toBe(serviceLimits.webhookBackoffMostMs);
});
