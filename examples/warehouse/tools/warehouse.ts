/** A warehouse: orders, shelves and payments in memory, and promises about what state they are left in. */
import { contract, coverage, fluent, type Int, tool, unknown } from "foreclaim";

export type Stage = "new" | "packed" | "shipped" | "cancelled";

export interface Order {
  id: string;
  item: string;
  quantity: Int;
  express: boolean;
  paid: boolean;
}

export interface Place {
  shelf: Int;
  cold: boolean;
}

const book: Order[] = [{ id: "o-1", item: "lamp", quantity: 2, express: false, paid: true }];
const journal: string[] = [];

/** The stage that an order has reached. Before the run all are new. */
export const stage = fluent<string, Stage>({ initial: "new" });

/** The number of an item in stock; unknown before the run. */
export const stock = fluent<string, Int>({ initial: unknown });

/** True if an order is paid; unknown before the run. */
export const paid = fluent<string, boolean>({ initial: unknown });

/** The number of boxes on a shelf. */
export const boxes = fluent<Int, Int>({ initial: 0 });

/** The place of an item. */
export const place = fluent<string, Place>({ initial: { shelf: 0, cold: false } });

/** Orders that came in; nobody orders less than one or more than ten of anything. */
export const orders = tool({
  reads: true,
  ensures: (found) => found.length <= 50 && found.every((one) => one.quantity >= 1 && one.quantity <= 10),
  run: async (): Promise<Order[]> => book,
});

/** Items that must be kept cold. */
export const coldItems = tool({ reads: true, run: async (): Promise<string[]> => ["milk", "milk", "fish"] });

/** Packs an order that is new. */
export const pack = tool({
  requires: ({ order }) => stage.get(order) === "new",
  effects: ({ order }) => [stage.set(order, "packed")],
  run: async ({ order }: { order: string }): Promise<void> => {
    journal.push(`packed ${order}`);
  },
});

/** Ships an order that is packed. */
export const ship = tool({
  requires: ({ order }) => stage.get(order) === "packed",
  effects: ({ order }) => [stage.set(order, "shipped")],
  run: async ({ order }: { order: string }): Promise<void> => {
    journal.push(`shipped ${order}`);
  },
});

/** Cancels an order, whatever became of it. */
export const cancel = tool({
  idempotent: true,
  effects: ({ order }) => [stage.set(order, "cancelled")],
  run: async ({ order }: { order: string }): Promise<void> => {
    journal.push(`cancelled ${order}`);
  },
});

/** Opens an order again, whatever became of it. */
export const reopen = tool({
  idempotent: true,
  effects: ({ order }) => [stage.set(order, "new")],
  run: async ({ order }: { order: string }): Promise<void> => {
    journal.push(`opened ${order}`);
  },
});

/** Notes that an order is paid. */
export const settle = tool({
  idempotent: true,
  effects: ({ order }) => [paid.set(order, true)],
  run: async ({ order }: { order: string }): Promise<void> => {
    journal.push(`paid ${order}`);
  },
});

/** Notes that an order is not paid. */
export const unsettle = tool({
  idempotent: true,
  effects: ({ order }) => [paid.set(order, false)],
  run: async ({ order }: { order: string }): Promise<void> => {
    journal.push(`not paid ${order}`);
  },
});

/** Takes some of an item, if there are so many. */
export const take = tool({
  requires: ({ item, quantity }) => quantity >= 0 && stock.get(item) >= quantity,
  effects: ({ item, quantity }) => [stock.set(item, stock.get(item) - quantity)],
  run: async ({ item, quantity }: { item: string; quantity: Int }): Promise<void> => {
    journal.push(`took ${quantity} ${item}`);
  },
});

/** Adds some of an item. */
export const restock = tool({
  requires: ({ quantity }) => quantity >= 0,
  effects: ({ item, quantity }) => [stock.set(item, stock.get(item) + quantity)],
  run: async ({ item, quantity }: { item: string; quantity: Int }): Promise<void> => {
    journal.push(`added ${quantity} ${item}`);
  },
});

/** Changes what is noted of an item by so many, up or down. */
export const correct = tool({
  effects: ({ item, by }) => [stock.set(item, stock.get(item) + by)],
  run: async ({ item, by }: { item: string; by: Int }): Promise<void> => {
    journal.push(`${by} ${item}`);
  },
});

