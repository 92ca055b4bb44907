/** Counters and gauges, as Prometheus reads them. */

const help: Readonly<Record<string, string>> = {
  foreclaim_answers_total: "HTTP responses, by the first digit of their status.",
  foreclaim_failed_sign_ins_total: "Failed authentications.",
  foreclaim_filed_total: "Requests filed at this instance.",
  foreclaim_decisions_total: "Decisions made by people at this instance.",
  foreclaim_rules_added_total: "Rules added to the policy by admins at this instance.",
  foreclaim_proofs_total: "Requests whose proof ended at this instance.",
  foreclaim_proofs_under_way: "Requests being proved at this instance.",
  foreclaim_listeners: "Live listeners to events.",
  foreclaim_waiting: "Clients in a long poll for a change of one request.",
  foreclaim_requests: "Requests in the store, by status.",
  foreclaim_memory_bytes: "Memory of the service, without its prover processes.",
};

export class Metrics {
  readonly #counts = new Map<string, number>();

  /** `labels` as they are written: `status="2xx"`. */
  count(name: string, labels = "", by = 1): void {
    const key = labels === "" ? name : `${name}{${labels}}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
  }

  value(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** With what is measured only when it is asked for. */
  text(gauges: ReadonlyMap<string, number>): string {
    const all = new Map([...this.#counts, ...gauges]);
    const names = [...new Set([...all.keys()].map((key) => key.replace(/\{.*$/, "")))].sort();
    const lines = names.flatMap((name) => [
      `# HELP ${name} ${help[name] ?? name}`,
      `# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}`,
      ...[...all]
        .filter(([key]) => key === name || key.startsWith(`${name}{`))
        .map(([key, value]) => `${key} ${value}`),
    ]);
    return `${lines.join("\n")}\n`;
  }
}
