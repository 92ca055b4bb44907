/** Readers of the functional notation and of the one in XML, strict about what they are, that write whole IRIs. */

/** Every axiom, with prefixes written out. */
export function readFunctional(text: string): string[] {
  const tokens = tokensOf(text);
  const prefixes = new Map<string, string>();
  let at = 0;
  const take = (wanted?: string): string => {
    const token = tokens[at++];
    if (token === undefined || (wanted !== undefined && token !== wanted))
      throw new Error(`${wanted} and not ${token}`);
    return token;
  };
  while (tokens[at] === "Prefix") {
    take();
    take("(");
    const prefix = take();
    take("=");
    prefixes.set(prefix, take().slice(1, -1));
    take(")");
  }
  const name = (token: string): string => {
    if (token.startsWith("<")) return token;
    const [prefix = "", local = ""] = token.split(/(?<=:)/);
    const base = prefixes.get(prefix);
    if (base === undefined) throw new Error(`there is no prefix ${prefix}`);
    return `<${base}${local}>`;
  };
  const part = (): string => {
    const token = take();
    if (token === "(") return `(${parts()})`;
    if (tokens[at] === "(" && /^[A-Z][A-Za-z]*$/.test(token)) {
      take("(");
      return `${token}(${parts()})`;
    }
    if (token.startsWith('"')) {
      take("^^");
      const value = token.slice(1, -1).replace(/\\(["\\])/g, "$1");
      return `${JSON.stringify(value)}^^${name(take())}`;
    }
    return /^[0-9]+$/.test(token) ? token : name(token);
  };
  const parts = (): string => {
    const found: string[] = [];
    while (tokens[at] !== ")") found.push(part());
    take(")");
    return found.join(" ");
  };
  take("Ontology");
  take("(");
  take();
  const axioms: string[] = [];
  while (tokens[at] !== ")") axioms.push(part());
  take(")");
  if (at !== tokens.length) throw new Error("something stands after the ontology");
  return axioms;
}

function tokensOf(text: string): string[] {
  const pattern =
    /\s+|("(?:[^"\\]|\\["\\])*"|<[^<>"{}|^`\\\s]*>|\^\^|[()=]|[0-9]+(?![\w:])|[A-Za-z]\w*:(?:[\w.]*\w)?|[A-Z][A-Za-z]*)/gy;
  const tokens: string[] = [];
  for (let end = 0; end < text.length; end = pattern.lastIndex) {
    const match = pattern.exec(text);
    if (match === null) throw new Error(`cannot read: ${text.slice(end, end + 60)}`);
    // A prefix is declared as `owl:=`.
    if (match[1] !== undefined) tokens.push(match[1]);
  }
  return tokens;
}

// ── XML ──────────────────────────────────────────────────────────────────────────────────────────────────

interface Element {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Element | string)[];
}

export function readXml(text: string): string[] {
  const root = parseXml(text);
  if (root.tag !== "Ontology") throw new Error("it is no ontology");
  return elementsOf(root).map(functional);
}

function functional(element: Element): string {
  const { tag, attributes, children } = element;
  const iri = attributes.get("IRI");
  const inner = elementsOf(element).map(functional);
  const text = children.filter((one) => typeof one === "string").join("");
  if (iri !== undefined) return `<${iri}>`;
  if (tag === "IRI") return `<${text}>`;
  if (tag === "Literal") return `${JSON.stringify(text)}^^<${attributes.get("datatypeIRI")}>`;
  if (tag === "FacetRestriction") return `<${attributes.get("facet")}> ${inner.join(" ")}`;
  if (tag === "Declaration") return `Declaration(${elementsOf(element)[0]?.tag}(${inner.join(" ")}))`;
  if (tag === "HasKey") {
    const first = elementsOf(element).findIndex((one) => one.tag === "DataProperty");
    return `HasKey(${inner.slice(0, first).join(" ")} () (${inner.slice(first).join(" ")}))`;
  }
  const number = attributes.get("cardinality");
  return `${tag}(${[...(number === undefined ? [] : [number]), ...inner].join(" ")})`;
}

function elementsOf({ children }: Element): Element[] {
  return children.filter((one) => typeof one !== "string");
}

/** Well-formed XML of elements, attributes and text, with references by number. */
function parseXml(text: string): Element {
  const pattern = /<\?[^>]*\?>|<(\/?)([A-Za-z]+)((?: [A-Za-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  const top: Element = { tag: "", attributes: new Map(), children: [] };
  const open: Element[] = [top];
  for (let end = 0; end < text.length; end = pattern.lastIndex) {
    const match = pattern.exec(text);
    const here = open.at(-1);
    if (match === null || here === undefined) throw new Error(`cannot read: ${text.slice(end, end + 60)}`);
    const [, closing, tag, attributes = "", empty, words] = match;
    if (words !== undefined) {
      if (words.trim() !== "" || here.tag === "Literal") here.children.push(unescaped(words));
    } else if (closing === "/") {
      if (open.pop()?.tag !== tag) throw new Error(`${tag} ends what was not begun`);
    } else if (tag !== undefined) {
      const pairs = Array.from(
        attributes.matchAll(/ ([A-Za-z]+)="([^"]*)"/g),
        ([, name = "", value = ""]) => {
          return [name, unescaped(value)] as const;
        },
      );
      const element: Element = { tag, attributes: new Map(pairs), children: [] };
      here.children.push(element);
      if (empty !== "/") open.push(element);
    }
  }
  const [root] = elementsOf(top);
  if (open.length !== 1 || root === undefined) throw new Error("an element has no end");
  return root;
}

function unescaped(text: string): string {
  if (/[<>"]|&(?!#x[0-9A-F]+;)|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text))
    throw new Error(`not XML: ${text}`);
  return text.replace(/&#x([0-9A-F]+);/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
