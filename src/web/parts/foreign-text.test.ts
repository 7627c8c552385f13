import { expect, test } from "vitest";
import { showHidden, splitText } from "./foreign-text.ts";

test("links are split off with the host that they really lead to, and markup stays text", () => {
  expect(splitText("See <b>this</b> [bank](https://bank.example@evil.example/login).")).toEqual([
    { text: "See <b>this</b> [bank](" },
    {
      href: "https://bank.example@evil.example/login",
      before: "https://bank.example@",
      host: "evil.example",
      after: "/login",
    },
    { text: ")." },
  ]);
  expect(splitText("javascript:alert(1) data:text/html,x")).toEqual([{ text: "javascript:alert(1) data:text/html,x" }]);
  expect(splitText("http://b\u0430nk.example")).toMatchObject([{ host: "xn--bnk-6cd.example" }]);
});

test("what hides or reorders text is shown, and emoji stay", () => {
  expect(showHidden("a\u202eb\u200bc\u{e0041}")).toBe("a\\u{202e}b\\u{200b}c\\u{e0041}");
  expect(showHidden("👩‍💻 ❤️\r\n\tx")).toBe("👩‍💻 ❤️\n\tx");
});
