/** Invites an address that comes as an input: it is looked at before `send` requires it to be one. */
import { program } from "foreclaim";
import * as email from "./tools/email";

interface Invitation {
  guest: string;
  copyTo?: "bob@example.com" | "carol@example.com";
}

export default program({
  guarantees: [email.atMost(1), email.copiesOnly(["bob@example.com", "carol@example.com"])],
  async run({ guest, copyTo }: Invitation) {
    const isAddress = guest.includes("@") && !guest.includes(" ");
    if (!isAddress) {
      throw new Error("this is no address");
    }
    const cc = copyTo === undefined ? [] : [copyTo];
    await email.send({ addr: guest, msg: "You are invited.", cc });
  },
});
