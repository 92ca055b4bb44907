import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestOf, emptyTrie, entriesOf, get, remove, set, type Trie } from "./trie.ts";

const text = (key: string, value: number) => JSON.stringify([key, value]);
const build = (pairs: Iterable<readonly [string, number]>) => {
  let trie: Trie<number> = emptyTrie();
  for (const [key, value] of pairs) trie = set(trie, key, value);
  return trie;
};

describe("the persistent map", () => {
  const writes = fc.array(
    fc.tuple(fc.string({ maxLength: 3 }), fc.option(fc.nat({ max: 9 }), { nil: undefined })),
    { maxLength: 60 },
  );

  test("holds what a map holds, and its digest depends on that alone", () => {
    fc.assert(
      fc.property(writes, (all) => {
        const map = new Map<string, number>();
        let trie: Trie<number> = emptyTrie();
        for (const [key, value] of all) {
          const before = digestOf(trie, text);
          const next: Trie<number> = value === undefined ? remove(trie, key) : set(trie, key, value);
          expect(digestOf(trie, text)).toBe(before);
          trie = next;
          if (value === undefined) map.delete(key);
          else map.set(key, value);
        }
        expect(trie.size).toBe(map.size);
        expect(new Map(entriesOf(trie))).toEqual(map);
        for (const [key] of all) expect(get(trie, key)).toBe(map.get(key));
        // The other way round, and without whatever was deleted: the same map, so the same digest.
        expect(digestOf(trie, text)).toBe(digestOf(build([...map].reverse()), text));
      }),
    );
  });

  test("different maps have different digests", () => {
    const pairs = fc.uniqueArray(fc.tuple(fc.string({ maxLength: 2 }), fc.nat({ max: 2 })), {
      selector: ([key]) => key,
      maxLength: 4,
    });
    fc.assert(
      fc.property(pairs, pairs, (a, b) => {
        const same = JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
        expect(digestOf(build(a), text) === digestOf(build(b), text)).toBe(same);
      }),
      { numRuns: 2_000 },
    );
  });

  test("keys that collide in the cheap bits are kept apart, at a bounded depth", () => {
    const keys = colliding(40);
    const trie = build(keys.map((key, i) => [key, i]));
    keys.forEach((key, i) => expect(get(trie, key)).toBe(i));
    const fewer = keys.slice(1).reduce((rest, key) => remove(rest, key), trie);
    expect(digestOf(fewer, text)).toBe(digestOf(build([[keys[0]!, 0]]), text));
  });
});

/** Keys that have the cheap hash of the first: found by looking, which takes a moment for a few bits only. */
function colliding(count: number): string[] {
  // All that differ behind equal states of FNV would collide; a birthday search over short keys finds some pairs.
  const byHash = new Map<number, string[]>();
  for (let i = 0; i < 300_000; i++) {
    const key = `${Math.imul(i, 0x9e3779b1).toString(36)}-${i}`;
    const hash = cheapHash(key);
    byHash.set(hash, [...(byHash.get(hash) ?? []), key]);
  }
  const pairs = [...byHash.values()].filter((keys) => keys.length > 1).flat();
  expect(pairs.length).toBeGreaterThan(1);
  return pairs.slice(0, count);
}

/** As in the map itself, which does not give it away. */
function cheapHash(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
