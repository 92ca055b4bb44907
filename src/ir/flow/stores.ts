/**
 * Stores of tools. A tool without declared stores may write to any store, and may read its result from any. Part of
 * what must be trusted.
 */
import type { Trail } from "../diagnostic.ts";
import type { Tool } from "../document.ts";
import { constant, type Graph, type Node } from "./graph.ts";

/** A store: everything, any store, or a named one. */
type Place = "everything" | "anywhere" | `store ${string}`;

const placeOf = (store: string): Place => `store ${store}`;

export type Entered = ReadonlyMap<Place, Node>;

export class Stores {
  readonly #graph: Graph;
  /** Contents of the stores at this point of the program. */
  #held: Map<Place, Node>;

  constructor(graph: Graph, tools: readonly Tool[]) {
    this.#graph = graph;
    const named = tools.flatMap(({ stores }) => stores ?? []).map(placeOf);
    const places: readonly Place[] = ["everything", "anywhere", ...named];
    this.#held = new Map(places.map((place) => [place, constant]));
  }

  /** Returns the nodes that the tool's result may come from. */
  read({ stores }: Tool): readonly Node[] {
    const places: readonly Place[] =
      stores === undefined ? ["everything"] : stores.length === 0 ? [] : ["anywhere", ...stores.map(placeOf)];
    return [...new Set(places)].map((place) => this.#at(place));
  }

  write({ stores }: Tool, kept: Node, at: Trail): void {
    if (stores?.length === 0) return;
    const places: readonly Place[] = stores === undefined ? ["anywhere"] : stores.map(placeOf);
    for (const place of new Set<Place>(["everything", ...places])) {
      const after = this.#graph.node();
      for (const from of [this.#at(place), kept]) this.#graph.edge({ from, to: after, how: "kept", at });
      this.#held.set(place, after);
    }
  }

  /** At the beginning of every iteration of a loop, or of branches that run at the same time. */
  enter(at: Trail): Entered {
    const entered = new Map<Place, Node>();
    for (const [place, from] of this.#held) {
      const to = this.#graph.node();
      this.#graph.edge({ from, to, how: "kept", at });
      entered.set(place, to);
    }
    this.#held = new Map(entered);
    return entered;
  }

  /** An iteration comes after another, or beside it: what one has kept, another may be given. */
  goRound(entered: Entered, loop: string, at: Trail): void {
    for (const [place, to] of entered)
      this.#graph.edge({ from: this.#at(place), to, how: "kept", at, turns: loop });
  }

  /** Branches run at the same time: what one has kept, every other may be given, whichever is written first. */
  mix(entered: Entered, at: Trail): void {
    for (const [place, to] of entered) this.#graph.edge({ from: this.#at(place), to, how: "kept", at });
  }

  #at(place: Place): Node {
    const node = this.#held.get(place);
    if (node === undefined) throw new TypeError(`there is no ${place}`);
    return node;
  }
}
