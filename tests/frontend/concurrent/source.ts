/** Random programs that make calls at the same time, for the workbench. Every form may stand inside every other. */

export class ConcurrentSource {
  #state: number;
  #names = 0;
  /** Names of numbers that can be read here. */
  #numbers: string[] = ["x"];
  /** Amount of sharing: with 0 few programs share variables, with 2 most do. */
  readonly #sharing: number;

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 97) >>> 0 || 1;
    for (let i = 0; i < 4; i++) this.#dice(2);
    this.#sharing = this.#dice(3);
  }

  program(): string {
    const helpers = ["f", "g", "h"].slice(0, 1 + this.#dice(3)).map((name, i) => this.#helper(name, i));
    const body = Array.from({ length: 1 + this.#dice(3) }, () => this.#group(2)).join("\n");
    return `let n = 1; let x = await lab.read({ key: "x" }); const seen: string[] = []; const rows = await lab.rows();
${helpers.join("\n")}
${body}
await lab.put({ n }); await lab.put({ n: x }); await lab.list({ items: seen });`;
  }

  #dice(sides: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state % sides;
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#dice(items.length)] as T;
  }

  #fresh(): string {
    return `v${this.#names++}`;
  }

  /** With these numbers to read as well. */
  #with<T>(names: readonly string[], body: () => T): T {
    const before = this.#numbers;
    this.#numbers = [...before, ...names];
    try {
      return body();
    } finally {
      this.#numbers = before;
    }
  }

  // ── helpers ──────────────────────────────────────────────────────────────────────────────────────────────

  #helpers: string[] = [];

  #helper(name: string, i: number): string {
    const before = this.#numbers;
    this.#numbers = ["m"];
    const body = this.#block(1 + this.#dice(3), i > 0 ? 2 : 1);
    const end = `return ${this.#number()};`;
    this.#numbers = before;
    this.#helpers.push(name);
    return this.#dice(4) === 0
      ? `const ${name} = async (k: string, m: number) => ${this.#pick(["lab.read({ key: k })", "lab.risky({ key: k })"])};`
      : `const ${name} = async (k: string, m: number): Promise<number> => { ${body} ${end} };`;
  }

  #block(length: number, depth: number): string {
    const before = this.#numbers;
    const text = Array.from({ length }, () => this.#statement(depth)).join(" ");
    this.#numbers = before;
    return text;
  }

  #statement(depth: number): string {
    const v = this.#fresh();
    const define = (text: string) => {
      this.#numbers = [...this.#numbers, v];
      return text;
    };
    switch (this.#dice(depth > 0 ? 19 : 11)) {
      case 0:
      case 1:
        return define(`const ${v} = await lab.read({ key: ${this.#key()} });`);
      case 2:
        return define(`const ${v} = await lab.risky({ key: ${this.#key()} });`);
      case 3:
      case 4:
        return `await lab.put({ n: ${this.#number()} });`;
      case 5:
        return `await lab.say({ text: k + String(${this.#number()}) });`;
      case 6:
        return `if (${this.#condition()}) return ${this.#number()};`;
      case 7:
        return `if (${this.#condition()}) throw new Error("own");`;
      case 8:
        return this.#shared();
      case 9:
        return this.#dice(3) === 0 ? "await undefined;" : define(`const ${v} = ${this.#number()} + 1;`);
      case 10:
        return `try { await lab.risky({ key: k }); } catch { await lab.put({ n: 7 }); }`;
      case 11:
        return `if (${this.#condition()}) { ${this.#block(2, depth - 1)} } else { ${this.#block(1, depth - 1)} }`;
      case 12:
        return `for (const ${v} of rows) { ${this.#with([`${v}.n`], () => this.#block(2, 0))} }`;
      case 13:
        return `for (const ${v} of ["a", "b"]) { const k = ${v}; ${this.#block(1, depth - 1)} }`;
      case 14:
        return `try { ${this.#block(2, depth - 1)} } catch { ${this.#block(1, 0)} }`;
      case 15:
        return `try { ${this.#block(1, depth - 1)} } finally { await lab.put({ n: 8 }); }`;
      default:
        return this.#group(depth - 1);
    }
  }

  /** Generates state that elements share. */
  #shared(): string {
    if (this.#dice(4) > this.#sharing) return "await lab.say({ text: k });";
    return this.#pick([
      "n += 1;",
      "seen.push(k);",
      "await lab.put({ n });",
      `n += await lab.read({ key: k });`,
      `const w${this.#names} = await lab.read({ key: k }); n += w${this.#names++};`,
      "n++;",
    ]);
  }

  // ── calls at the same time ───────────────────────────────────────────────────────────────────────────────

  #group(depth: number): string {
    const inner = this.#plainGroup(depth);
    switch (this.#dice(9)) {
      case 0:
        return `try { ${inner} } catch { await lab.put({ n: 77 }); }`;
      case 1:
        return `try { ${inner} } finally { await lab.put({ n: 78 }); }`;
      case 2:
        return `if (${this.#condition()}) { ${inner} }`;
      case 3:
        return depth > 0 ? `for (const k of ["a", "b"]) { ${inner} }` : inner;
      case 4:
        return depth > 0 ? `for (const row of rows) { const k = row.id; ${inner} }` : inner;
      default:
        return `{ ${inner} }`;
    }
  }

  #plainGroup(depth: number): string {
    const [p, q] = [this.#fresh(), this.#fresh()];
    const elements = (most: number) =>
      Array.from({ length: 1 + this.#dice(most) }, () => this.#element(depth));
    switch (this.#dice(13)) {
      case 0:
      case 1:
        return `const [${p} = 0] = await Promise.all([${elements(3).join(", ")}]); await lab.put({ n: ${p} });`;
      case 2:
      case 3:
        return `const ${p} = await Promise.all(["a", "b"].map(${this.#callback(depth)})); await lab.nums({ items: ${p} });`;
      case 4:
      case 5:
        return `const ${p} = await Promise.all(rows.map((r) => r.id).map(${this.#callback(depth)})); await lab.nums({ items: ${p} });`;
      case 6:
        return `const ${p} = await Promise.allSettled([${elements(3).join(", ")}]); ${this.#look(p)}`;
      case 7:
        return `const ${p} = await Promise.allSettled(rows.map((r) => r.id).map(${this.#callback(depth)})); ${this.#look(p)}`;
      case 8:
        return `const ${p} = ${this.#element(depth)}; const ${q} = ${this.#element(depth)}; await lab.put({ n: (await ${p}) + (await ${q}) });`;
      case 9:
        return `const ${p} = ${this.#element(depth)}; await lab.put({ n: ${this.#number()} }); await lab.put({ n: await ${p} });`;
      case 10: {
        const r = this.#fresh();
        const between = () => (this.#dice(2) === 0 ? `await lab.put({ n: ${this.#number()} });` : "");
        return `const ${p} = ${this.#element(depth)}; const ${q} = ${this.#element(depth)}; const ${r} = ${this.#element(depth)}; await lab.put({ n: await ${p} }); ${between()} await lab.put({ n: await ${q} }); ${between()} await lab.put({ n: await ${r} });`;
      }
      case 11:
        return `const ${p} = [${elements(2).join(", ")}]; if (${this.#condition()}) ${p}.push(${this.#element(depth)}); await lab.nums({ items: await Promise.all(${p}) });`;
      default:
        return `const [${p}, ${q}] = await Promise.all([Promise.all([${elements(2).join(", ")}]), ${this.#element(depth)}]); await lab.nums({ items: ${p} }); await lab.put({ n: ${q} });`;
    }
  }

  #look(results: string): string {
    const v = this.#fresh();
    return this.#pick([
      `await lab.nums({ items: ${results}.filter((s) => s.status === "fulfilled").map((s) => s.value) });`,
      `for (const ${v} of ${results}) { if (${v}.status === "fulfilled") await lab.put({ n: ${v}.value }); else await lab.put({ n: 99 }); }`,
      `await lab.put({ n: ${results}.filter((s) => s.status === "rejected").length });`,
    ]);
  }

  #element(depth: number): string {
    switch (this.#dice(9)) {
      case 0:
      case 1:
        return `lab.read({ key: ${this.#key()} })`;
      case 2:
        return `lab.risky({ key: ${this.#key()} })`;
      case 3:
        return `(${this.#condition()} ? ${this.#call()} : ${this.#call()})`;
      case 4:
        return depth > 0 ? `(${this.#callback(depth - 1)})("i")` : this.#call();
      default:
        return this.#call();
    }
  }

  #call(): string {
    const name = this.#helpers.length === 0 ? undefined : this.#pick(this.#helpers);
    return name === undefined
      ? `lab.read({ key: "z" })`
      : `${name}(${this.#pick(['"a"', '"b"', '"c"'])}, ${this.#number()})`;
  }

  #callback(depth: number): string {
    if (this.#dice(3) === 0)
      return this.#pick([
        "(k) => lab.read({ key: k })",
        "async (k) => lab.risky({ key: k })",
        "(k) => lab.risky({ key: k })",
      ]);
    const before = this.#numbers;
    this.#numbers = [...before];
    const body = this.#block(1 + this.#dice(2), Math.max(0, depth));
    const end = `return ${this.#number()};`;
    this.#numbers = before;
    if (this.#helpers.length > 0 && this.#dice(3) === 0)
      return `async (k) => ${this.#pick(this.#helpers)}(k, ${this.#number()})`;
    return `async (k) => { ${body} ${end} }`;
  }

  // ── values ───────────────────────────────────────────────────────────────────────────────────────────────

  #key(): string {
    return this.#pick(['"a"', '"b"', '"c"']);
  }

  #number(): string {
    return this.#dice(4) === 0 ? "rows.length" : this.#pick(this.#numbers);
  }

  #condition(): string {
    const number = this.#pick(this.#numbers);
    return this.#pick([`${number} > 1`, `${number} < 3`, "rows.length > 1", `${number} > 4`]);
  }
}
