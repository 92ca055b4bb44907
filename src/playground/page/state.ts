/** The files, what is proved of them, and how the page shows it. */
import { batch, computed, effect, signal } from "@preact/signals";
import { marked } from "../../web/index.ts";
import { limits, type Outcome, type TextFile } from "../messages.ts";
import { type Example, loadExamples } from "./assets.ts";
import { proveProject, startProver, stopProof } from "./prover.ts";
import { exampleFragment, type Project, projectFragment, readFragment } from "./share.ts";

export const examples = signal<readonly Example[]>([]);
export const project = signal<Project>({ entry: "", files: [] });
/** The file in the editor. */
export const open = signal("");
/** The example that the files are, unchanged. */
export const chosen = signal<Example | undefined>(undefined);
/** On a narrow screen there is room for one of them. */
export const pane = signal<"code" | "result">("code");
export const notice = signal("");

export interface Result {
  readonly outcome: Outcome;
  readonly report: unknown;
  readonly ms: number;
  readonly askedSolver: boolean;
  /** The files that were proved; they may have changed since. */
  readonly project: Project;
}

export const result = signal<Result | undefined>(undefined);
export const stage = signal<"idle" | "waiting" | "proving" | "solver">("waiting");

export const openText = computed(() => textOf(project.value, open.value));

export function textOf({ files }: Project, path: string): string {
  return files.find(([name]) => name === path)?.[1] ?? "";
}

/** LIMIT: of waiting after a change, so that not every key is proved. */
const pauseMs = 250;
let due: ReturnType<typeof setTimeout> | undefined;

export async function start(): Promise<void> {
  startProver();
  try {
    examples.value = await loadExamples();
  } catch (error) {
    notice.value = error instanceof Error ? error.message : String(error);
  }
  await readAddress();
}

export async function readAddress(): Promise<void> {
  if (location.hash === written) return;
  const shared = await readFragment(location.hash);
  const first = examples.value[0];
  switch (shared.kind) {
    case "project":
      show(shared.project, undefined);
      return;
    case "example": {
      const found = examples.value.find(({ id }) => id === shared.id);
      if (found === undefined) notice.value = "There is no such example.";
      const shown = found ?? first;
      if (shown !== undefined) showExample(shown);
      return;
    }
    case "damaged":
      notice.value = "The address is damaged, so its program cannot be shown.";
      if (first !== undefined) showExample(first);
      return;
    case "none":
      if (first !== undefined) showExample(first);
  }
}

export function showExample(example: Example): void {
  const { entry, files, id } = example;
  show({ entry, files }, example);
  write(exampleFragment(id));
}

function show(next: Project, example: Example | undefined): void {
  batch(() => {
    project.value = next;
    chosen.value = example;
    open.value = next.entry;
    marked.value = null;
    result.value = undefined;
  });
  proveNow();
}

// ── changes ──────────────────────────────────────────────────────────────────────────────────────────────

export function setText(path: string, text: string): void {
  change({
    ...project.value,
    files: project.value.files.map((file) => (file[0] === path ? [path, text] : file)),
  });
}

/** Returns why the name is refused. */
export function rename(from: string, to: string): string | undefined {
  if (to === from) return undefined;
  if (!isName(to)) return "Use letters, digits, - and _, folders with /, and .ts at the end.";
  const { entry, files } = project.value;
  if (files.some(([path]) => path === to)) return "There is a file of this name.";
  batch(() => {
    if (open.value === from) open.value = to;
    change({
      entry: entry === from ? to : entry,
      files: files.map(([path, text]) => [path === from ? to : path, text]),
    });
  });
  return undefined;
}

export function isName(path: string): boolean {
  return (
    path.length <= limits.pathLength &&
    /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*[A-Za-z0-9_-][A-Za-z0-9._-]*\.ts$/.test(path)
  );
}

export function addFile(): void {
  const { entry, files } = project.value;
  if (files.length >= limits.files) {
    notice.value = `There can be at most ${limits.files} files.`;
    return;
  }
  const names = new Set(files.map(([path]) => path));
  let number = 1;
  while (names.has(nameOf(number))) number++;
  const made: TextFile = [nameOf(number), 'import { tool } from "foreclaim";\n'];
  batch(() => {
    open.value = made[0];
    change({ entry, files: [...files, made] });
  });
}

function nameOf(number: number): string {
  return number === 1 ? "tools/mine.ts" : `tools/mine-${number}.ts`;
}

export function removeFile(path: string): void {
  const { entry, files } = project.value;
  if (path === entry) return;
  batch(() => {
    open.value = entry;
    change({ entry, files: files.filter(([name]) => name !== path) });
  });
}

function change(next: Project): void {
  batch(() => {
    project.value = next;
    chosen.value = undefined;
    stage.value = "waiting";
    marked.value = null;
  });
  clearTimeout(due);
  due = setTimeout(() => {
    proveNow();
    void keep();
  }, pauseMs);
}

// ── proofs ───────────────────────────────────────────────────────────────────────────────────────────────

function proveNow(): void {
  clearTimeout(due);
  const proved = project.value;
  let askedSolver = false;
  stage.value = "proving";
  proveProject(proved, {
    asking: () => {
      askedSolver = true;
      stage.value = "solver";
    },
    done: ({ outcome, report, ms }) => {
      batch(() => {
        stage.value = "idle";
        result.value = { outcome, report, ms, askedSolver, project: proved };
      });
      performance.mark("verdict");
    },
  });
}

export function stop(): void {
  stopProof();
  stage.value = "idle";
  notice.value = "Stopped. The next change proves again.";
}

// ── the address ──────────────────────────────────────────────────────────────────────────────────────────

let written = "";

function write(fragment: string): void {
  written = fragment;
  history.replaceState(null, "", `${location.pathname}${location.search}${fragment}`);
}

async function keep(): Promise<void> {
  const kept = project.value;
  const fragment = await projectFragment(kept);
  if (kept === project.value && chosen.value === undefined) write(fragment);
}

export async function share(): Promise<void> {
  if (chosen.value === undefined) await keep();
  try {
    await navigator.clipboard.writeText(location.href);
    notice.value = "The address is copied. It contains the files; nothing was uploaded.";
  } catch {
    notice.value = "Copy the address of this page: it contains the files.";
  }
}

/** A message is read and then in the way. */
const noticeMs = 8_000;
let fading: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  clearTimeout(fading);
  if (notice.value !== "")
    fading = setTimeout(() => {
      notice.value = "";
    }, noticeMs);
});

// A line that the result points to is one of the program.
effect(() => {
  if (marked.value === null) return;
  open.value = project.peek().entry;
  pane.value = "code";
});
