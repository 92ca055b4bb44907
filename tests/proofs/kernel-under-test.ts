/** The functions of the kernel that the model is compared with. The faults of the mutation test go into a bundle of this file. */
export { decodeCommand } from "../../src/kernel/core/command.ts";
export { decodePolicy } from "../../src/kernel/core/policy.ts";
export { decide } from "../../src/kernel/core/step.ts";
export { seal } from "../../src/kernel/trace/entry.ts";
export { decodeInitial, openKernel } from "../../src/kernel/trace/open.ts";
export { again } from "../../src/kernel/trace/read.ts";
export { entriesOf } from "../../src/kernel/trie.ts";
