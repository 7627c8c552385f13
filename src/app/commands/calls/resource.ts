import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";

export const resource = defineCommand({
  name: "resource",
  summary: "Read a resource that Forge offers to assistants",
  details:
    "Without a URI, it lists all resources. The content is printed as it is; content that is not text is printed as base64. " +
    "--json has the content with its URI and type.",
  examples: [
    ["forge resource", "List all resources."],
    ["forge resource forge://activity", "Recent activity in this project."],
  ],
  arguments: [{ name: "uri", required: false, help: "The resource's URI; without one, all resources are listed." }],
  settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"],
  group: "look",
  complete: async (app: App) =>
    app.tools.catalog.flatMap(({ resources, resourceTemplates }) => [
      ...resources.map(({ uri, title }) => ({ value: uri, help: title })),
      ...resourceTemplates.map(({ uriTemplate, title }) => ({ value: beforeVariables(uriTemplate), help: title })),
    ]),
  async run(app: App, { positionals: [uri] }, out) {
    if (uri === undefined) {
      const { listResources } = await import("./index.ts");
      listResources(app.tools.catalog, out);
      return 0;
    }
    const { mimeType, ...content } = await app.tools.resource(uri, out.signal);
    if ("blob" in content && !out.json) out.note(`This is ${mimeType}, printed as base64.`);
    out.data({ uri, mimeType, ...content }, () => ("text" in content ? content.text : content.blob));
    return 0;
  },
});

/** `forge://tickets/{id}` is offered as `forge://tickets/`, for the person to go on from. */
function beforeVariables(template: string): string {
  return template.slice(0, template.indexOf("{"));
}
