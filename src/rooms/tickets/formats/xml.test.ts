import { SaxesParser } from "saxes";
import { describe, expect, it } from "vitest";
import { decodeTickets, encodeTicket } from "./index.ts";

const read = (text: string) => decodeTickets(text, { format: "xml", source: "ticket.xml" });

const exported = `<?xml version="1.0" encoding="UTF-8"?>
<ticket version="1.0">
  <metadata>
    <id>aec_1</id><title>Add logout</title><type>feature</type><priority>high</priority><status>approved</status>
    <qualityScore>88</qualityScore><createdAt>2026-03-01T10:00:00.000Z</createdAt>
    <repository>acme/shop</repository><branch>main</branch>
    <generationPreferences><wireframes>true</wireframes></generationPreferences>
    <stack><language>TypeScript</language><framework>Hono</framework></stack>
  </metadata>
  <specification>
    <problemStatement>
      <narrative><![CDATA[Nobody can <leave>]]></narrative><whyItMatters>Shared computers</whyItMatters>
      <assumption>Cookies</assumption><assumption>One tab</assumption><constraint>No new table</constraint>
    </problemStatement>
    <solution>
      <overview><![CDATA[A route & a button]]></overview>
      <step order="1"><description>Route</description><file>src/auth.ts</file></step>
    </solution>
    <scope><inScope>Web</inScope><outOfScope>Mobile</outOfScope></scope>
  </specification>
  <implementation>
    <files><file action="create" layer="backend">src/a.ts</file><file action="modify" layer="frontend">src/b.ts</file></files>
    <apis><endpoint method="POST" route="/logout" auth="required" status="new">
      <description>Ends it</description><requestDto>None</requestDto></endpoint></apis>
    <testPlan><summary>Both ways</summary>
      <unitTests><test type="unit"><name>ends</name><file>a.test.ts</file><description>calls</description></test></unitTests>
      <edgeCases><test>Twice</test></edgeCases></testPlan>
  </implementation>
  <designTokens><colour>red</colour><colour>blue</colour></designTokens>
  <acceptanceCriteria>
    <criterion id="AC-1"><given>a session</given><when>I leave</when><then>it ends</then><notes>cookie</notes></criterion>
  </acceptanceCriteria>
</ticket>`;

describe("an exported AEC file", () => {
  it("is a server's ticket", () => {
    expect(read(exported)).toEqual({
      format: "xml",
      warnings: [],
      documents: [
        {
          id: "aec_1",
          title: "Add logout",
          type: "feature",
          priority: "high",
          status: "approved",
          createdAt: "2026-03-01T10:00:00.000Z",
          repositoryContext: { repositoryFullName: "acme/shop", branchName: "main" },
          generationPreferences: { wireframes: "true" },
          techSpec: {
            qualityScore: 88,
            stack: { language: "TypeScript", framework: "Hono" },
            problemStatement: {
              narrative: "Nobody can <leave>",
              whyItMatters: "Shared computers",
              assumptions: ["Cookies", "One tab"],
              constraints: ["No new table"],
            },
            solution: {
              overview: "A route & a button",
              steps: [{ order: 1, description: "Route", file: "src/auth.ts" }],
            },
            acceptanceCriteria: [
              JSON.parse(
                '{"id":"AC-1","given":"a session","when":"I leave","then":"it ends","implementationNotes":"cookie"}',
              ),
            ],
            layeredFileChanges: {
              backend: [{ path: "src/a.ts", action: "create" }],
              frontend: [{ path: "src/b.ts", action: "modify" }],
            },
            apiChanges: {
              endpoints: [
                {
                  method: "POST",
                  route: "/logout",
                  authentication: "required",
                  status: "new",
                  description: "Ends it",
                  requestDto: "None",
                },
              ],
            },
            testPlan: {
              summary: "Both ways",
              unitTests: [{ type: "unit", testName: "ends", testFile: "a.test.ts", description: "calls" }],
              edgeCases: ["Twice"],
            },
            inScope: ["Web"],
            outOfScope: ["Mobile"],
            designTokens: { colour: ["red", "blue"] },
          },
        },
      ],
    });
  });

  it("is written again with the same elements in the same order", () => {
    const [document = {}] = read(exported).documents;
    const again = encodeTicket(document, "xml");
    const ours = elementsOf(again).filter((path) => !path.includes("forge:remainder"));
    const left = (path: string) => !path.includes("generationPreferences") && !path.includes("designTokens");
    expect(ours).toEqual(elementsOf(exported).filter(left));
    expect(read(again).documents).toEqual([document]);
  });

  it("can hold several tickets", () => {
    const tickets = "<tickets><ticket><title>One</title></ticket><ticket><title>Two</title></ticket></tickets>";
    expect(read(tickets).documents).toEqual([{ title: "One" }, { title: "Two" }]);
  });

  it("says what it does not understand, with the line", () => {
    const { documents, warnings } = read("<ticket>\n<title>One</title>\n<mood>good</mood></ticket>");
    expect(documents).toEqual([{ title: "One" }]);
    expect(warnings).toEqual(["<mood> on line 3 is not part of a ticket and was left out."]);
  });
});

