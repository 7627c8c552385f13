import type { App } from "../../commons/cli/app.ts";
import { defineCommand } from "../../kernel/definitions/command.ts";

const shells = ["bash", "zsh", "fish", "powershell"] as const;

export const completion = defineCommand({
  name: "completion",
  summary: "Print a completion script for your shell",
  details:
    "Completes commands, options, tools, their arguments and values. The script asks Forge at every Tab, so it never gets outdated.\n\n" +
    "bash: add `source <(forge completion bash)` to ~/.bashrc.\n\nzsh: add `source <(forge completion zsh)` to ~/.zshrc, after compinit.\n\n" +
    "fish: run `forge completion fish > ~/.config/fish/completions/forge.fish`.\n\n" +
    "PowerShell: add `forge completion powershell | Out-String | Invoke-Expression` to $PROFILE.",
  examples: [["forge completion bash", "Print the script for bash."]],
  arguments: [{ name: "shell", option: "shell", required: true, help: "Your shell." }],
  options: { shell: { type: "string", value: "SHELL", choices: shells, help: "Your shell." } },
  settings: [],
  group: "more",
  async run(_app: App, { options }, out) {
    const { scriptFor } = await import("../../hosts/cli/completion/index.ts");
    const script = scriptFor(options.shell ?? "");
    out.data({ shell: options.shell, script }, () => script);
    return 0;
  },
});
