import { ForgeError } from "../../kernel/errors.ts";
import { assistantInstructions, assistantSettings } from "./assistant-places.ts";
import { showPath } from "./root/relative-path.ts";

/** Nearly every name; they need no normalization, which takes longer than the rest. */
const asciiOnly = /^[\x20-\x7e]*$/;

type Protection = {
  /** Names, one below the other; protected wherever they are in a path, with everything below them. */
  names: string[];
  why: string;
  /** What is private there must not be read either. */
  unreadable?: true;
};

const shellFiles = [
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .inputrc",
  ".zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login",
].flatMap((line) => line.split(" "));

const editorFiles =
  ".exrc .vimrc .nvimrc .nvim.lua .irbrc .pryrc .gdbinit .lldbinit .dir-locals.el .dir-locals-2.el .project.el .lvimrc".split(
    " ",
  );
const directoryFiles = "mise.toml .mise.toml .mise mise.local.toml .mise.local.toml .envrc".split(" ");
const buildFiles = ".bazelrc .bazeliskrc user.bazelrc .buckconfig .buckconfig.local".split(" ");

/**
 * Places where a changed file makes some program run, or changes a user's own settings, without anyone being asked. They are
 * protected even if they do not exist yet: creating one is the attack.
 */
const protections: Protection[] = [
  { names: [".git"], why: "git runs the hooks and programs that it names", unreadable: true },
  { names: [".gitmodules"], why: "it tells git where to fetch from and where to write" },
  { names: [".gitconfig"], why: "git runs the programs it names" },
  { names: [".forge"], why: "it contains Forge's own state", unreadable: true },
  { names: ["forge", "contracts"], why: "it holds the project's rules, which only a person changes" },
  { names: ["forge", "project.json"], why: "it holds the project's policy for proof, which only a person changes" },
  {
    names: ["forge", "invariants.json"],
    why: "it holds the project's limits and waivers, which only a person changes",
  },
  { names: [".fractary"], why: "it says which registries and tokens are used" },
  ...assistantSettings.map((path) => ({
    names: path.split("/"),
    why: "an assistant or editor takes its permissions, servers, tasks and hooks from it",
  })),
  ...editorFiles.map((name) => ({ names: [name], why: "an editor or debugger runs it on opening the folder" })),
  { names: [".hg"], why: "Mercurial runs the hooks it names" },
  { names: [".jj"], why: "Jujutsu runs the programs it names" },
  { names: [".cargo"], why: "cargo runs the wrappers and runners it names" },
  { names: [".mvn"], why: "maven loads the extensions it names" },
  { names: [".bundle"], why: "bundler loads what it names" },
  { names: [".yarn"], why: "it contains the copy of yarn that is run" },
  { names: ["bunfig.toml"], why: "bun loads what it names before anything else" },
  { names: [".husky"], why: "git runs the hooks in it" },
  ...directoryFiles.map((name) => ({ names: [name], why: "the shell runs it on entering the folder" })),
  ...buildFiles.map((name) => ({ names: [name], why: "the build tool takes the programs that it runs from it" })),
  { names: [".config", "mise"], why: "the shell runs it on entering the folder" },
  { names: ["mise", "config.toml"], why: "the shell runs it on entering the folder" },
  { names: [".config", "fish"], why: "the shell runs it when it starts" },
  ...shellFiles.map((name) => ({ names: [name], why: "the shell runs it when it starts" })),
  { names: [".npmrc"], why: "it says where packages come from and which programs npm runs" },
  { names: [".yarnrc"], why: "it says where packages come from and which program yarn is" },
  { names: [".yarnrc.yml"], why: "it says where packages come from and which program yarn is" },
  { names: [".pnpmfile.cjs"], why: "pnpm runs it on every install" },
  { names: [".pnpmfile.mjs"], why: "pnpm runs it on every install" },
  { names: ["_bmad", "_config"], why: "its scripts decide whether work counts as verified" },
  { names: ["_grimoire", "_config"], why: "its scripts decide whether work counts as verified" },
  { names: [".git-credentials"], why: "it holds credentials", unreadable: true },
  { names: [".pypirc"], why: "it holds credentials", unreadable: true },
  { names: [".ssh"], why: "it holds keys", unreadable: true },
  { names: [".gnupg"], why: "it holds keys", unreadable: true },
  { names: [".aws"], why: "it holds credentials", unreadable: true },
  { names: [".kube"], why: "it holds credentials", unreadable: true },
  { names: [".docker"], why: "it holds credentials", unreadable: true },
  { names: [".azure"], why: "it holds credentials", unreadable: true },
  { names: [".config", "gcloud"], why: "it holds credentials", unreadable: true },
  { names: [".config", "gh"], why: "it holds credentials", unreadable: true },
  { names: [".password-store"], why: "it holds passwords", unreadable: true },
  { names: [".netrc"], why: "it holds passwords", unreadable: true },
];

