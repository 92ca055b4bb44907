/** Refused: a function of the program that is named like a contract is none. */
import { program } from "foreclaim";
import * as email from "./tools/email";

const only = (addresses: string[]) => addresses.length > 0;

export default program({
  guarantees: [only(["bob@example.com"])],
  async run() {
    await email.send({ addr: "mallory@elsewhere.example", msg: "The keys are under the mat." });
  },
});
