/** SHA-256 (FIPS 180-4) without waiting: the browser's own answers only later, and the prover asks in the middle of its work. */

/** Parts of the cube roots of the first 64 primes, and of the square roots of the first eight. */
const rounds = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const start = Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime)));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The first 32 bits after the point; a double has enough of them for roots below 18. */
function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

const block = 64;

export class Sha256 {
  readonly #state = start.slice();
  readonly #words = new Uint32Array(64);
  readonly #rest = new Uint8Array(block);
  #held = 0;
  #length = 0;

  update(text: string): this {
    const bytes = new TextEncoder().encode(text);
    this.#length += bytes.length;
    this.#add(bytes);
    return this;
  }

  /** Ends it: nothing may be added afterwards. */
  digest(): string {
    const bits = this.#length * 8;
    const padding = new Uint8Array(paddingFor(this.#held));
    padding[0] = 0x80;
    const view = new DataView(padding.buffer);
    view.setUint32(padding.length - 8, Math.floor(bits / 2 ** 32));
    view.setUint32(padding.length - 4, bits >>> 0);
    this.#add(padding);
    return Array.from(this.#state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  #add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + block - this.#held);
      this.#rest.set(part, this.#held);
      this.#held += part.length;
      at += part.length;
      if (this.#held === block) {
        this.#compress();
        this.#held = 0;
      }
    }
  }

  #compress(): void {
    const words = this.#words;
    const view = new DataView(this.#rest.buffer);
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(4 * i);
    for (let i = 16; i < 64; i++) {
      const early = words[i - 15] ?? 0;
      const late = words[i - 2] ?? 0;
      const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[i] = (words[i - 16] ?? 0) + s0 + (words[i - 7] ?? 0) + s1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.#state;
    for (let i = 0; i < 64; i++) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const choice = (e & f) ^ (~e & g);
      const first = (h + s1 + choice + (rounds[i] ?? 0) + (words[i] ?? 0)) >>> 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = (d + first) >>> 0;
      d = c;
      c = b;
      b = a;
      a = (first + s0 + majority) >>> 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      this.#state[i] = (this.#state[i] ?? 0) + word;
    });
  }
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** One byte for the mark, eight for the length, and as many zeros as fill the block. */
function paddingFor(held: number): number {
  const least = held + 9;
  return Math.ceil(least / block) * block - held;
}
