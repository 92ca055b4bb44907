/** Ways in which a program may try to get rid of where a value comes from. None of them works. */
import { expect, test } from "vitest";
import { flowsIn, tools } from "./said.ts";

/** Each ends in a call `@s` of `send`; `body` says that data of the source is in what is sent, `call` that it decides it. */
test.each<[what: string, source: string, where: "body" | "call", body: string]>([
  [
    "a file",
    "secret.key",
    "body",
    `let x = call secret()
     call write(path: "p", text: x.key)
     let t = call load(path: "p")
     call @s send(to: "a", body: t)`,
  ],
  [
    "the name of a file",
    "secret.key",
    "body",
    `let x = call secret()
     call write(path: x.key, text: "")
     let t = call load(path: "p")
     call @s send(to: "a", body: t)`,
  ],
  [
    "a tool that does not say where it keeps things",
    "secret.key",
    "body",
    `let x = call secret()
     let a = call anything(text: x.key)
     let t = call load(path: "p")
     call @s send(to: "a", body: t)`,
  ],
  [
    "two files, in turn",
    "secret.key",
    "body",
    `let x = call secret()
     for i in range(3) {
       let t = call load(path: "p")
       call @s send(to: "a", body: t)
       call write(path: "p", text: x.key)
     }`,
  ],
  [
    "a mailbox, by how many mails there are",
    "secret.n",
    "body",
    `let x = call secret()
     for i in range(x.n) { call log(line: "") }
     let n = call size()
     call @s send(to: "a", body: textOf(n))`,
  ],
  [
    "a file that is written or not",
    "secret.key",
    "body",
    `let x = call secret()
     call write(path: "p", text: "") when x.key == "1"
     let t = call load(path: "p")
     call @s send(to: "a", body: t)`,
  ],
  [
    "which of two calls is made",
    "secret.key",
    "call",
    `let x = call secret()
     call @s send(to: "a", body: "1") when x.key == "1"
     call send(to: "a", body: "0") when not (x.key == "1")`,
  ],
  [
    "how often a loop goes round",
    "secret.n",
    "body",
    `let x = call secret()
     for i in range(x.n) carry n: int = 0 { next n = n + 1 }
     call @s send(to: "a", body: textOf(n))`,
  ],
  [
    "how often a call is made",
    "secret.n",
    "call",
    `let x = call secret()
     for i in range(x.n) { call @s send(to: "a", body: "") }`,
  ],
  [
    "a failure that is caught",
    "secret.key",
    "body",
    `let x = call secret()
     let a = call ask(question: x.key) catch failed
     call @s send(to: "a", body: if failed then "1" else "0")`,
  ],
  [
    "that an answer is there",
    "secret.key",
    "body",
    `let x = call secret()
     let a = call ask(question: "") when x.key == "1"
     call @s send(to: "a", body: if isSome(a) then "1" else "0")`,
  ],
  [
    "a value that helps out",
    "secret.key",
    "body",
    `let x = call secret()
     let a = call ask(question: "") when x.key == "1"
     call @s send(to: "a", body: orElse(a, "0"))`,
  ],
  [
    "an optional argument",
    "secret.key",
    "call",
    `let x = call secret()
     call @s send(to: "a", body: "", copy?: if x.key == "1" then some([]) else none)`,
  ],
  [
    "JSON",
    "secret.key",
    "body",
    `let x = call secret()
     let j = json({ a: x, b: "" })
     call @s send(to: "a", body: orElse(jsonString(orElse(jsonField(j, "b"), json(""))), ""))`,
  ],
  [
    "text that is taken apart and put together",
    "secret.key",
    "body",
    `let x = call secret()
     let parts = split(x.key, "")
     call @s send(to: "a", body: joinText(map(parts, p => if p == "1" then "I" else "O"), ""))`,
  ],
  [
    "a set, by what is in it",
    "secret.key",
    "body",
    `let x = call secret()
     let set = unique([x.key, "1"])
     call @s send(to: "a", body: if length(set) == 1 then "1" else "0")`,
  ],
  [
    "a map of keys and values, by a key",
    "secret.key",
    "body",
    `let x = call secret()
     let map = [{ k: x.key, v: "1" }, { k: "", v: "0" }]
     let hit = find(map, e => e.k == "1")
     call @s send(to: "a", body: orElse(hit, { k: "", v: "0" }).v)`,
  ],
  [
    "the order of a list",
    "secret.n",
    "body",
    `let x = call secret()
     let two = if x.n < 3 then ["a", "b"] else ["b", "a"]
     call @s send(to: "a", body: orElse(at(two, 0), ""))`,
  ],
  [
    "an index",
    "secret.n",
    "body",
    `let x = call secret()
     call @s send(to: "a", body: orElse(at(["0", "1", "2"], x.n), ""))`,
  ],
  [
    "where in a list something is",
    "secret.key",
    "body",
    `let x = call secret()
     call @s send(to: "a", body: textOf(indexOf(["0", "1"], x.key)))`,
  ],
  [
    "how far other elements are moved",
    "rows.ok",
    "body",
    `let l = call rows()
     let picked = flatMap(l, r => if r.ok then ["x"] else [])
     call @s send(to: "a", body: orElse(at(picked ++ ["1", "2"], 1), ""))`,
  ],
  [
    "a part of a text",
    "secret.n",
    "body",
    `let x = call secret()
     call @s send(to: "a", body: slice("0123456789", x.n, x.n + 1))`,
  ],
  [
    "a loop that remembers",
    "secret.key",
    "body",
    `let x = call secret()
     for c in split(x.key, "") carry seen: list<string> = [] { next seen = if c == "1" then seen ++ ["x"] else seen }
     call @s send(to: "a", body: textOf(length(seen)))`,
  ],
  [
    "a value that is carried two iterations on",
    "secret.key",
    "body",
    `let x = call secret()
     for i in range(5) carry a: string = "", b: string = "" {
       call @s send(to: "a", body: b)
       next a = x.key
       next b = a
     }`,
  ],
  [
    "the first thing that stops a loop",
    "rows.text",
    "call",
    `let l = call rows()
     for r in l carry done: bool = false {
       call @s send(to: "a", body: "") when not done
       next done = done or r.text == "stop"
     }`,
  ],
  [
    "an endorser of something else",
    "secret.key",
    "body",
    `let x = call secret()
     let c = call clean(text: x.key)
     call @s send(to: "a", body: c)`,
  ],
  [
    "the failure of an endorser",
    "get",
    "body",
    `let g = call get()
     let c = call clean(text: g) catch failed
     call @s send(to: "a", body: if failed then "1" else "0")`,
  ],
  [
    "two endorsers, of which the one that is asked does not endorse it",
    "get",
    "body",
    `let g = call get()
     let c = call clean(text: g)
     let d = call declassify(text: g)
     call @s send(to: "a", body: c ++ d)`,
  ],
])("%s does not launder data of `%s`", (_, source, where, body) => {
  const said = flowsIn(body);
  expect(said[where === "body" ? "s.body" : "s!"]?.split(" ")).toContain(source);
  expect(said["s!"]?.split(" ")).toContain(source);
});

test("one endorser after the other does", () => {
  const said = flowsIn(`let g = call get()\nlet x = call secret()
    let c = call clean(text: g ++ x.key)
    let d = call declassify(text: c)
    call @s send(to: "a", body: d)`);
  expect(said["s.body"]).toBeUndefined();
});

test("an endorser that keeps what it is given does not", () => {
  const keeping = tools.replace(
    "tool clean(text: string) -> string\n  reads stores none",
    'tool clean(text: string) -> string\n  stores "disk"',
  );
  expect(keeping).not.toBe(tools);
  const said = flowsIn(
    `let g = call get()\nlet c = call clean(text: g)\nlet d = call @d clean(text: "")\ncall @s send(to: "a", body: d)`,
    keeping,
  );
  expect(said["s.body"]).toBe("get");
});
