/** Random programs with functions that call themselves and with generators, which end whatever the tools return. */
import type { LabProgram } from "./lab.ts";

/** One program for each seed. */
export class RecursiveSource {
  #state: number;
  #names = 0;

  constructor(seed: number) {
    this.#state = (seed * 2654435761) >>> 0 || 1;
  }

  program(): LabProgram {
    return this.#chance(50) ? this.#recursion() : this.#generator();
  }

  // ── functions that call themselves ─────────────────────────────────────────────────────────────────────

  #recursion(): LabProgram {
    const isAsync = this.#chance(60);
    const keyword = isAsync ? "async " : "";
    const result = isAsync ? "Promise<number>" : "number";
    const again = (...args: readonly string[]) => `${isAsync ? "await " : ""}walk(${args.join(", ")})`;
    const body = this.#walk(isAsync, again, 3);
    const mutual = this.#chance(25);
    const other = mutual
      ? `${keyword}function other(n: number, xs: lab.Row[]): ${result} { ${this.#effect(isAsync)} return ${again("n - 1", "xs")}; }`
      : "";
    return {
      body: `
    const seen = new Set<number>();
    const log: string[] = [];
    let calls = 0;
    ${keyword}function walk(n: number, xs: lab.Row[], depth = 0): ${result} {
      if (n <= 0 || calls > 40) ${this.#pick(["return 0;", "return xs.length;", 'throw new Error("end");'])}
      calls++;
      let t = depth;
      ${body}
      return t;
    }
    ${other}
    const rows = await lab.rows();
    let total = -1;
    try { total = ${isAsync ? "await " : ""}${mutual ? "other" : "walk"}(rows.length % 4 + ${this.#int(3)}, rows); } catch (e) { log.push((e as Error).message); }
    return { total, log, calls, seen: [...seen] };`,
    };
  }

  #walk(isAsync: boolean, again: (...args: readonly string[]) => string, size: number): string {
    const parts: string[] = [];
    for (let i = 0; i <= size; i++) parts.push(this.#step(isAsync, again, size));
    return parts.join("\n      ");
  }

  #step(isAsync: boolean, again: (...args: readonly string[]) => string, size: number): string {
    const inner = () => (size <= 1 ? "t++;" : this.#walk(isAsync, again, size - 2));
    const rest = this.#pick(["xs", "xs.slice(1)", "xs.filter((x) => x.ok)"]);
    const call = this.#pick([
      again("n - 1", rest),
      again("n - 2", rest, "depth + 1"),
      again("n - 1", "[]", "t"),
    ]);
    switch (this.#int(10)) {
      case 0:
        return `t += ${call};`;
      case 1:
        return `for (const x of xs) { if (x.n > ${this.#int(5)}) continue; t += x.n; ${this.#chance(60) ? `t += ${call};` : inner()} }`;
      case 2:
        return `if (seen.has(n)) { ${this.#chance(50) ? "return t;" : inner()} } else seen.add(n);`;
      case 3:
        return `log.push(\`\${n}:\${t}\`);`;
      case 4:
        return this.#effect(isAsync);
      case 5:
        return `try { t += ${call}; ${this.#effect(isAsync)} } catch (e) { log.push("caught " + (e as Error).message); }`;
      case 6:
        return `for (const x of [1, 2]) { if (t > 50) break; t += x * ${call}; }`;
      case 7:
        return `const v${++this.#names} = ${call}; if (v${this.#names} > ${this.#int(4)}) { ${inner()} t += v${this.#names}; }`;
      case 8:
        return isAsync
          ? `t += (await lab.read({ key: String(n) })) > 1 ? ${call} : 1;`
          : `t += n > 1 ? ${call} : 1;`;
      default:
        return `t += xs.map((x) => x.n).reduce((a, b) => a + b, 0);`;
    }
  }

  #effect(isAsync: boolean): string {
    if (!isAsync) return "calls++;";
    return this.#pick([
      "await lab.put({ n });",
      'await lab.risky({ key: "r" });',
      "await lab.count({ i: 1 });",
    ]);
  }

  // ── generators ─────────────────────────────────────────────────────────────────────────────────────────

  #generator(): LabProgram {
    const isAsync = this.#chance(60);
    const item = () => this.#pick(["x.id", '"k"', "`${k}`"]);
    const effect = () => (isAsync ? this.#pick(["await lab.put({ n: k });", "k++;"]) : "k++;");
    const leaf = (): string =>
      this.#pick([
        `yield ${item()};`,
        effect(),
        `if (x.n > ${this.#int(6)}) return;`,
        `if (x.ok) continue;`,
        `if (x.n === ${this.#int(6)}) break;`,
        `yield* [${item()}, ${item()}];`,
        `yield* inner(x);`,
      ]);
    const loop = (): string => `for (const x of xs) { ${[leaf(), leaf(), leaf()].join(" ")} }`;
    const outer = (): string =>
      this.#pick([loop(), 'yield "a";', "k += 2;", `while (k < ${this.#int(6)}) { k++; yield \`w\${k}\`; }`]);
    const star = isAsync ? "async function*" : "function*";
    const turn = (): string =>
      this.#pick([
        "await lab.say({ text: v });",
        "out.push(v);",
        `if (v === "${this.#pick(["a", "b", "k"])}") continue;`,
        `if (out.length > ${this.#int(4)}) break;`,
        `if (v === "${this.#pick(["c", "d", "w3"])}") return out;`,
        'if (out.length === 7) throw new Error("seven");',
        'if (v === "b") continue all;',
        "if (out.length === 6) break all;",
      ]);
    const over = `for ${isAsync ? "await " : ""}(const v of many(rows)) { ${[turn(), turn(), turn()].join(" ")} }`;
    return {
      body: `
    let k = 0;
    ${star} inner(x: lab.Row) { yield x.id + "!"; if (x.ok) return; ${effect()} yield "i"; }
    ${star} many(xs: lab.Row[]) { ${[outer(), outer(), loop()].join(" ")} }
    const out: string[] = [];
    const rows = await lab.rows();
    all: for (const round of [1, 2]) {
      ${over}
      out.push(String(round));
    }
    ${isAsync ? "" : "out.push(...many(rows));"}
    return { out, k };`,
    };
  }

  // ── chance ─────────────────────────────────────────────────────────────────────────────────────────────

  #int(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (this.#state >>> 8) % below;
  }

  #chance(percent: number): boolean {
    return this.#int(100) < percent;
  }

  #pick<T>(all: readonly [T, ...T[]]): T {
    return all[this.#int(all.length)] ?? all[0];
  }
}
