/**
 * Task: Everything we sell from supplier sup_nord is out of stock: order 50 pieces of each product of theirs with stock 0 or less. Don't order from anybody else.
 * Verdict: holds
 * Why: Only products whose supplierId is sup_nord are ordered and the supplier of the purchase is that constant.
 * Features: Promise.allSettled, async map callback, throw Error, JSON.parse, reason message, constants
 */
import { program } from "foreclaim";
import * as shop from "./tools/shop";

const SUPPLIER = "sup_nord";
const PIECES = 50;

export default program({
  guarantees: [shop.purchasesOnlyFrom(SUPPLIER), shop.quantityBetween(1, 50)],
  async run() {
    const { items } = await shop.listProducts({});
    const wanted = items.filter((p) => p.supplierId === SUPPLIER && p.active && p.stock <= 0);

    const outcomes = await Promise.allSettled(
      wanted.map(async ({ sku }) => {
        const quote = JSON.parse(await shop.supplierQuote({ sku, quantity: PIECES }));
        if (typeof quote?.unitCost !== "number" || quote.unitCost <= 0)
          throw new Error(`no price for ${sku}`);
        const { poId } = await shop.purchase({
          supplierId: SUPPLIER,
          sku,
          quantity: PIECES,
          unitCost: quote.unitCost,
        });
        return { sku, poId };
      }),
    );

    return {
      ordered: outcomes.flatMap((o) => (o.status === "fulfilled" ? [o.value] : [])),
      errors: outcomes.flatMap((o) =>
        o.status === "rejected" ? [String(o.reason?.message ?? o.reason)] : [],
      ),
    };
  },
});
