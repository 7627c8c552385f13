import { describe, expect, test } from "vitest";
import { readJunit } from "./junit.ts";

describe("a JUnit report", () => {
  test("of every dialect", () => {
    const report = `<?xml version="1.0"?><testsuites><testsuite name="s"><testcase name="a" classname="c"/>
      <testcase name="b" classname="c" file="t.py" line="3"><failure message="no &lt;way&gt;"/></testcase>
      <testcase name="d"><error><![CDATA[why]]></error></testcase><testcase name="e"><skipped/></testcase>
      <testsuite name="inner"><testcase name="f"><system-out>said</system-out></testcase></testsuite></testsuite></testsuites>`;
    expect(readJunit(report)?.map(({ name, outcome, message }) => `${name} ${outcome} ${message}`)).toEqual([
      "a passed ",
      "b failed no <way>",
      "d failed why",
      "e skipped ",
      "f passed ",
    ]);
  });

  test.each([
    ["", "nothing"],
    ["<testsuite><testcase>", "cut off"],
    ['<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', "with entities"],
    ["<a>".repeat(10_000), "too deep"],
  ])("that makes no sense is none (%#)", (text) => expect(readJunit(text)).toBeUndefined());
});
