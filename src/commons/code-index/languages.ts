export type Language = {
  name: string;
  /** In statistics: `ts` in `ts_files`. */
  key: string;
  /** The package ecosystem, if Forge knows it. */
  ecosystem?: Ecosystem;
  /** Not the language of a project, even if most of its files are of this kind. */
  isData?: true;
};

export const ecosystems = ["javascript", "python", "rust", "go", "java"] as const;
export type Ecosystem = (typeof ecosystems)[number];

const languages: [endings: string, language: Language][] = [
  ["ts tsx mts cts", { name: "typescript", key: "ts", ecosystem: "javascript" }],
  ["js jsx mjs cjs", { name: "javascript", key: "js", ecosystem: "javascript" }],
  ["vue", { name: "vue", key: "vue", ecosystem: "javascript" }],
  ["svelte", { name: "svelte", key: "svelte", ecosystem: "javascript" }],
  ["py pyi", { name: "python", key: "py", ecosystem: "python" }],
  ["rs", { name: "rust", key: "rust", ecosystem: "rust" }],
  ["go", { name: "go", key: "go", ecosystem: "go" }],
  ["java", { name: "java", key: "java", ecosystem: "java" }],
  ["kt kts", { name: "kotlin", key: "kotlin", ecosystem: "java" }],
  ["scala sc", { name: "scala", key: "scala", ecosystem: "java" }],
  ["groovy", { name: "groovy", key: "groovy", ecosystem: "java" }],
  ["c h", { name: "c", key: "c" }],
  ["cc cpp cxx hpp hh hxx", { name: "c++", key: "cpp" }],
  ["cs", { name: "c#", key: "csharp" }],
  ["fs fsx", { name: "f#", key: "fsharp" }],
  ["rb", { name: "ruby", key: "ruby" }],
  ["php", { name: "php", key: "php" }],
  ["swift", { name: "swift", key: "swift" }],
  ["m mm", { name: "objective-c", key: "objc" }],
  ["dart", { name: "dart", key: "dart" }],
  ["ex exs", { name: "elixir", key: "elixir" }],
  ["erl hrl", { name: "erlang", key: "erlang" }],
  ["hs", { name: "haskell", key: "haskell" }],
  ["ml mli", { name: "ocaml", key: "ocaml" }],
  ["clj cljs cljc", { name: "clojure", key: "clojure" }],
  ["lua", { name: "lua", key: "lua" }],
  ["r", { name: "r", key: "r" }],
  ["jl", { name: "julia", key: "julia" }],
  ["pl pm", { name: "perl", key: "perl" }],
  ["zig", { name: "zig", key: "zig" }],
  ["nix", { name: "nix", key: "nix" }],
  ["tf", { name: "terraform", key: "terraform" }],
  ["sh bash zsh", { name: "shell", key: "shell" }],
  ["ps1", { name: "powershell", key: "powershell" }],
  ["sol", { name: "solidity", key: "solidity" }],
  ["sql", { name: "sql", key: "sql", isData: true }],
  ["proto", { name: "protobuf", key: "proto", isData: true }],
  ["graphql gql", { name: "graphql", key: "graphql", isData: true }],
  ["html htm", { name: "html", key: "html", isData: true }],
  ["css scss sass less", { name: "css", key: "css", isData: true }],
  ["md mdx", { name: "markdown", key: "markdown", isData: true }],
  ["json jsonc json5", { name: "json", key: "json", isData: true }],
  ["yaml yml", { name: "yaml", key: "yaml", isData: true }],
  ["toml", { name: "toml", key: "toml", isData: true }],
  ["xml", { name: "xml", key: "xml", isData: true }],
];

const byEnding = new Map(
  languages.flatMap(([endings, language]) =>
    endings.split(" ").map((ending): [string, Language] => [ending, language]),
  ),
);

export function detectLanguage(path: string): Language | undefined {
  const dot = path.lastIndexOf(".");
  if (dot <= path.lastIndexOf("/") + 1) return undefined;
  return byEnding.get(path.slice(dot + 1).toLowerCase());
}
