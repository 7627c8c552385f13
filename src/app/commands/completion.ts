import type { App } from "../../commons/cli/app.ts";
import { defineCommand } from "../../kernel/command.ts";

const shells = ["bash", "zsh", "fish", "powershell"] as const;

export const completion = defineCommand({
  name: "completion",
  summary: "Print the script that completes forge in your shell",
  details:
    "The script asks Forge at every Tab, so it need not be renewed: commands, options, tools, their arguments and values.\n\n" +
    "bash: put `source <(forge completion bash)` into ~/.bashrc.\n\nzsh: put `source <(forge completion zsh)` into ~/.zshrc, after compinit.\n\n" +
    "fish: run `forge completion fish > ~/.config/fish/completions/forge.fish`.\n\n" +
    "PowerShell: put `forge completion powershell | Out-String | Invoke-Expression` into $PROFILE.",
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
