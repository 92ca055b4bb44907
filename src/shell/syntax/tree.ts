/** Syntax tree of a bash script: the parts that a classifier needs to know what would run. */

export interface Assignment {
  readonly name: string;
  /** The text between the brackets of `a[…]=x`. */
  readonly subscript: Word | undefined;
  /** One word, or the elements of `a=(…)`. */
  readonly values: readonly Word[];
}

export interface Redirect {
  readonly operator: string;
  /** The file, the descriptor or the text; of a here-document its body. */
  readonly target: Word;
}

export type Part =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: "parameter";
      readonly name: string;
      /** Operator after the name inside the braces, such as `:-`, `%` or `@`. */
      readonly operator: string;
      readonly argument: Word | undefined;
      readonly subscript: Word | undefined;
      readonly quoted: boolean;
    }
  | { readonly kind: "command"; readonly body: Command; readonly quoted: boolean }
  | { readonly kind: "arithmetic"; readonly body: Word; readonly quoted: boolean }
  | { readonly kind: "process"; readonly body: Command };

export type Word = readonly Part[];

export type Command =
  | {
      readonly kind: "simple";
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: "pipeline"; readonly stages: readonly Command[] }
  /** Commands one after the other, whatever joins them: `;`, `&&`, `||`, `&` or a line end. */
  | {
      readonly kind: "list";
      readonly items: readonly Command[];
      readonly background: boolean;
      readonly conditional: boolean;
    }
  | {
      readonly kind: "block";
      readonly subshell: boolean;
      readonly body: Command;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: "for";
      readonly name: string;
      /** Without `in`, the positional parameters. */
      readonly words: readonly Word[] | undefined;
      readonly body: Command;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: "count";
      readonly header: readonly Word[];
      readonly body: Command;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: "while";
      readonly until: boolean;
      readonly test: Command;
      readonly body: Command;
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: "if"; readonly parts: readonly Command[]; readonly redirects: readonly Redirect[] }
  | {
      readonly kind: "case";
      readonly subject: Word;
      readonly patterns: readonly Word[];
      readonly bodies: readonly Command[];
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: "function"; readonly name: string; readonly body: Command }
  | { readonly kind: "test"; readonly words: readonly Word[]; readonly redirects: readonly Redirect[] }
  | { readonly kind: "arithmetic"; readonly body: Word; readonly redirects: readonly Redirect[] };
