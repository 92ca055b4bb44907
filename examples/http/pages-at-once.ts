/** Fetches several pages at the same time and reports it if one is missing: `Promise.all` of a list that is known. */
import { program } from "foreclaim";
import * as http from "./tools/http";

const API = "https://api.example.com";

export default program({
  guarantees: [
    http.onlyUrls([`${API}/health`, `${API}/orders/17`, `${API}/about`, `${API}/alarm`]),
    http.atMost(4),
    http.keyed(),
    http.readsMoreThanItSends(),
  ],
  async run() {
    const paths = ["health", "orders/17", "about"];
    const pages = await Promise.all(paths.map((path) => http.get({ url: `${API}/${path}` })));
    if (pages.some(({ status }) => status === 404)) {
      await http.post({ url: `${API}/alarm`, body: "a page is missing", key: "pages-1" });
    }
  },
});
