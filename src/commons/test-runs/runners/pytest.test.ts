import { expect } from "vitest";
import { debianFirst, testingSandbox, virtualEnvironment } from "../../../../test/harness/commons/testing.ts";
import { filesBelow } from "../../../../test/harness/commons/trust.ts";
import { testWith } from "../../../../test/harness/faults/faults.ts";

testWith(
  ["pytest"],
  "pytest: counts, classes, parameters, a set-up that fails; related, failed, nothing related",
  async () => {
    const { run, project } = testingSandbox();
    const root = await project({
      "pytest.ini": "[pytest]\n",
      "shop/__init__.py": "",
      "shop/sums.py": "def add(a, b):\n    return a + b\n",
      "shop/lone.py": "x = 1\n",
      "tests/test_more.py": `import pytest
from shop.sums import add


def test_adds():
    assert add(1, 1) == 2


class TestMore:
    def test_fails(self):
        assert add(1, 1) == 3, "sums"


@pytest.fixture
def bad():
    raise RuntimeError("set-up")


def test_setup(bad):
    pass


@pytest.mark.parametrize("n", [1, 2])
def test_param(n):
    assert n == 1


@pytest.mark.skip
def test_later():
    pass
`,
      "tests/integration/test_other.py": "def test_other():\n    pass\n",
    });
    const failures = [
      { name: "TestMore::test_fails", file: "tests/test_more.py", line: 11, message: expect.stringContaining("sums") },
      { name: "test_setup", file: "tests/test_more.py" },
      { name: "test_param[2]", file: "tests/test_more.py", line: 25 },
    ];
    expect(await run(root)).toMatchObject({
      runner: "pytest",
      status: "failed",
      total: 7,
      passed: 3,
      failed: 3,
      skipped: 1,
      failures,
    });
    expect(await run(root, { scope: "related_to_files", files: ["shop/sums.py"] })).toMatchObject({
      total: 6,
      failures,
    });
    expect(await run(root, { scope: "failed" })).toMatchObject({ total: 6, failed: 3 });
    expect(await run(root, { scope: "related_to_files", files: ["shop/lone.py"] })).toMatchObject({
      status: "passed",
      total: 0,
      command: [],
      notes: [expect.stringContaining("no tests")],
    });
    expect(await run(root, { types: ["integration"] })).toMatchObject({ status: "passed", total: 1 });
  },
);

testWith(["pytest"], "pytest: where its tests are deeper, and what to do where it is not installed", async () => {
  const { run, project, trustAll } = testingSandbox();
  const deep = {
    "tests/unit/test_a.py": "def test_a():\n    pass\n",
    "shop/tests/test_b.py": "def test_b():\n    pass\n",
  };
  const root = await project({ ...deep, "requirements-dev.txt": "pytest\n" });
  expect(await run(root)).toMatchObject({ runner: "pytest", status: "passed", total: 2 });
  virtualEnvironment(root, () => false);
  await trustAll(root);
  for (const coverage of [false, true])
    await expect(run(root, { coverage })).rejects.toMatchObject({
      code: "DEPENDENCY_ERROR",
      message: expect.stringContaining("pytest is not installed for .venv/bin/python"),
      next: expect.arrayContaining([expect.stringContaining("-m pip install pytest")]),
    });
});

const measured = {
  "pytest.ini": "[pytest]\n",
  "shop/__init__.py": "",
  "shop/sums.py": "def add(a, b):\n    return a + b\n\n\ndef never():\n    return 0\n",
  "tests/test_sums.py": "from shop.sums import add\n\n\ndef test_adds():\n    assert add(1, 1) == 2\n",
};

testWith(["pytestCov"], "pytest: coverage, of which nothing is left in the project", async () => {
  const { run, project } = testingSandbox(debianFirst);
  const root = await project(measured);
  const outcome = await run(root, { coverage: true });
  expect(outcome).toMatchObject({ status: "passed", total: 1, notes: [] });
  expect(outcome.coverage).toEqual({ lines_covered: 6, total_lines: 7, percentage: 85.7 });
  expect(filesBelow(root).filter((name) => /cov/.test(name) && !name.includes(".git/"))).toEqual([]);
  const related = { coverage: true, scope: "related_to_files", files: ["shop/sums.py"] } as const;
  expect(await run(root, related)).toMatchObject({ total: 1, coverage: { total_lines: 7 } });
  expect((await run(root)).coverage).toBeUndefined();
  const said = await project({ ...measured, ".coveragerc": "[run]\nsource = shop\n" }, "said");
  expect((await run(said, { coverage: true })).coverage).toEqual({ lines_covered: 3, total_lines: 4, percentage: 75 });
});

testWith(
  ["pytestCov"],
  "pytest: without its plugin no coverage is measured, and the tests run all the same",
  async () => {
    const { run, project, trustAll } = testingSandbox(debianFirst);
    const root = await project(measured);
    virtualEnvironment(root, (name) => !/^pytest[_-]cov/i.test(name));
    await trustAll(root);
    const outcome = await run(root, { coverage: true });
    expect(outcome).toMatchObject({ status: "passed", total: 1, notes: [expect.stringContaining("pytest-cov")] });
    expect(outcome.command[0]).toBe(`${root}/.venv/bin/python`);
    expect(outcome.coverage).toBeUndefined();
  },
);