/** Counts what is there, and writes it down as what there is. */
export const recount = tool({
  requires: ({ quantity }) => quantity >= 0,
  effects: ({ item, quantity }) => [stock.set(item, quantity)],
  run: async ({ item, quantity }: { item: string; quantity: Int }): Promise<void> => {
    journal.push(`${quantity} ${item}`);
  },
});

/** Puts a box on a shelf; above five boxes it does not stand. */
export const stack = tool({
  requires: ({ shelf }) => boxes.get(shelf) < 5,
  effects: ({ shelf }) => [boxes.set(shelf, boxes.get(shelf) + 1)],
  run: async ({ shelf }: { shelf: Int }): Promise<void> => {
    journal.push(`box on ${shelf}`);
  },
});

/** Takes all boxes off a shelf. */
export const clear = tool({
  effects: ({ shelf }) => [boxes.set(shelf, 0)],
  run: async ({ shelf }: { shelf: Int }): Promise<void> => {
    journal.push(`cleared ${shelf}`);
  },
});

/** Moves an item to a shelf. */
export const move = tool({
  effects: ({ item, shelf, cold }) => [place.set(item, { shelf, cold })],
  run: async ({ item, shelf, cold }: { item: string; shelf: Int; cold: boolean }): Promise<void> => {
    journal.push(`${item} is on ${shelf}${cold ? ", cold" : ""}`);
  },
});

/** Nothing is left packed and not shipped. */
export const nothingHalfDone = contract(() => stage.final.none((one) => one.value === "packed"));

/** This order is shipped in the end. */
export const shippedAtEnd = contract((order: string) => stage.final.get(order) === "shipped");

/** This order is cancelled in the end. */
export const cancelledAtEnd = contract((order: string) => stage.final.get(order) === "cancelled");

/** Every order that came in is shipped in the end. */
export const everyOrderShipped = contract(() =>
  orders.rows.all((one) => stage.final.get(one.id) === "shipped"),
);

/** Every order that came in is paid in the end. */
export const everyOrderPaid = contract(() => orders.rows.all((one) => paid.final.get(one.id)));

/** No order is ever cancelled. */
export const neverCancels = contract(() => stage.always.all((one) => one.value !== "cancelled"));

/** No more than so many orders are cancelled in the end. */
export const cancelledAtMost = contract(
  (n: number) => stage.final.count((one) => one.value === "cancelled") <= n,
);

/** Every order that is shipped at the end is paid. */
export const shippedIsPaid = contract(() =>
  stage.final.all((one) => one.value !== "shipped" || paid.final.get(one.key)),
);

/** Nothing that was paid before is unpaid in the end. */
export const staysPaid = contract(() => paid.final.all((one) => one.value || !paid.initial.get(one.key)));

/** There is never less of anything in the end than there was before. */
export const nothingIsLost = contract(() =>
  stock.final.all((one) => one.value >= stock.initial.get(one.key)),
);

/** There is never more of anything than there was before. */
export const nothingIsAdded = contract(() =>
  stock.always.all((one) => one.value <= stock.initial.get(one.key)),
);

/** Nobody touches this item. */
export const untouched = contract((item: string) => stock.final.get(item) === stock.initial.get(item));

/** If stock is never negative before the run, it is never negative in it. */
export const neverNegative = contract(
  (item: string) =>
    stock.initial.get(item) < 0 || stock.always.all((one) => one.key !== item || one.value >= 0),
);

/** No shelf ever has more boxes than this. */
export const boxesAtMost = contract((n: number) => boxes.always.all((one) => one.value <= n));

/** All shelves but this one are as empty in the end as they were before. */
export const onlyShelf = contract((shelf: Int) =>
  boxes.final.all((one) => one.key === shelf || one.value === 0),
);

/** Nothing lies on the floor, which is below shelf zero. */
export const nothingOnTheFloor = contract(() => place.final.all((one) => one.value.shelf >= 0));

/** Every item on this shelf is kept cold. */
export const coldShelf = contract((shelf: Int) =>
  place.final.all((one) => one.value.shelf !== shelf || one.value.cold),
);

/** At most so many are taken of any one item. */
export const takenAtMost = contract((n: number) => take.perKey((t) => t.item).sum((t) => t.quantity) <= n);

/** At most so many are taken in all. */
export const takenInAll = contract((n: number) => take.sum((t) => t.quantity) <= n);

export const policy = coverage({
  whenUsed: [pack],
  recommended: [nothingHalfDone],
  required: [],
  label: "warehouse",
});