const protectedPlaces = protections.map(({ names }) => `/${names.join("/")}/`);

/** Files whose content is credentials, wherever they are. Their content is not shown; they can be created and committed as others. */
const secretNames = [
  /^\.env(?:[._-](?!(?:example|sample|template|dist|defaults?|schema)$).*)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /^(?:_netrc|\.pgpass|pgpass\.conf|\.my\.cnf|\.mylogin\.cnf|\.authinfo|\.htpasswd|\.vault-token|\.dockercfg)$/,
  /^(?:\.npmrc|\.s3cfg|\.boto|\.terraformrc|terraform\.rc|credentials\.tfrc\.json|kubeconfig)$/,
];

/** Protected by how the name ends: the editor runs the tasks and programs that such a file names. */
const protectedEnding = /\.(?:code-workspace|sublime-project)$/;

/**
 * Ordinary files that an assistant may not change unasked once it has read text by others, whatever its task declares: they
 * tell assistants what to do, or have a server run something on the next push.
 */
const guardedNames = [
  ...assistantInstructions,
  ...[".github/workflows", ".github/actions", ".github/dependabot.yml", ".github/renovate.json"],
  ...[".forgejo/workflows", ".gitea/workflows", ".gitlab-ci.yml", ".gitlab/ci", ".circleci", ".travis.yml"],
  ...[".drone.yml", ".drone.yaml", ".woodpecker", ".woodpecker.yml", ".woodpecker.yaml", ".buildkite", ".builds"],
  ...[".build.yml", ".cirrus.yml", ".cirrus.star", ".semaphore", ".teamcity", "appveyor.yml", ".appveyor.yml"],
  ...["azure-pipelines.yml", "azure-pipelines.yaml", ".azure-pipelines", "bitbucket-pipelines.yml", "Jenkinsfile"],
  ...["cloudbuild.yaml", "cloudbuild.yml", "cloudbuild.json", "buildspec.yml", "buildspec.yaml", "amplify.yml"],
  ...["bitrise.yml", "codemagic.yaml", "codefresh.yml", "wercker.yml", "netlify.toml", "vercel.json", "render.yaml"],
  // Pnpm's settings name the shell and the hooks that it runs.
  "pnpm-workspace.yaml",
  ...["renovate.json", "renovate.json5", ".renovaterc", ".renovaterc.json"],
  ...[".githooks", ".overcommit.yml", ".pre-commit-config.yaml", ".pre-commit-config.yml"],
  ...["lefthook", ".lefthook", "lefthook-local", ".lefthook-local"].flatMap((name) =>
    ["yml", "yaml", "toml", "json"].map((ending) => `${name}.${ending}`),
  ),
].map((path) => `/${foldName(path)}/`);

/**
 * Hidden files and folders are how programs are configured, and each new assistant adds its own: an assistant that has read text by
 * others may change only those that start nothing.
 */
const harmlessHidden = [
  /^\.[a-z0-9-]*ignore$/,
  /^\.(?:git(?:attributes|keep)|keep|mailmap|editorconfig|browserslistrc)$/,
  /^\.(?:nvm|node|python|ruby|java|go)(?:rc|-version)$/,
  /^\.env\.(?:example|sample|template|dist|defaults?|schema)$/,
  /^\.(?:well-known|changeset|nojekyll)$/,
];

