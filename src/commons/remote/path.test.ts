import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/harness/commons/any-character.ts";
import { path, queryText } from "./path.ts";

describe("paths", () => {
  it("keep whatever is put in as one name (C01)", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (id) => {
        let made: string;
        try {
          made = path`/tickets/${id}/assign`;
        } catch (error) {
          expect(error).toMatchObject({ code: "VALIDATION_ERROR" });
          return;
        }
        const url = new URL(`https://forge.example/api${made}?a=b`);
        expect(url.pathname.split("/").slice(0, 3)).toEqual(["", "api", "tickets"]);
        expect(url.pathname.split("/")).toHaveLength(5);
        expect(decodeURIComponent(url.pathname.split("/")[3] ?? "")).toBe(id);
        expect([url.search, url.hash]).toEqual(["?a=b", ""]);
      }),
      { examples: [[".."], ["."], [""], ["../users"], ["a/b"], ["a?x=1"], ["a#b"], ["%2e%2e"], ["\u0000"], ["\\"]] },
    );
  });

  it.each(["", ".", "..", "\ud800"])("refuse %j, which would lead elsewhere", (id) => {
    expect(() => path`/tickets/${id}`).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });

  it("carry lists with commas and leave out what is not asked", () => {
    expect(queryText({ status: ["READY", "DRAFT"], text: "a&b=c", limit: 5, cursor: undefined })).toBe(
      "?status=READY%2CDRAFT&text=a%26b%3Dc&limit=5",
    );
    expect(queryText({})).toBe("");
  });
});
