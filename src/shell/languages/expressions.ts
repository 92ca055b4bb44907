/**
 * Readers of short programs in Python and JavaScript: only words from a list of harmless ones pass.
 * A program that uses any other word is refused, whatever it does.
 */

import { type Reason, reason } from "../reason.ts";
import { literal } from "../values/argument.ts";
import type { Place } from "../values/folder.ts";
import { judgePath } from "../values/paths.ts";

const PYTHON_WORDS = new Set(
  `print|len|sum|range|min|max|sorted|int|float|str|list|dict|set|tuple|abs|round|enumerate|zip|reversed|bool|any|all|repr|ord|chr|hex|bin|for|in|if|else|elif|not|and|or|is|True|False|None|import|from|as|lambda|sys|json|math|platform|datetime|statistics|string|textwrap|collections|itertools|random|time|calendar|decimal|fractions|hashlib|uuid|version|version_info|major|minor|micro|stdin|read|readlines|load|loads|dumps|dump|indent|sort_keys|ensure_ascii|argv|join|split|strip|lower|upper|replace|startswith|endswith|format|keys|values|items|get|append|count|index|title|python_version|machine|now|today|date|timedelta|isoformat|strftime|utcnow|fromisoformat|days|timestamp|sqrt|pi|e|floor|ceil|pow|log|log2|log10|sin|cos|gcd|factorial|mean|median|stdev|mode|Counter|defaultdict|most_common|chain|sep|end|file|maxsize|byteorder|implementation|name|uuid4|randint|choice|randrange|shuffle|sample|uniform|DataFrame|pandas|head|tail|describe|shape|columns|hexdigest|sha256|md5|encode|decode`.split(
    "|",
  ),
);

const JAVASCRIPT_WORDS = new Set(
  `console|log|Math|JSON|parse|stringify|process|version|versions|node|v8|platform|arch|uptime|cwd|memoryUsage|argv|const|let|var|for|of|in|if|else|return|true|false|null|undefined|new|Date|Number|String|Array|Object|Boolean|Map|Set|BigInt|length|map|filter|reduce|join|split|toString|toFixed|keys|values|entries|sort|slice|concat|includes|indexOf|push|trim|replace|toUpperCase|toLowerCase|floor|ceil|round|max|min|abs|pow|sqrt|PI|random|now|toISOString|getTime|getFullYear|isInteger|parseInt|parseFloat|from|repeat|typeof|name|dependencies|devDependencies|scripts|engines|main|type`.split(
    "|",
  ),
);