/** Windows knows `.git` as `git~1` too; a short name does not show which long name it is for. */
const windowsShortName = /~\d/;

export function assertChangeable(names: readonly string[]): void {
  const found = protectionOf(names);
  if (found) throw protectedError(names, `is protected: ${found.why}`, found);
  if (names.some((name) => windowsShortName.test(foldName(name))))
    throw protectedError(names, "may be the short Windows form of another name", undefined);
}

/** Whether only a person may have it changed: it is protected, or instructs assistants or servers. */
export function needsPerson(path: string): boolean {
  return isProtected(path) || isGuarded(path);
}

export function isProtected(path: string): boolean {
  return protectionOf(path.split("/")) !== undefined;
}

function isGuarded(path: string): boolean {
  const folded = foldPath(path.split("/"));
  if (guardedNames.some((guarded) => folded.includes(guarded))) return true;
  return folded
    .split("/")
    .some((name) => /^\.[^.]/.test(name) && !harmlessHidden.some((harmless) => harmless.test(name)));
}

/**
 * Whether protected places, or those that instruct assistants or servers, lie below a folder of this name. A link in place of the
 * folder would lead there from files with ordinary names.
 */
export function isAboveProtected(path: string): boolean {
  return endsAbove(path, protectedPlaces);
}

export function isAboveGuarded(path: string): boolean {
  return endsAbove(path, guardedNames);
}

function endsAbove(path: string, places: readonly string[]): boolean {
  const folded = foldPath(path.split("/"));
  return places.some((place) => {
    for (let end = place.indexOf("/", 1); end < place.length - 1; end = place.indexOf("/", end + 1))
      if (folded.endsWith(place.slice(0, end + 1))) return true;
    return false;
  });
}

/** What must not be read has a name that begins like this, however it is spelt. Nearly all other paths need no closer look. */
const plainlyReadable = /^(?!(?:.*\/)?(?:[._]|id_|pgpass|terraform\.rc|credentials|kubeconfig))[\x20-\x7e]*$/i;

export function assertReadable(names: readonly string[]): void {
  if (plainlyReadable.test(names.join("/"))) return;
  const found = protectionOf(names);
  if (found?.unreadable) throw protectedError(names, `is not shown: ${found.why}`, found);
}

/** Throws for a file whose content must not be shown, though it may be changed. */
export function assertShowable(names: readonly string[]): void {
  const path = names.join("/");
  if (!plainlyReadable.test(path) && holdsSecrets(path))
    throw protectedError(names, "is not shown: it holds credentials", undefined);
}

/** Whether a file's name says that its content is credentials. */
export function holdsSecrets(path: string): boolean {
  const name = foldName(path.slice(path.lastIndexOf("/") + 1));
  return secretNames.some((pattern) => pattern.test(name));
}

export function isReadable(path: string): boolean {
  return plainlyReadable.test(path) || !(protectionOf(path.split("/"))?.unreadable || holdsSecrets(path));
}

function protectionOf(names: readonly string[]): Protection | undefined {
  const path = foldPath(names);
  const at = protectedPlaces.findIndex((place) => path.includes(place));
  if (at >= 0) return protections[at];
  if (!names.some((name) => protectedEnding.test(foldName(name)))) return undefined;
  return { names: [...names.slice(-1)], why: "the editor runs the tasks and programs it names" };
}

function foldPath(names: readonly string[]): string {
  return `/${names.map(foldName).join("/")}/`;
}

/** One form for all the spellings that some file system takes for the same name. */
function foldName(name: string): string {
  const plain = asciiOnly.test(name) ? name : name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return plain.toLowerCase().replace(/(?<![. ])[. ]+$/, "");
}

function protectedError(names: readonly string[], why: string, protection: Protection | undefined): ForgeError {
  const path = names.join("/");
  return new ForgeError("PERMISSION_DENIED", `${showPath(path)} ${why}.`, {
    details: { path, ...(protection && { protected: protection.names.join("/") }) },
    next: ["Leave it as it is, or ask the user to make this change."],
  });
}
