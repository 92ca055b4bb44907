/** The files of a new project. */
import { agentGuide } from "./agent-guide.ts";

export interface ProjectFile {
  readonly path: string;
  /** Its purpose, in a few words. */
  readonly purpose: string;
  readonly text: string;
}

/** `name`: of the package. */
export function projectFiles(name: string, version: string): readonly ProjectFile[] {
  return [
    { path: "AGENTS.md", purpose: "how agents write programs here", text: agentGuide },
    { path: ".gitignore", purpose: "keeps keys, credentials and ledgers out of git", text: gitignore },
    { path: "foreclaim.json", purpose: "names the folders of trusted tool modules", text: config },
    { path: "pay-power.ts", purpose: "a program that is proved", text: exampleProgram },
    { path: "tools/bank.ts", purpose: "a trusted tool module", text: toolModule },
    { path: "tsconfig.json", purpose: "so that an editor checks types", text: tsconfig },
    {
      path: "package.json",
      purpose: "so that `npm install` finds foreclaim",
      text: packageFile(name, version),
    },
  ];
}

const gitignore = `node_modules/
# Private keys and credentials
*.key
*.agent
*.reviewer
*.credential
# Ledgers, stores and their checkpoints
*.db
*.db-reserve
*.db-shm
*.db-wal
*.checkpoint
`;

const config = `{ "tools": ["./tools"] }
`;

export const toolModule = `/**
 * Payments, as tools. This module is trusted: its author declares the tools, their conditions and the contracts
 * that programs can guarantee. A proof executes nothing; only a run executes the bodies of \`run\`.
 */
import { contract, coverage, tool } from "foreclaim";

/** Returns the amount that is owed to someone. */
export const owed = tool({
  reads: true,
  ensures: (result) => result >= 0,
  run: async ({ to }: { to: string }): Promise<number> => {
    // Ask your own system here.
    return to === "power" ? 84.5 : 0;
  },
});

/** Pays someone. */
export const pay = tool({
  labels: ["money"],
  requires: ({ amount }) => amount > 0,
  cost: ({ amount }) => amount,
  run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {
    // Make the payment here.
    console.log(\`paid \${amount} to \${to}\`);
  },
});

/** All payments together are at most this much. */
export const maxSpend = contract((limit: number) => pay.sum((p) => p.amount) <= limit);

/** Nobody is paid but these. */
export const onlyPays = contract((names: string[]) => pay.all((p) => names.includes(p.to)));

/** Guarantees nothing. */
export const noGuarantees = contract(() => true);

/** A program that pays should say how much, and whom. */
export const policy = coverage({ whenUsed: [pay], recommended: [maxSpend, onlyPays], label: "payments" });
`;

export const exampleProgram = `/** Pays the power bill, and never more than 100. */
import { program } from "foreclaim";
import * as bank from "./tools/bank";

export default program({
  guarantees: [bank.maxSpend(100), bank.onlyPays(["power"])],
  async run() {
    const amount = Math.min(await bank.owed({ to: "power" }), 100);
    if (amount > 0) await bank.pay({ to: "power", amount });
  },
});
`;

const tsconfig = `{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023", "dom"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true,
    "strict": true,
    "skipLibCheck": true,
    "types": [],
    "noEmit": true
  },
  "include": ["*.ts", "tools"]
}
`;

function packageFile(name: string, version: string): string {
  const made = { name, private: true, type: "module", dependencies: { foreclaim: `^${version}` } };
  return `${JSON.stringify(made, undefined, 2)}\n`;
}
