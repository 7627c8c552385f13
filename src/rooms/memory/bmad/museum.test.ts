import { expect, test } from "vitest";
import { orderFailures, parseMuseum } from "./museum.ts";

const museum = `# Failure Museum

<!-- ### [2026-01-01] [dev] CC-FAIL — An example in a comment
**Leçon** : none -->

## 🟡 Erreurs Importantes
### [2026-02-12] [architect] ARCH-MISTAKE — Wrong queue
**Ce qui s'est passé** : Used a table as a queue
**Cause racine** : No load test
**Impact** : Two hours down
**Leçon** : Measure first
**Règle instaurée** : Load test before merging

## 🔴 Erreurs Critiques
### [2026-02-10] [dev] CC-FAIL — Tests skipped before "done"
**What happened**: Nobody ran them  **Lesson**: Run them

## 🟢 Micro-erreurs
- [2026-03-01] [qa] [PROCESS-SKIP] Forgot the review

## Base de données
### Index missing
The events table was scanned.
It took a minute.

## Statistiques
| Catégorie | Occurrences | Dernière date |
|---|---|---|
| CC-FAIL | 1 | 2026-02-10 |

## Ajouter une entrée
\`\`\`markdown
### [YYYY-MM-DD] [agent] CC-FAIL — Title
\`\`\`
### Example — not an entry either

---

*Made from a template*

### [2026-01-01] [dev] CC-FAIL — Added below, as people do
**Leçon** : Read the end of a file too
`;

test("entries in every form, most critical first; comments, fences, statistics and templates are none", () => {
  const failures = orderFailures(parseMuseum(museum, "m.md"));
  expect(failures).toEqual([
    {
      title: 'Tests skipped before "done"',
      category: "CC-FAIL",
      severity: "critical",
      date: "2026-02-10",
      agent: "dev",
      what_happened: "Nobody ran them",
      lesson: "Run them",
      source: "m.md:15",
    },
    {
      title: "Wrong queue",
      category: "ARCH-MISTAKE",
      severity: "important",
      date: "2026-02-12",
      agent: "architect",
      what_happened: "Used a table as a queue",
      root_cause: "No load test",
      impact: "Two hours down",
      lesson: "Measure first",
      rule: "Load test before merging",
      source: "m.md:7",
    },
    {
      title: "Forgot the review",
      category: "PROCESS-SKIP",
      severity: "minor",
      date: "2026-03-01",
      agent: "qa",
      source: "m.md:19",
    },
    {
      title: "Added below, as people do",
      category: "CC-FAIL",
      date: "2026-01-01",
      agent: "dev",
      lesson: "Read the end of a file too",
      source: "m.md:41",
    },
    {
      title: "Index missing",
      what_happened: "The events table was scanned. It took a minute.",
      source: "m.md:22",
    },
  ]);
});

test("a comment that never ends hides the rest, and nothing hangs", () => {
  expect(parseMuseum(`<!-- ${"<!--".repeat(50_000)}\n### [2026-01-01] [a] CC-FAIL — x`, "m")).toEqual([]);
});
