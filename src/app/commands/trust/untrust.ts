import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";

export const untrust = defineCommand({
  name: "untrust",
  summary: "Take back what `forge trust` allowed",
  details:
    "From then on nothing of this project is run until a person trusts it again. What is running already goes on.",
  examples: [["forge untrust", "Run nothing of this project any more."]],
  settings: ["project"],
  group: "more",
  async run({ person }: App, _input, out) {
    const wasTrusted = await person.takeTrustBack();
    out.data({ wasTrusted }, () => (wasTrusted ? "Not trusted any more." : "It was not trusted."));
    return 0;
  },
});
