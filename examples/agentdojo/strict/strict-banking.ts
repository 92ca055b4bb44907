/** A policy for those who trust less: what others wrote decides neither what is given to a tool nor whether it is called. */
import { contract, coverage, influencedBy } from "foreclaim";
import {
  schedule_transaction,
  send_money,
  update_password,
  update_scheduled_transaction,
  update_user_info,
} from "../tools/banking";

/** No file and no transaction has a say in any payment. */
export const payments = contract(
  () =>
    send_money.none((e) => influencedBy(e, "outside")) &&
    schedule_transaction.none((e) => influencedBy(e, "outside")) &&
    update_scheduled_transaction.none((e) => influencedBy(e, "outside")),
);

/** No file and no transaction has a say in what becomes of the owner's data. */
export const owner = contract(
  () =>
    update_password.none((e) => influencedBy(e, "outside")) &&
    update_user_info.none((e) => influencedBy(e, "outside")),
);

export const policy = coverage({
  whenUsed: [
    send_money,
    schedule_transaction,
    update_scheduled_transaction,
    update_password,
    update_user_info,
  ],
  recommended: [],
  required: [payments, owner],
  label: "banking, strictly",
});
