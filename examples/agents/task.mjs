// The task of all agents here, and a model that is none: it looks for tools, writes a program that pays too much, reads
// the counterexample, repairs the program and runs it. A real model goes in its place.

const programFor = (guard) => `import { program } from "foreclaim";
import * as shop from "./tools/shop";

export default program({
  guarantees: [shop.spendsAtMost(100), shop.onlyPays(["paper & co"])],
  async run() {
    const found = (await shop.invoices()).find((one) => one.payee === "paper & co");
    if (found === undefined || found.amount <= 0${guard}) return "nothing to pay";
    await shop.pay({ payee: "paper & co", amount: found.amount });
    return \`paid \${found.id}\`;
  },
});
`;

export const task = "Pay the open invoice of paper & co, at most 100.";

/** The next call of a tool, from the answer to the last one; undefined when the task is done. */
export function thinker() {
  let step = 0;
  return (last) => {
    if (last !== undefined) console.log(`  -> ${summaryOf(last)}`);
    const turn = [
      { tool: "search_tools", args: { query: "pay an invoice" } },
      { tool: "prove", args: { program: programFor("") } },
      { tool: "run", args: { program: programFor(" || found.amount > 100") } },
    ][step++];
    if (turn !== undefined) console.log(`the model calls ${turn.tool}`);
    return turn;
  };
}

/** A person, who says on the command line what they will answer. */
export function person(question) {
  const isApproved = process.argv[2] !== "no";
  if (question !== undefined) console.log(question.replace(/^/gm, "  | "));
  console.log(`the person says ${isApproved ? "yes" : "no"}`);
  return isApproved;
}

function summaryOf(answer) {
  if (answer.tools) return answer.tools.map(({ name }) => name).join(", ");
  const wrong = answer.guarantees?.find(({ verdict }) => verdict !== "proved");
  if (wrong)
    return `${answer.verdict}: ${wrong.text}, and ${JSON.stringify(wrong.counterexample.calls[1].args)} breaks it`;
  if (answer.status === "done") return `${answer.status}: ${answer.result}`;
  return answer.status ? `${answer.status}: ${answer.reason}` : JSON.stringify(answer);
}
