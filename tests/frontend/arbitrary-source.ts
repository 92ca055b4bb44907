/** Random programs in the subset, for the workbench: every construct may stand inside every other. */

export class Source {
  #state: number;
  #depth = 0;
  #names = 0;
  /** Inside a loop over values, so that `break` and `continue` make sense. */
  #loops = 0;
  #helpers: string[] = [];

  constructor(seed: number) {
    this.#state = (seed * 2654435761 + 1) >>> 0;
  }

  program(): { body: string; top: string } {
    const top = Array.from({ length: this.#dice(2) }, (_, i) => this.#helper(`help${i}`)).join("\n");
    const body = `let x = 1; let y = 2; let s = "s"; const a: string[] = []; const o = { n: 0, t: "" }; let m: string | undefined;
      ${this.#block(6)}
      await lab.put({ n: x }); await lab.put({ n: y }); await lab.say({ text: s }); await lab.list({ items: a }); await lab.put({ n: o.n }); await lab.say({ text: o.t + (m ?? "-") });
      ${this.#answer()}`;
    return { body: body.replace(/\breturn;/g, () => this.#answer()), top };
  }

  /** Returns a value of any shape; sometimes none. */
  #answer(): string {
    const value = this.#pick([
      "",
      "x",
      "s",
      "m",
      "a",
      "o",
      "x > y",
      "null",
      "undefined",
      "[x, s, m]",
      "{ x, s, m, a, inner: { o, all: [a, null, o.n] } }",
      "a.map((e) => ({ e, x }))",
      'a.find((e) => e === "p")',
      "await lab.rows()",
      'await lab.find({ id: "f" })',
      "x > 2 ? { n: x } : { t: s }",
    ]);
    return value === "" ? "return;" : `return ${value};`;
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

  #name(): string {
    return `v${this.#names++}`;
  }

  #helper(name: string): string {
    const loops = this.#loops;
    this.#loops = 0;
    const text = `async function ${name}(x: number, s: string): Promise<number> { let y = x; const a: string[] = [s]; const o = { n: x, t: s }; let m: string | undefined = s; ${this.#block(2)} await lab.list({ items: a }); return y + o.n; }`;
    this.#loops = loops;
    this.#helpers.push(name);
    return text.replace(/\breturn;/g, "return x;");
  }

