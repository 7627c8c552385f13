import type { RepositoryFacts } from "./repository-facts.ts";

type StarterLayer = {
  name: string;
  description: string;
  glob: string;
  forbidden?: { pattern: string; reason: string }[];
  forbidden_imports?: { import: string; reason: string }[];
};

/** Folder names that usually mean a layer, the outermost layer first: each may use those after it. */
const kinds: { name: string; folders: RegExp; description: string }[] = [
  {
    name: "entry points",
    folders: /^(?:routers?|routes|controllers|handlers|endpoints)$/,
    description: "Accepts requests and calls services.",
  },
  { name: "services", folders: /^services?$/, description: "Holds the rules of the application." },
  {
    name: "repositories",
    folders: /^(?:repositories|repos|dal|dao|persistence)$/,
    description: "Reads and writes stored data.",
  },
  {
    name: "domain",
    folders: /^(?:domain|entities|core)$/,
    description: "Describes what the application is about; depends on nothing above it.",
  },
];
const testFolders = /^(?:tests?|__tests__|spec|specs)$/;
const endings: Record<string, string> = {
  typescript: "{ts,tsx}",
  javascript: "{js,jsx,mjs,cjs}",
  python: "py",
  go: "go",
  rust: "rs",
  java: "java",
  kotlin: "kt",
  ruby: "rb",
  php: "php",
  "c#": "cs",
};
const sql = { pattern: String.raw`\bSELECT\b.+\bFROM\b\s+\w`, reason: "Queries belong where data is stored." };

/** Layers that the names of folders suggest. Nothing is guessed where there are no such names. */
export function suggestLayers(paths: readonly string[], { languages }: RepositoryFacts): StarterLayer[] {
  const ending = endings[languages[0]?.id ?? ""];
  if (ending === undefined) return [];
  const folders = new Set(
    paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))).filter((folder) => folder !== ""),
  );
  const tops = [...folders].filter(
    (folder) => !folder.split("/").some((name) => testFolders.test(name) || name.startsWith(".")),
  );
  const found = kinds.flatMap((kind) => {
    const folder = tops
      .filter((path) => kind.folders.test(path.slice(path.lastIndexOf("/") + 1)))
      .sort((a, b) => a.length - b.length)[0];
    return folder === undefined ? [] : [{ ...kind, folder }];
  });
  if (found.length < 2) return testLayer(paths, ending);
  const layers = found.map(({ name, description, folder }, at): StarterLayer => {
    const above = found
      .slice(0, at)
      .map((outer) => ({ import: `${outer.folder}/**`, reason: `${name} must not depend on ${outer.name}.` }));
    return {
      name,
      description,
      glob: `${folder}/**/*.${ending}`,
      ...(name === "entry points" && { forbidden: [sql] }),
      ...(above.length > 0 && { forbidden_imports: above }),
    };
  });
  return [...layers, ...testLayer(paths, ending)];
}

/** Code that ships should not depend on tests. */
function testLayer(paths: readonly string[], ending: string): StarterLayer[] {
  const tops = new Set(paths.filter((path) => path.includes("/")).map((path) => path.slice(0, path.indexOf("/"))));
  const source = ["src", "lib", "app", "pkg", "internal"].find((name) => tops.has(name));
  const tests = [...tops].find((name) => testFolders.test(name));
  if (source === undefined || tests === undefined) return [];
  return [
    {
      name: "shipped code",
      description: "What is released; it must work without the tests.",
      glob: `${source}/**/*.${ending}`,
      forbidden_imports: [{ import: `${tests}/**`, reason: "Shipped code must not depend on tests." }],
    },
  ];
}
