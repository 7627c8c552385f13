import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";

export const untrust = defineCommand({
  name: "untrust",
  summary: "Revoke what `forge trust` allowed",
  details:
    "Forge then runs none of this project's scripts until you trust it again. Scripts that are running continue.",
  examples: [["forge untrust", "No longer run this project's scripts."]],
  settings: ["project"],
  group: "more",
  async run({ person }: App, _input, out) {
    const wasTrusted = await person.takeTrustBack();
    out.data({ wasTrusted }, () =>
      wasTrusted ? "Forge will no longer run this project's scripts." : "This project was not trusted.",
    );
    return 0;
  },
});
