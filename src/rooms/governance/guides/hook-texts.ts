/** What is installed for git and code hosts. */
export const hookText = `#!/bin/sh
# Installed by \`forge governance install-hook\`. Delete this file to remove it.
command -v forge >/dev/null 2>&1 || {
  echo "forge is not on the PATH, so the project's rules were not checked. To push anyway: git push --no-verify" >&2
  exit 1
}
exec forge governance check
`;

export const actionsSnippet = `name: governance
on: pull_request
jobs:
  governance:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      security-events: write
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      # Forge is not in a package registry yet: that name could be somebody else's. Put in where you have it from.
      - env:
          FORGE_REPOSITORY: ""
        run: |
          git clone --depth 1 "\${FORGE_REPOSITORY:?}" "$RUNNER_TEMP/forge"
          cd "$RUNNER_TEMP/forge" && npm ci && npm run build && npm link
      - run: forge governance check --since "origin/$GITHUB_BASE_REF" --sarif > governance.sarif
      - uses: github/codeql-action/upload-sarif@v3
        if: always()
        with:
          sarif_file: governance.sarif
`;