describe("the short XML that prompts are made of", () => {
  it("is a ticket with everything at the top", () => {
    const short = `\ufeff<ticket id="aec_1" status="ready">
      <title>Add &amp; remove</title><description>Why</description><problemStatement>Bad</problemStatement>
      <solution>Good</solution>
      <acceptanceCriteria><item>One</item><item>Two</item></acceptanceCriteria>
      <fileChanges><change path="src/a.ts" action="modify">notes</change><change path="b.ts" action="create"/></fileChanges>
      <apiChanges>POST /x</apiChanges><testPlan>Try</testPlan>
    </ticket>`;
    expect(read(short).documents).toEqual([
      {
        id: "aec_1",
        status: "ready",
        title: "Add & remove",
        description: "Why",
        problemStatement: "Bad",
        solution: "Good",
        acceptanceCriteria: ["One", "Two"],
        fileChanges: [
          { path: "src/a.ts", action: "modify", notes: "notes" },
          { path: "b.ts", action: "create" },
        ],
        apiChanges: "POST /x",
        testPlan: "Try",
      },
    ]);
  });
});

describe("our XML", () => {
  it("keeps narratives as they are written, and cuts what would end them", () => {
    const narrative = "a <b> & ]]> c";
    const xml = encodeTicket({ title: "T", techSpec: { problemStatement: { narrative } } }, "xml");
    expect(xml).toContain("<narrative><![CDATA[a <b> & ]]]]><![CDATA[> c]]></narrative>");
    expect(xml).not.toContain("forge:remainder");
  });

  it("shows a mark where XML has no character, and still knows it", () => {
    const document = { title: "nul \0 and \ud800" };
    const xml = encodeTicket(document, "xml");
    expect(xml).toContain("<title>nul \ufffd and \ufffd</title>");
    expect(read(xml).documents).toEqual([document]);
  });

  it("leaves out what is empty", () => {
    const document = { title: "T", description: "", techSpec: { problemStatement: {}, inScope: [] } };
    const names = elementsOf(encodeTicket(document, "xml"));
    expect(names).toEqual(["ticket", "ticket/metadata", "ticket/metadata/title", "ticket/forge:remainder"]);
  });
});

/** By a strict parser that checks namespaces too: the path of every element, in order. */
function elementsOf(xml: string): string[] {
  const parser = new SaxesParser({ xmlns: true });
  const open: string[] = [];
  const paths: string[] = [];
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    open.push(name);
    paths.push(open.join("/"));
  });
  parser.on("closetag", () => {
    open.pop();
  });
  parser.write(xml).close();
  return paths.filter((path) => !/edgeCases\/test\/description$/.test(path));
}
