import { listCodeLines } from "./code-lines.ts";
import { detectLanguage } from "./languages.ts";

const maxNames = 200;

const declarations: Record<string, RegExp> = {
  javascript:
    /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|var|type|interface|enum|namespace) ([\w$]{1,100})/,
  python: /^(?:async )?(?:def|class) ([A-Za-z]\w{0,99})/,
  rust: /^pub (?:async |unsafe |const )*(?:fn|struct|enum|trait|type|const|static|mod) (\w{1,100})/,
  go: /^(?:func|type|var|const) ([A-Z]\w{0,99})/,
  java: /^(?:public |open |abstract |final |sealed |data |static |suspend )*(?:class|interface|enum class|enum|record|@interface|object|fun) (\w{1,100})/,
};

/** The names that a source file exports, in order. */
export function findExportedNames(path: string, text: string): string[] {
  const ecosystem = detectLanguage(path)?.ecosystem;
  const declaration = ecosystem && declarations[ecosystem];
  if (!declaration) return [];
  const names = listCodeLines(path, text).flatMap((line) => {
    const [, name] = declaration.exec(line) ?? [];
    if (name !== undefined) return [name];
    return ecosystem === "javascript" ? parseExportList(line) : [];
  });
  return [...new Set(names)].slice(0, maxNames);
}

/** `export { a, b as c } from "./d"`. */
function parseExportList(line: string): string[] {
  const [, list] = /^export (?:type )?\{([^}]{1,400})\}/.exec(line) ?? [];
  const names = (list ?? "").split(",").map((part) => part.trim().split(" ").at(-1) ?? "");
  return names.filter((name) => name !== "" && name !== "default");
}
