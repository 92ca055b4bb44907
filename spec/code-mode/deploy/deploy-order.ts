/**
 * Task: In which order must I deploy the services so that dependencies come first? Warn me about cycles.
 * Verdict: holds
 * Why: Only listServices is called.
 * Features: depth-first recursion, Map by name, union string states, closure over arrays, optional dependsOn
 */
import { program } from "foreclaim";
import * as deploy from "./tools/deploy";

export default program({
  guarantees: [deploy.readOnly()],
  async run() {
    const services = new Map((await deploy.listServices({})).map((s) => [s.name, s]));
    const state = new Map<string, "visiting" | "done">();
    const order: string[] = [];
    const cycles: string[] = [];
    const missing = new Set<string>();

    const visit = (name: string, path: string[]): void => {
      const service = services.get(name);
      if (!service) {
        missing.add(name);
        return;
      }
      if (state.get(name) === "done") return;
      if (state.get(name) === "visiting") {
        cycles.push([...path.slice(path.indexOf(name)), name].join(" → "));
        return;
      }
      state.set(name, "visiting");
      for (const dependency of service.dependsOn ?? []) visit(dependency, [...path, name]);
      state.set(name, "done");
      order.push(name);
    };

    for (const name of [...services.keys()].sort()) visit(name, []);
    return { order, cycles, missing: [...missing] };
  },
});
