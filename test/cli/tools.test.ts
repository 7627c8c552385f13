import { expect, test } from "vitest";
import { catalog } from "../../src/app/catalog.ts";
import { readArguments } from "../../src/app/commands/calls/arguments.ts";
import { exampleOf } from "../../src/app/commands/calls/describe.ts";
import { propertiesOf } from "../../src/app/commands/calls/shape.ts";

/** Full parity: whatever a client can send, a shell can say. */
test.each(catalog.flatMap(({ tools }) => tools))(
  "every argument of $name can be typed as its example shows",
  (tool) => {
    const properties = propertiesOf(tool.inputSchema);
    expect(properties.map(({ name }) => name)).toEqual(Object.keys(Object(tool.inputSchema["properties"])));
    const words = properties.map((property) => exampleOf(property).replace(/'(.*)'$/, "$1"));
    expect(Object.keys(readArguments({ by: "call", name: tool.name }, properties, words))).toEqual(
      properties.map(({ name }) => name),
    );
  },
);
