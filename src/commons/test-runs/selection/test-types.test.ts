import { expect, test } from "vitest";
import { detectTestType } from "./test-types.ts";

test.each([
  ["src/sum.test.ts", "unit"],
  ["tests/integration/test_db.py", "integration"],
  ["src/test/java/shop/OrderIT.java", "integration"],
  ["test/checkout.e2e-spec.ts", "e2e"],
  ["cypress/basket.test.js", "e2e"],
  ["bench/sort.test.js", "performance"],
  ["load_test.go", "performance"],
  ["src/unit/items.test.ts", "unit"],
  ["src/benchmarking-site.test.ts", "unit"],
])("%s is a test of type %s", (path, type) => expect(detectTestType(path)).toBe(type));
