import type { TestProject } from "./test-project.ts";

/** For a runner that would stay and run the tests again at each change. */
export function describeSingleRun(how: string): string {
  return `The test command would watch for changes; ${how}, so the tests ran once.`;
}

/** `--watch`, `--watchAll`, `--watch=true`, and what only says how to watch. */
export function isWatchOption(word: string): boolean {
  return /^--watch(?:All|-path(?:=.*)?|-preserve-output)?(?:=true)?$/.test(word);
}

/** Programs that watch unless they are told not to, or see `CI`. */
const watching = [
  /(?:^|\s)(?:react-scripts|react-app-rewired|craco|rescripts) test(?!.*--watch(?:All)?=false)/,
  /(?:^|\s)ng test(?!.*(?:--no-watch|--watch[= ]false))/,
  /(?:^|[\s/])vitest(?!.*(?:\s(?:run|related|bench|list|--run)\b|--no-watch|--watch[= ]false))/,
  /(?:^|\s)--watch(?:All)?(?:[ ](?!false)|=true|$)/,
];

/** Whether a command line, or the script of package.json that it names, would watch. */
export function wouldWatch(project: TestProject, words: readonly string[]): boolean {
  const { scripts = {} } = project.readManifest();
  const named = findScriptName(words);
  const script = named === undefined ? undefined : scripts[named];
  const lines = [words.join(" "), ...(typeof script === "string" ? [script] : [])];
  return lines.some((line) => watching.some((pattern) => pattern.test(line)));
}

function findScriptName([program = "", ...words]: readonly string[]): string | undefined {
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return undefined;
  const [name] = words.filter((word) => !word.startsWith("-") && word !== "run" && word !== "run-script");
  return name === "t" ? "test" : name;
}