  #block(length: number): string {
    return Array.from({ length: 1 + this.#dice(length) }, () => this.#statement()).join("\n");
  }

  #statement(): string {
    if (this.#depth > 2) return this.#simple();
    this.#depth++;
    try {
      return this.#compound();
    } finally {
      this.#depth--;
    }
  }

  #compound(): string {
    switch (this.#dice(16)) {
      case 0:
      case 1:
        return `if (${this.#condition()}) { ${this.#block(3)} } else { ${this.#block(2)} }`;
      case 2:
        return `if (${this.#condition()}) { ${this.#block(3)} }`;
      case 3:
        return this.#loop("await lab.rows()", (v) => [
          `s += ${v}.id;`,
          `x += ${v}.n;`,
          `if (${v}.ok) a.push(${v}.id);`,
          `m = ${v}.note;`,
        ]);
      case 4:
        return this.#loop(`["p", "q"]`, (v) => [`s += ${v};`, `a.push(${v});`, `o.t = ${v};`]);
      case 5:
        return `try { ${this.#block(3)} x += await lab.risky({ key: s }); ${this.#block(2)} } catch { ${this.#block(2)} }`;
      case 6:
        return `try { ${this.#block(2)} await lab.risky({ key: "f" }); } catch { ${this.#block(2)} } finally { ${this.#quiet(() => this.#simple())} }`;
      case 7:
        return `switch (await lab.level()) { case "low": ${this.#quiet(() => this.#block(2))} break; case "mid": ${this.#quiet(() => this.#block(1))} default: ${this.#quiet(() => this.#block(2))} }`;
      case 8:
        return this.#loops > 0
          ? `if (${this.#condition()}) ${this.#pick(["break", "continue"])};`
          : this.#simple();
      case 9:
        return `if (${this.#condition()}) return;`;
      case 10: {
        const v = this.#name();
        return `for (let ${v} = 0; ${v} < 2; ${v}++) { ${this.#inLoop(() => this.#block(2))} x += ${v}; }`;
      }
      case 11:
        return `if (${this.#condition()}) throw new Error("own");`;
      default:
        return this.#simple();
    }
  }

  #loop(over: string, first: (v: string) => readonly string[]): string {
    const v = this.#name();
    return `for (const ${v} of ${over}) { ${this.#pick(first(v))} ${this.#inLoop(() => this.#block(3))} }`;
  }

  #inLoop(body: () => string): string {
    this.#loops++;
    try {
      return body();
    } finally {
      this.#loops--;
    }
  }

  /** Generates code in which a `break` would have another target. */
  #quiet(body: () => string): string {
    const loops = this.#loops;
    this.#loops = 0;
    try {
      return body();
    } finally {
      this.#loops = loops;
    }
  }

  #simple(): string {
    switch (this.#dice(16)) {
      case 14:
        return "await new Promise((resolve) => setTimeout(resolve, 10 * a.length));";
      case 13:
        return this.#pick([
          "console.log(x, s, m);",
          'console.warn("at", x > y, o);',
          "console.error(a);",
          "console.info();",
        ]);
      case 0:
        return `x = ${this.#number()};`;
      case 1:
        return `y += ${this.#number()};`;
      case 2:
        return `s = ${this.#text()};`;
      case 3:
        return `await lab.put({ n: ${this.#number()} });`;
      case 4:
        return `await lab.say({ text: ${this.#text()} });`;
      case 5:
        return `a.push(${this.#text()});`;
      case 6:
        return `o.n = ${this.#number()};`;
      case 7:
        return `m = await lab.maybe({ key: s });`;
      case 8:
        return `y = await lab.read({ key: "k" });`;
      case 9: {
        const v = this.#name();
        return `const ${v} = ${this.#number()}; await lab.put({ n: ${v} + 1 });`;
      }
      case 10:
        return `m ??= ${this.#text()};`;
      case 11:
        return this.#helpers.length > 0
          ? `x = await ${this.#pick(this.#helpers)}(${this.#number()}, s);`
          : `o.t += "t";`;
      case 12:
        return `(await lab.test({ key: "c" })) && (await lab.say({ text: "and" }));`;
      default:
        return `s += a.length;`;
    }
  }

  #number(): string {
    return this.#pick([
      "x",
      "y",
      "x + 1",
      "y - x",
      "o.n",
      "a.length",
      "Math.min(x, y)",
      "(x > y ? x : 3)",
      'await lab.read({ key: "n" })',
      "s.length",
      'a.filter((e) => e === "p").length',
      "2",
      "(m?.length ?? 0)",
      "(Date.now() % 1000)",
      "Math.floor(Math.random() * 7)",
      '(await lab.risky({ key: "c" }).catch(() => 4))',
      "a.filter((e) => e.length < Date.now()).length",
      "(await lab.word().then((w) => w.length))",
      "Math.round(Math.sqrt(s.length))",
    ]);
  }

  #text(): string {
    return this.#pick([
      "s",
      '"lit"',
      "s.slice(0, 2)",
      '(m ?? "none")',
      'a[0] ?? "empty"',
      'a.join("+").slice(0, 6)',
      "String(x)",
      "new Date(Date.now() + 1000).toISOString()",
      "o.t",
      'm || "falsy"',
    ]).replace(/^(?=.*(\?\?|\|\|))(?!\()(.*)$/, "($2)");
  }

  #condition(): string {
    return this.#pick([
      "x > y",
      "x < 3",
      's === "s"',
      'await lab.test({ key: "t" })',
      "m",
      "m !== undefined",
      "!o.t",
      "a.length > 1 && x > 0",
      'x > 2 || (await lab.test({ key: "u" }))',
      'a.includes("p")',
      "o.n === x",
      "Math.random() < 0.5",
      "new Date().getUTCFullYear() > 2025",
    ]);
  }
}
