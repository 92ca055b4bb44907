/**
 * A persistent map from strings, with a digest of all that it holds. Writing copies one path and leaves the old map
 * as it was; a digest is computed when asked for and kept in the node, so that a step pays for what it touched.
 *
 * INVARIANT: the shape depends on the keys alone, not on the order of writes, so equal maps have equal digests.
 * A place is found by 32 cheap bits of the key, four at a time, and beyond them by the SHA-256 of the key: an attacker who
 * chooses keys that collide in the cheap bits makes a path longer by eight nodes and no more.
 * Part of what must be trusted.
 */
import { sha256 } from "./digest.ts";

export interface Trie<T> {
  readonly root: Node<T> | undefined;
  readonly size: number;
}

interface Leaf<T> {
  readonly kind: "leaf";
  readonly hash: number;
  readonly key: string;
  readonly value: T;
  digest: string | undefined;
}

interface Branch<T> {
  readonly kind: "branch";
  /** Bit i is set if there is a child for i; children are in that order. */
  readonly bitmap: number;
  readonly children: readonly Node<T>[];
  digest: string | undefined;
}

type Node<T> = Leaf<T> | Branch<T>;

const empty: Trie<never> = Object.freeze({ root: undefined, size: 0 });

export function emptyTrie<T>(): Trie<T> {
  return empty;
}

export function get<T>(trie: Trie<T>, key: string): T | undefined {
  const hash = cheapHash(key);
  let node = trie.root;
  for (let depth = 0; node !== undefined; depth++) {
    if (node.kind === "leaf") return node.hash === hash && node.key === key ? node.value : undefined;
    const bit = 1 << slot(hash, key, depth);
    if ((node.bitmap & bit) === 0) return undefined;
    node = node.children[countBits(node.bitmap & (bit - 1))];
  }
  return undefined;
}

export function set<T>(trie: Trie<T>, key: string, value: T): Trie<T> {
  const leaf: Leaf<T> = { kind: "leaf", hash: cheapHash(key), key, value, digest: undefined };
  if (trie.root === undefined) return { root: leaf, size: 1 };
  const grown = { by: 0 };
  const root = insert(trie.root, leaf, 0, grown);
  return { root, size: trie.size + grown.by };
}

export function remove<T>(trie: Trie<T>, key: string): Trie<T> {
  if (get(trie, key) === undefined || trie.root === undefined) return trie;
  return { root: without(trie.root, key, cheapHash(key), 0), size: trie.size - 1 };
}

/** In an order that depends on the keys alone. */
export function* entriesOf<T>(trie: Trie<T>): Generator<readonly [string, T]> {
  if (trie.root !== undefined) yield* entriesBelow(trie.root);
}

/** Equal if and only if the maps are equal, as far as `textOf` tells values apart and SHA-256 has no collision. */
export function digestOf<T>(trie: Trie<T>, textOf: (key: string, value: T) => string): string {
  return trie.root === undefined ? sha256("empty") : digestBelow(trie.root, textOf);
}

function insert<T>(node: Node<T>, leaf: Leaf<T>, depth: number, grown: { by: number }): Node<T> {
  if (node.kind === "leaf") {
    if (node.key === leaf.key) return leaf;
    grown.by = 1;
    return fork(node, leaf, depth);
  }
  const bit = 1 << slot(leaf.hash, leaf.key, depth);
  const at = countBits(node.bitmap & (bit - 1));
  const children = node.children.slice();
  const child = children[at];
  if ((node.bitmap & bit) === 0 || child === undefined) {
    grown.by = 1;
    children.splice(at, 0, leaf);
    return branch(node.bitmap | bit, children);
  }
  children[at] = insert(child, leaf, depth + 1, grown);
  return branch(node.bitmap, children);
}

/** The least branch that tells two different keys apart. */
function fork<T>(a: Leaf<T>, b: Leaf<T>, depth: number): Branch<T> {
  const [left, right] = [slot(a.hash, a.key, depth), slot(b.hash, b.key, depth)];
  if (left === right) return branch(1 << left, [fork(a, b, depth + 1)]);
  return branch((1 << left) | (1 << right), left < right ? [a, b] : [b, a]);
}

/** The key must be there. A branch with one leaf left becomes that leaf, as if the other had never been. */
function without<T>(node: Node<T>, key: string, hash: number, depth: number): Node<T> | undefined {
  if (node.kind === "leaf") return undefined;
  const bit = 1 << slot(hash, key, depth);
  const at = countBits(node.bitmap & (bit - 1));
  const children = node.children.slice();
  const child = children[at];
  if (child === undefined) throw new TypeError("a key that is not in the trie");
  const rest = without(child, key, hash, depth + 1);
  if (rest === undefined) children.splice(at, 1);
  else children[at] = rest;
  const [only] = children;
  if (children.length === 1 && only?.kind === "leaf") return only;
  return branch(rest === undefined ? node.bitmap & ~bit : node.bitmap, children);
}

function branch<T>(bitmap: number, children: readonly Node<T>[]): Branch<T> {
  return { kind: "branch", bitmap, children, digest: undefined };
}

function* entriesBelow<T>(node: Node<T>): Generator<readonly [string, T]> {
  if (node.kind === "leaf") yield [node.key, node.value];
  else for (const child of node.children) yield* entriesBelow(child);
}

/** The words `leaf` and `branch` keep the two kinds of text apart. */
function digestBelow<T>(node: Node<T>, textOf: (key: string, value: T) => string): string {
  if (node.digest !== undefined) return node.digest;
  if (node.kind === "leaf") {
    node.digest = sha256(`leaf ${textOf(node.key, node.value)}`);
  } else {
    let text = `branch ${node.bitmap}`;
    for (const child of node.children) text += ` ${digestBelow(child, textOf)}`;
    node.digest = sha256(text);
  }
  return node.digest;
}

const cheapNibbles = 8;

function slot(hash: number, key: string, depth: number): number {
  if (depth < cheapNibbles) return (hash >>> (4 * depth)) & 15;
  return Number.parseInt(sha256(key).charAt(depth - cheapNibbles), 16);
}

/** FNV-1a over code units, with the bits mixed again. */
function cheapHash(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x5555);
  rest = (rest & 0x3333) + ((rest >>> 2) & 0x3333);
  rest = (rest + (rest >>> 4)) & 0x0f0f;
  return (rest + (rest >>> 8)) & 0x1f;
}
