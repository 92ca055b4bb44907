/** Wrong: looks at how the address begins, and `https://api.example.com@evil.example` begins so; so does the contract that says no more. */
import { program } from "foreclaim";
import * as web from "./tools/web";

export default program({
  guarantees: [web.startsWithOrigin("https://api.example.com"), web.onlyOrigins(["https://api.example.com"])],
  async run({ url }: { url: string }) {
    if (!url.startsWith("https://api.example.com")) return;
    await web.get({ url });
  },
});
