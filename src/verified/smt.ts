/** Obligations of the extracted program as SMT-LIB. This printing is trusted: it is not part of the proofs. */
import { beyond } from "./beyond.ts";
import { numberOf, type Tree } from "./text.ts";

type Sort = "bool" | "int" | "real" | "string" | "any";

interface Printed {
  readonly text: string;
  readonly sort: Sort;
  /** Operands of an operator that is left open. */
  readonly operands?: readonly number[];
}

/** Terms that share their parts, by number. */
export interface Terms {
  readonly nodes: readonly Tree[];
}

export interface VerifiedObligation {
  readonly assumptions: readonly number[];
  readonly goal: number;
}

const sorts: Readonly<Record<Sort, string>> = {
  bool: "Bool",
  int: "Int",
  real: "Real",
  string: "String",
  any: "Any",
};

const words: Readonly<Record<string, string>> = {
  and: "and",
  or: "or",
  implies: "=>",
  "+": "+",
  "-": "-",
  "*": "*",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  "++": "str.++",
};

/** Prints the negation of an obligation: unsatisfiable if and only if the obligation is valid. */
export function scriptOf({ nodes }: Terms, { assumptions, goal }: VerifiedObligation): string {
  const printer = new Printer(nodes);
  const asserted = assumptions.map((one) => `(assert ${printer.bool(one)})`);
  const negated = `(assert (not ${printer.bool(goal)}))`;
  return [...printer.declarations(), ...asserted, negated, ""].join("\n");
}

class Printer {
  readonly #nodes: readonly Tree[];
  readonly #printed = new Map<number, Printed>();
  readonly #declared = new Map<string, string>();
  readonly #defined: string[] = [];

  constructor(nodes: readonly Tree[]) {
    this.#nodes = nodes;
  }

  declarations(): readonly string[] {
    return ["(declare-sort Any 0)", ...this.#declared.values(), ...this.#defined];
  }

  bool(id: number): string {
    const { text, sort } = this.#term(id);
    return sort === "bool" ? text : beyond("a condition that is no boolean");
  }

  #term(id: number): Printed {
    const before = this.#printed.get(id);
    if (before !== undefined) return before;
    const node = this.#nodes[id];
    if (node === undefined || typeof node === "string") throw new TypeError(`there is no term ${id}`);
    let made = this.#print(node);
    // A name for each term that has parts, so that terms stay as small as they are shared.
    if (made.text.startsWith("(") && made.operands === undefined) {
      this.#defined.push(`(define-fun t${id} () ${sorts[made.sort]} ${made.text})`);
      made = { text: `t${id}`, sort: made.sort };
    }
    this.#printed.set(id, made);
    return made;
  }

  #print(node: readonly Tree[]): Printed {
    const at = (i: number) => this.#term(Number(node[i]));
    switch (node[0]) {
      case "const":
        return this.#constant(node[1]);
      case "var": {
        // SAFETY: the bridge writes the sort of each variable.
        const sort = String(node[2]) as Sort;
        return { text: this.#symbol(String(node[1]), [], sort), sort };
      }
      case "un":
        return this.#unary(String(node[1]), Number(node[2]));
      case "bin": {
        const word = String(node[1]);
        if (word === ",")
          return { text: "(pair)", sort: "any", operands: [Number(node[2]), Number(node[3])] };
        return this.#binary(word, at(2), at(3));
      }
      case "ite": {
        const [a, b] = alike(at(2), at(3));
        return { text: `(ite ${this.bool(Number(node[1]))} ${a.text} ${b.text})`, sort: a.sort };
      }
      case "eq": {
        const [a, b] = alike(at(1), at(2));
        return { text: `(= ${a.text} ${b.text})`, sort: "bool" };
      }
      default:
        throw new TypeError("a term of no known kind");
    }
  }

  #constant(value: Tree | undefined): Printed {
    if (value === undefined || typeof value === "string") throw new TypeError("a constant without a value");
    switch (value[0]) {
      case "b":
        return { text: value[1] === "1" ? "true" : "false", sort: "bool" };
      case "n":
        return numeral(numberOf(String(value[1])), numberOf(String(value[2])));
      case "s":
        return { text: `"${escaped(String(value[1]))}"`, sort: "string" };
      case "o":
        return { text: this.#symbol(`value ${String(value[1])}`, [], "any"), sort: "any" };
      default:
        return beyond("a constant that is not scalar");
    }
  }

