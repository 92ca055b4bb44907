/** Precision of the analysis on small programs: one that suspects everything helps nobody. */
import { expect, test } from "vitest";
import { flowsIn } from "./said.ts";

type Said = Record<string, string>;

const send = (to: string, body: string, rest = "") => `call @s send(to: ${to}, body: ${body})${rest}`;

test.each<[what: string, body: string, said: Said]>([
  ["a constant carries nothing", `let g = call @g get()\n${send('"a"', '"b"')}`, {}],
  [
    "arguments are apart",
    `let g = call @g get()\n${send("name", "g")}`,
    { "s.to": "name", "s.body": "get", "s!": "get name" },
  ],
  [
    "fields are apart",
    `let x = call @x secret()\n${send("x.id", '"b"')}`,
    { "s.to": "secret secret.id", "s!": "secret secret.id" },
  ],
  [
    "fields are apart in records that are built",
    `let x = call @x secret()\nlet r = { a: x.key, b: x.id, c: name }\n${send("r.b", "r.c")}`,
    { "s.to": "secret secret.id", "s.body": "name", "s!": "secret secret.id name" },
  ],
  [
    "fields are apart through options",
    `let x = call @x secret() when name == "a"\n${send("value(x).id", '"b"')}`,
    { "s.to": "secret secret.id name", "s!": "secret secret.id name", "x!": "name" },
  ],
  [
    "what is computed from both carries both",
    `let g = call @g get()\n${send('"a"', "g ++ name")}`,
    { "s.body": "get name", "s!": "get name" },
  ],
  [
    "a condition that chooses a value is in it",
    `let g = call @g get()\n${send('"a"', 'if g == "x" then "1" else "2"')}`,
    { "s.body": "get", "s!": "get" },
  ],
  [
    "a guard is not in the arguments",
    `let g = call @g get()\n${send('"a"', "name", ' when g == "x"')}`,
    { "s.body": "name", "s!": "get name" },
  ],
  [
    "the elements of a list are apart from how many there are",
    `let l = call @l rows()\n${send('"a"', "textOf(length(l))")}`,
    { "s.body": "rows", "s!": "rows" },
  ],
  [
    "a loop's list decides how often, its elements what",
    `let l = call @l rows()\nfor r in l { ${send("r.who", '"b"')} }`,
    { "s.to": "rows rows.who", "s!": "rows rows.who" },
  ],
  [
    "a constant in a loop is influenced and carries nothing",
    `let l = call @l rows()\nfor r in l { ${send('"a"', '"b"')} }`,
    { "s!": "rows" },
  ],
  [
    "the position in a loop carries nothing",
    `let l = call @l rows()\nfor r, i in l { ${send('"a"', "textOf(i)")} }`,
    { "s!": "rows" },
  ],
  [
    "a map keeps positions",
    `let l = call @l rows()\nfor t in map(l, r => r.text) { ${send('"a"', "t")} }`,
    { "s.body": "rows rows.text", "s!": "rows rows.text" },
  ],
  [
    "a filter moves positions by what it asks",
    `let l = call @l rows()\nfor r in filter(l, r => r.ok) { ${send("r.who", '"b"')} }`,
    { "s.to": "rows rows.who rows.ok", "s!": "rows rows.who rows.ok" },
  ],
  [
    "find carries what it asks and what it finds",
    `let l = call @l rows()\n${send('orElse(find(l, r => r.n > most), { who: "", text: "", n: 0, ok: true }).who', '"b"')}`,
    { "s.to": "rows rows.who rows.n most", "s!": "rows rows.who rows.n most" },
  ],
  [
    "an element at a position carries the position",
    `let l = call @l rows()\n${send('orElse(at(map(l, r => r.who), most), "")', '"b"')}`,
    { "s.to": "rows rows.who most", "s!": "rows rows.who most" },
  ],
  ["range carries how far it goes", `for i in range(most) { ${send('"a"', "textOf(i)")} }`, { "s!": "most" }],
  [
    "a fold carries what it folds and how much of it",
    `let l = call @l rows()\n${send('"a"', "textOf(fold(l, 0, (a: int, r) => a + r.n))")}`,
    { "s.body": "rows rows.n", "s!": "rows rows.n" },
  ],
  [
    "a carried value in an iteration does not depend on how many follow",
    `let l = call @l rows()
     for r in l carry last: string = name { ${send('"a"', "last")} next last = "x" }`,
    { "s.body": "name", "s!": "rows name" },
  ],
  [
    "a carried value in the end does",
    `let l = call @l rows()
     for r in l carry last: string = name { next last = "x" }
     ${send('"a"', "last")}`,
    { "s.body": "rows name", "s!": "rows name" },
  ],
  [
    "two carried values are apart",
    `let l = call @l rows()
     for r in l carry a: string = "", b: string = "" {
       ${send("a", "b")}
       next a = a ++ r.who
       next b = b ++ r.text
     }`,
    {
      "s.to": "rows rows.who",
      "s.body": "rows rows.text",
      "s!": "rows rows.who rows.text",
    },
  ],
  [
    "an answer carries what was asked",
    `let x = call @x secret()\nlet a = call @a ask(question: x.key)\n${send('"a"', "a")}`,
    {
      "a.question": "secret secret.key",
      "a!": "secret secret.key",
      "s.body": "secret secret.key",
      "s!": "secret secret.key",
    },
  ],
  [
    "a tool that keeps nothing tells nothing later",
    `let x = call @x secret()
     let a = call @a ask(question: x.key)
     let b = call @b ask(question: "?")
     ${send('"a"', "b")}`,
    { "a.question": "secret secret.key", "a!": "secret secret.key" },
  ],
  [
    "stores are apart",
    `let x = call @x secret()
     call @w write(path: "p", text: x.key)
     let n = call @n size()
     ${send('"a"', "textOf(n)")}`,
    { "w.text": "secret secret.key", "w!": "secret secret.key" },
  ],
  [
    "what was kept before a secret was is no secret",
    `let t = call @t load(path: "p")
     let x = call @x secret()
     call @w write(path: "p", text: x.key)
     ${send('"a"', "t")}`,
    { "w.text": "secret secret.key", "w!": "secret secret.key" },
  ],
  [
    "an endorsed source is gone, and others stay",
    `let g = call @g get()\nlet x = call @x secret()
     let c = call @c clean(text: g ++ x.id)\n${send('"a"', "c")}`,
    {
      "c.text": "get secret secret.id",
      "c!": "get secret secret.id",
      "s.body": "secret secret.id",
      "s!": "secret secret.id",
    },
  ],
  [
    "an endorser does not endorse what decides whether it is asked",
    `let g = call @g get()\nlet c = call @c clean(text: g) when g == "x"\n${send('"a"', 'orElse(c, "")')}`,
    { "c.text": "get", "c!": "get", "s.body": "get", "s!": "get" },
  ],
])("%s", (_, body, said) => {
  const found = flowsIn(body);
  expect(found).toEqual(said);
});
