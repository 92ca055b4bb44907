/** The real service: a `foreclaim serve` process with its own store, and an agent that speaks to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Filed, NewRequest, Progress, RequestDetail } from "../../src/approve/wire.ts";
import { foreclaim, root } from "../cli/built.ts";

export interface RealService {
  readonly address: string;
  /** The address that signs a reviewer in, once. */
  readonly page: string;
  /** The credentials of those who decide. */
  readonly reviewer: string;
  readonly admin: string;
  /** The file with the agent's, and that with the key which receipts are verified by. */
  readonly agentFile: string;
  readonly keyFile: string;
  readonly file: (request: Pick<NewRequest, "program"> & Partial<NewRequest>) => Promise<string>;
  readonly read: (id: string) => Promise<RequestDetail>;
  /** The first state of the request that is as it should be. */
  readonly until: (id: string, is: (request: RequestDetail) => boolean) => Promise<RequestDetail>;
  readonly progress: (id: string, progress: Progress) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @param folder where its tool modules are, from the root */
export async function startService(folder: string): Promise<RealService> {
  const home = mkdtempSync(join(tmpdir(), "foreclaim-page-"));
  const store = join(home, "approvals.db");
  const policy = join(home, "policy.json");
  writeFileSync(policy, '{ "version": 1, "rules": [] }');
  const args = ["serve", "--store", store, "--policy", policy, "--port", "0", "--json", "--workers", "1"];
  const child = spawn(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
    cwd: join(root, folder),
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const started = await firstLine(child);
  const { address, page, credentials } = JSON.parse(started);
  const agent = readFileSync(credentials.agent, "utf8").trim();
  const admin = [
    "serve",
    "credential",
    "make",
    "--name",
    "ada",
    "--role",
    "admin",
    "--store",
    store,
    "--json",
  ];
  const made = await foreclaim(admin);
  const ask = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const headers = { authorization: `Bearer ${agent}`, "content-type": "application/json" };
    const response = await fetch(`${address}/api/requests${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const read = async (id: string): Promise<RequestDetail> =>
    (await (await ask("GET", `/${id}`)).json()) as RequestDetail;
  return {
    address,
    page,
    reviewer: readFileSync(credentials.reviewer, "utf8").trim(),
    admin: JSON.parse(made.out).credential,
    agentFile: credentials.agent,
    keyFile: `${store}.pub`,
    read,
    file: async (request) => {
      const whole = { inputs: {}, budget: null, kernel: "0".repeat(64), ...request };
      const filed = (await (await ask("POST", "", whole)).json()) as Filed;
      return filed.id;
    },
    until: async (id, is) => {
      for (let found = await read(id); ; ) {
        if (is(found)) return found;
        const answer = await ask("GET", `/${id}/wait?revision=${found.revision}&seconds=30`);
        found = (await answer.json()) as RequestDetail;
      }
    },
    progress: async (id, progress) => {
      await ask("PUT", `/${id}/progress`, progress);
    },
    close: async () => {
      const ended = new Promise((resolve) => child.on("close", resolve));
      child.kill();
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = "";
    let err = "";
    child.stderr?.on("data", (chunk) => {
      err += chunk;
    });
    child.stdout?.on("data", (chunk) => {
      out += chunk;
      if (out.includes("\n")) resolve(out.slice(0, out.indexOf("\n")));
    });
    child.on("close", (code) => reject(new Error(`the service ended with ${code}\n${err}`)));
  });
}
