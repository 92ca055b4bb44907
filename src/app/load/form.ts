/** The form of a program, by the name of its file or by its text: the one place that looks at names. */
import { isJsonObject, readJson } from "../../ir/index.ts";

/** TypeScript, a document of the Effect IR in text or JSON, or a plan. */
export type ProgramForm = (typeof programForms)[number];

export const programForms = ["ts", "eir", "plan"] as const;

/** Returns the form that a name stands for; a plan is told from a document by its text alone. */
export function formOfName(path: string): ProgramForm {
  return isTypeScript(path) ? "ts" : "eir";
}

/** Returns the forms that a file of this name can have. */
export function formsOfName(path: string): readonly ProgramForm[] {
  const [, extension = ""] = /\.([cm]?ts|eir|json)$/.exec(path) ?? [];
  if (extension === "") return programForms;
  return extension === "json" ? ["eir", "plan"] : [formOfName(path)];
}

export function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

export function isDocument(path: string): boolean {
  return /\.(eir|json)$/.test(path);
}

export function isJson(path: string): boolean {
  return path.endsWith(".json");
}

/** Tells JavaScript and JSX, which nobody can prove. */
export function isOtherScript(path: string): boolean {
  return /\.([cm]?jsx?|tsx)$/.test(path);
}

/** Tells a saved tool layer from a folder of tool modules. */
export function isSavedLayer(path: string): boolean {
  return isJson(path);
}

/**
 * Recognizes a form by the text alone. Everything that is neither an Effect IR header nor JSON is TypeScript, whose
 * front end refuses what is no program.
 */
export function formOfText(text: string, isStated = false): ProgramForm {
  const start = text.slice(0, longestStart).replace(/^\uFEFF?(?:\s|\/\/[^\n\r]*(?:[\n\r]|$))*/, "");
  if (/^effect-ir\b/.test(start)) return "eir";
  // No TypeScript program is a block that begins with a text.
  if (!/^\{\s*(?:"|\}\s*$)/.test(start)) return "ts";
  return isStated || isPlan(text) ? "plan" : "eir";
}

/** LIMIT: of comments and blanks before a program. */
const longestStart = 100_000;

/** True also for JSON that is cut off, so that the reader of plans says what is wrong with it. */
function isPlan(text: string): boolean {
  const read = readJson(text);
  if (!read.ok) return text.includes('"actions"') && !text.includes('"effectIr"');
  const { value } = read.value;
  return isJsonObject(value) && "actions" in value && !("effectIr" in value);
}

/** Tells a document from a TypeScript program in a text that has no file name. */
export function looksLikeDocument(text: string): boolean {
  return /^\uFEFF?(?:\s|\/\/[^\n\r]*[\n\r])*(?:\{|effect-ir\b)/.test(text);
}
