import type { Ecosystem } from "../../../commons/code-index/languages.ts";

/** Ways of writing that show in single lines of code; `with` what else in the same line, `least` in how many lines of a file. */
export type Idiom = { ecosystem: Ecosystem; says: string; line: RegExp; with?: string; least?: number };

export const idioms: Idiom[] = [
  { ecosystem: "rust", says: "Arc<Mutex<…>> for shared state", line: /\bArc<(?:\w+::){0,3}Mutex</ },
  { ecosystem: "rust", says: "Arc<RwLock<…>> for shared state", line: /\bArc<(?:\w+::){0,3}RwLock</ },
  { ecosystem: "rust", says: "serde derives on types", line: /^\s*#\[derive\([^)]{0,300}(?:Serialize|Deserialize)/ },
  { ecosystem: "rust", says: "errors as enums with thiserror", line: /^\s*#\[derive\([^)]{0,300}\bError\b/ },
  { ecosystem: "rust", says: "async functions", line: /^\s*(?:pub(?:\(\w{1,20}\))? )?async fn /, least: 2 },
  { ecosystem: "rust", says: "unit tests beside the code (#[cfg(test)])", line: /^\s*#\[cfg\(test\)\]/ },
  { ecosystem: "rust", says: "routes by attribute macros", line: /^\s*#\[(?:get|post|put|delete|patch)\("/ },
  {
    ecosystem: "javascript",
    says: "zod schemas at module level",
    line: /^(?:export )?const \w+ = z(?:\.\w+)?\.?(?:object|strictObject|enum|array|union)\(/,
  },
  {
    ecosystem: "javascript",
    says: "React function components with hooks",
    line: /\buse(?:State|Effect|Memo|Callback|Ref|Reducer|Context)\(/,
  },
  {
    ecosystem: "javascript",
    says: "routes on a router object",
    line: /^\s*(?:app|router|server|fastify)\.(?:get|post|put|delete|patch)\(/,
  },
  { ecosystem: "javascript", says: "private class fields (#name)", line: /^\s*(?:readonly |static )*#\w+/, least: 2 },
  { ecosystem: "javascript", says: "async/await", line: /\bawait \w/, least: 3 },
  {
    ecosystem: "javascript",
    says: "tests with describe/it/test",
    line: /^\s*(?:describe|it|test)(?:\.\w+)?\(/,
    least: 2,
  },
  { ecosystem: "javascript", says: "CommonJS modules (module.exports)", line: /^module\.exports\b/ },
  { ecosystem: "python", says: "dataclasses", line: /^@(?:dataclasses\.)?dataclass\b/ },
  { ecosystem: "python", says: "pydantic models", line: /^class \w+\((?:\w+\.)?BaseModel\)/ },
  { ecosystem: "python", says: "pytest fixtures", line: /^@pytest\.fixture\b/ },
  { ecosystem: "python", says: "routes by decorators", line: /^@\w+\.(?:route|get|post|put|delete|patch)\(/ },
  { ecosystem: "python", says: "async functions", line: /^\s*async def /, least: 2 },
  { ecosystem: "python", says: "type hints on functions", line: /^\s*(?:async )?def \w+\(.{0,300}\) -> /, least: 2 },
  {
    ecosystem: "go",
    says: "table-driven tests",
    line: /\b(?:tests|cases|tt|testCases) := (?:\[\]|map\[string\])struct \{/,
  },
  { ecosystem: "go", says: "errors wrapped with %w", line: /\bfmt\.Errorf\(/, with: "%w" },
  {
    ecosystem: "go",
    says: "context.Context as first parameter",
    line: /^func (?:\([^)]{0,100}\) )?\w+\(ctx context\.Context/,
  },
  { ecosystem: "go", says: "interfaces", line: /^type \w+ interface \{/ },
  { ecosystem: "java", says: "Spring REST controllers", line: /^\s*@(?:RestController|Controller)\b/ },
  { ecosystem: "java", says: "Spring services and repositories", line: /^\s*@(?:Service|Repository|Component)\b/ },
  { ecosystem: "java", says: "JPA entities", line: /^\s*@Entity\b/ },
  { ecosystem: "java", says: "JUnit tests (@Test)", line: /^\s*@Test\b/ },
  { ecosystem: "java", says: "records", line: /^\s*(?:public )?record \w+\(/ },
  { ecosystem: "java", says: "data classes", line: /^\s*data class \w/ },
  { ecosystem: "java", says: "suspend functions", line: /^\s*(?:override )?suspend fun / },
];