/** Reasons against a Python program given on the command line. */
export function judgePython(source: string, from: Place): readonly Reason[] {
  const reasons: Reason[] = [];
  // A file that is opened to be read is judged like any other.
  const plain = source.replace(
    /\bopen\((["'])([^"'\\\n]+)\1(?:,\s*["']rb?["'])?\)/g,
    (_all, _quote, path: string) => {
      reasons.push(...judgePath(literal(path), "read", from));
      return "json";
    },
  );
  if (reasons.length > 0) return reasons;
  return judgePythonWords(withoutQuestions(plain, from));
}

/** Leaves out questions to the system that change nothing; any other use of `os` stays, and is refused. */
function withoutQuestions(source: string, from: Place): string {
  const plain = source
    .replace(/\bos\.(?:get(?:u|g|p|eu)id|getcwd|cpu_count)\(\)/g, "0")
    .replace(
      /\bos\.(?:listdir|path\.(?:exists|getsize|isfile|isdir|basename))\((["'])([^"'\\\n]+)\1\)/g,
      (all, _quote, path: string) => (judgePath(literal(path), "list", from).length === 0 ? "0" : all),
    );
  return /\bos\s*\./.test(plain) ? plain : plain.replace(/^\s*import os\s*(;|\n|$)/, "");
}

function judgePythonWords(plain: string): readonly Reason[] {
  return judgeWords(
    "Python",
    plain,
    PYTHON_WORDS,
    /(?:[rRuU]|[bB])?("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/y,
    /#[^\n]*/y,
  );
}

/** Reasons against a JavaScript program given on the command line. */
export function judgeJavaScript(source: string): readonly Reason[] {
  // A manifest of the project is data.
  // A computed member may name anything, such as the constructor of functions.
  if (/[\w$)\]"']\s*\[(?!\s*\d+\s*\])/.test(source))
    return reason("inline-code", "JavaScript on the command line computes the name of a member");
  if (/\}\s*=|\}[^}]*\)\s*=>|\}\s*(?:of|in)\b/.test(source))
    return reason("inline-code", "JavaScript on the command line takes an object apart");
  const plain = source.replace(/\brequire\((["'])\.\/(package|tsconfig|[\w-]+)\.json\1\)/g, "JSON");
  return judgeWords(
    "JavaScript",
    plain,
    JAVASCRIPT_WORDS,
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y,
    /\/\/[^\n]*/y,
  );
}

function judgeWords(
  language: string,
  source: string,
  words: ReadonlySet<string>,
  string: RegExp,
  comment: RegExp,
): readonly Reason[] {
  // Names that an import brings in are the module's own, whatever else the program calls so.
  const imported = [...source.matchAll(/\bimport\s+([\w\s,.*]+)/g)].flatMap(([, names = ""]) =>
    names.split(/[,\n]/).map((name) => name.trim().split(/\s+/)[0] ?? ""),
  );
  const foreign = imported.find((name) => name !== "" && !words.has(name));
  if (foreign !== undefined)
    return reason("inline-code", `${language} on the command line imports \`${foreign}\``);
  const refused = (what: string) => reason("inline-code", `${language} on the command line uses ${what}`);
  const locals = new Set(
    [
      ...source.matchAll(
        /(?:\bfor\s+|\bas\s+|\bconst\s+|\blet\s+|\bvar\s+|^|[;\n(]\s*)([a-z_]\w{0,11})(?=\s*(?:in\b|of\b|=[^=]|=>|,))|\bas\s+([a-z]\w{0,11})\b/g,
      ),
    ].map(([, name, alias]) => name ?? alias ?? ""),
  );
  let at = 0;
  let repeats = false;
  let list = false;
  while (at < source.length) {
    const token = take(source, at, [
      comment,
      string,
      /[A-Za-z_$][\w$]*/y,
      /\d+(?:\.\d+)?/y,
      /[\s+\-/%<>=!?:;,.()[\]{}&|]/y,
      /\*\*?/y,
    ]);
    if (token === undefined) return refused(`\`${source[at]}\``);
    at += token.length;
    const isName = /^[A-Za-z_$]/.test(token) && !/["']/.test(token);
    if (isName && /["'`]/.test(source[at] ?? "")) return refused("a text with a prefix");
    if (
      isName &&
      /\.\s*$/.test(source.slice(Math.max(0, at - token.length - 8), at - token.length)) &&
      !words.has(token)
    )
      return refused(`\`.${token}\``);
    if (token.startsWith("_")) return refused(`\`${token}\``);
    if (/^[A-Za-z_$]/.test(token) && !/["']/.test(token)) {
      const isKey =
        language === "JavaScript" &&
        /^\s*:/.test(source.slice(at)) &&
        /[{,]\s*$/.test(source.slice(0, at - token.length));
      if (!words.has(token) && !isKey && !(locals.has(token) && token.length <= 12))
        return refused(`\`${token}\``);
      if (locals.has(token) && RISKY.test(token)) return refused(`\`${token}\``);
    }
    if (/^\d/.test(token) && Number(token) > 1_000_000) return refused("a large number");
    if (token === "**") repeats = true;
    if (token === "[" || token === "range" || token === "repeat" || /^["']/.test(token)) list = true;
  }
  return repeats && list ? reason("unbounded", `${language} on the command line may use much memory`) : [];
}

/** Names that no local variable may take, because they would mean something else. */
const RISKY =
  /^(os|eval|exec|open|input|compile|require|globals|locals|vars|getattr|setattr|delattr|subprocess|socket|shutil|import|fetch|global|globalThis|constructor|prototype)$/;

function take(source: string, at: number, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined && found !== "") return found;
  }
  return undefined;
}
