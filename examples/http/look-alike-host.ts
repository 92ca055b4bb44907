/** Wrong: a longer host that starts alike gets the secret in one case. */
import { program } from "foreclaim";
import * as http from "./tools/http";

export default program({
  guarantees: [http.secretOnlyTo("Authorization", "https://api.example.com/")],
  async run({ region }: { region: string }) {
    const host = region === "" ? "api.example.com" : `api.example.com.${region}`;
    await http.post({
      url: `https://${host}/orders`,
      body: "{}",
      headers: [{ name: "Authorization", value: "Bearer t-1" }],
    });
  },
});