  #unary(word: string, operand: number): Printed {
    if (word === "not") return { text: `(not ${this.bool(operand)})`, sort: "bool" };
    if (word === "neg") {
      const { text, sort } = this.#term(operand);
      return isNumber(sort) ? { text: `(- ${text})`, sort } : beyond("a negative that is no number");
    }
    return this.#open(word, operand);
  }

  #binary(word: string, a: Printed, b: Printed): Printed {
    const printed = words[word] ?? beyond(`the operator ${word}`);
    const [x, y] = alike(a, b);
    const text = `(${printed} ${x.text} ${y.text})`;
    if (word === "and" || word === "or" || word === "implies") {
      return x.sort === "bool" ? { text, sort: "bool" } : beyond("a condition that is no boolean");
    }
    if (word === "++") return x.sort === "string" ? { text, sort: "string" } : beyond("a text that is none");
    if (!isNumber(x.sort)) return beyond("arithmetic on no numbers");
    return { text, sort: word === "+" || word === "-" || word === "*" ? x.sort : "bool" };
  }

  /** An operator that is left open, as an uninterpreted function: valid for any function is valid for the one it is. */
  #open(word: string, operand: number): Printed {
    const from = word.lastIndexOf(">");
    const bar = word.lastIndexOf("|", from);
    // SAFETY: as `document-text.ts` writes the names of operators.
    const result = word.slice(from + 1) as Sort;
    const wanted = word
      .slice(bar + 1, from)
      .replace(/[?!].*|\..*/s, "")
      .split(",") as Sort[]; // SAFETY: likewise
    const given: Printed[] = [];
    let rest = operand;
    for (let i = 1; i < wanted.length; i++) {
      const { operands } = this.#term(rest);
      const [head, tail] = operands ?? beyond("an operator with other operands");
      if (head === undefined || tail === undefined) return beyond("an operator with other operands");
      given.push(this.#term(head));
      rest = tail;
    }
    given.push(this.#term(rest));
    const texts = given.map(({ text, sort, operands }, i) => {
      if (operands !== undefined) return beyond("an operator with other operands");
      const to = wanted[i];
      if (sort === "int" && to === "real") return `(to_real ${text})`;
      return sort === to ? text : beyond("an operand of another sort");
    });
    const symbol = this.#symbol(word, wanted, result);
    return { text: `(${symbol} ${texts.join(" ")})`, sort: result };
  }

  #symbol(name: string, from: readonly Sort[], to: Sort): string {
    const known = this.#declared.get(name);
    const symbol =
      known === undefined ? `s${this.#declared.size}` : (/^\(declare-fun (\S+)/.exec(known)?.[1] ?? "");
    if (known === undefined) {
      const operands = from.map((sort) => sorts[sort]).join(" ");
      this.#declared.set(name, `(declare-fun ${symbol} (${operands}) ${sorts[to]})`);
    }
    return symbol;
  }
}

function isNumber(sort: Sort): boolean {
  return sort === "int" || sort === "real";
}

function alike(a: Printed, b: Printed): readonly [Printed, Printed] {
  if (a.operands !== undefined || b.operands !== undefined) return beyond("operands that stand alone");
  if (a.sort === b.sort) return [a, b];
  if (a.sort === "int" && b.sort === "real") return [{ text: `(to_real ${a.text})`, sort: "real" }, b];
  if (a.sort === "real" && b.sort === "int") return [a, { text: `(to_real ${b.text})`, sort: "real" }];
  return beyond("terms of different sorts");
}

function numeral(num: bigint, den: bigint): Printed {
  const size = num < 0n ? -num : num;
  const text = den === 1n ? String(size) : `(/ ${size}.0 ${den}.0)`;
  return { text: num < 0n ? `(- ${text})` : text, sort: den === 1n ? "int" : "real" };
}

/** Texts are sequences of bytes in UTF-8, here as in the model. */
function escaped(text: string): string {
  return text.replace(/[^ -~]|["\\]/g, (char) => `\\u{${char.charCodeAt(0).toString(16)}}`);
}
