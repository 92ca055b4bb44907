import { describe, expect, it } from "vitest";
import { readDocument, readJson } from "../../ir/index.ts";
import { readMocks } from "./mocks-file.ts";

const document = readDocument("effect-ir 1\ntool bank.balance() -> real\ntool bank.pay(amount: real)");
if (!document.ok) throw new Error("unreadable");
const { checked } = document.value;

function read(text: string) {
  const json = readJson(text);
  if (!json.ok) throw new Error(json.problems[0]!.message);
  return readMocks(checked, json.value.value);
}

describe("a mocks file", () => {
  it("says what tools answer, always or call by call", () => {
    const mocks = read(
      '{"bank.balance": {"returns": true}, "bank.pay": [{"fails": "no"}, {"returns": null}]}',
    );
    expect(mocks).toEqual({
      ok: true,
      value: new Map([
        ["bank.balance", { kind: "always", answer: { kind: "returns", value: true } }],
        [
          "bank.pay",
          {
            kind: "each",
            answers: [
              { kind: "fails", reason: "no" },
              { kind: "returns", value: null },
            ],
          },
        ],
      ]),
    });
  });

  it("may be empty", () => {
    expect(read("{}")).toEqual({ ok: true, value: new Map() });
    expect(read('{"bank.pay": []}').ok).toBe(true);
  });

  it.each<[text: string, path: readonly (string | number)[], message: string, help?: string]>([
    ["[]", [], "mocks must be an object from tool names to tool results"],
    [
      '{"bank.balanse": {}}',
      ["bank.balanse"],
      "the document has no tool `bank.balanse`",
      "did you mean `bank.balance`?",
    ],
    ['{"x": {}}', ["x"], "the document has no tool `x`", "its tools are `bank.balance`, `bank.pay`"],
    ['{"bank.balance": 5}', ["bank.balance"], "a tool result is an object"],
    ['{"bank.balance": [5]}', ["bank.balance", 0], "a tool result is an object"],
    ['{"bank.balance": {}}', ["bank.balance"], "a tool result needs `returns` or `fails`"],
    ['{"bank.balance": {"return": 5}}', ["bank.balance", "return"], "a tool result has no field `return`"],
    ['{"bank.balance": {"returns": 5, "x": 1}}', ["bank.balance", "x"], "a tool result has no field `x`"],
    [
      '{"bank.balance": {"returns": 5, "fails": "x"}}',
      ["bank.balance"],
      "a tool result cannot both return and fail",
    ],
    ['{"bank.balance": {"fails": 5}}', ["bank.balance", "fails"], "the reason of a failure is a string"],
    [
      '{"bank.pay": {"returns": 5}}',
      ["bank.pay", "returns"],
      "`bank.pay` returns nothing",
      'write {"returns": null}',
    ],
    ['{"__proto__": {"returns": 5}}', ["__proto__"], "the document has no tool `__proto__`"],
  ])("is refused: %s", (text, path, message, help) => {
    const mocks = read(text);
    if (mocks.ok) throw new Error("it was taken");
    expect(mocks.problems).toHaveLength(1);
    expect(mocks.problems[0]).toMatchObject({ path, message, ...(help === undefined ? {} : { help }) });
  });
});
