/** Wrong: books the editor it needs under a category that has no budget. */
import { program } from "foreclaim";
import * as money from "./tools/money";

const LIMITS = [
  { category: "travel" as const, limit: 300 },
  { category: "food" as const, limit: 40 },
];

export default program({
  guarantees: [money.categoriesAtMost(LIMITS)],
  async run({ needsEditor }: { needsEditor: boolean }) {
    await money.buy({ item: "ticket", price: 120, category: "travel" });
    if (needsEditor) await money.buy({ item: "editor", price: 5, category: "software" });
  },
});
