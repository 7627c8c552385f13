/** Where frameworks keep migrations, one file (or folder) each. */
const migrationPaths: RegExp[] = [
  // Django; sequelize, knex, TypeORM, golang-migrate, goose, sqlx, Laravel and Ecto in files that start with a number.
  /(?:^|\/)migrations\/\d[^/]*\.(?:py|sql|js|cjs|mjs|ts|rb|php|exs|cs|go)$/,
  // Alembic, and Flask-Migrate, which is the same.
  /(?:^|\/)(?:alembic|migrations)\/versions\/(?!__)[^/]+\.py$/,
  // Rails.
  /(?:^|\/)db\/migrate\/\d[^/]*\.rb$/,
  // Prisma, and Diesel.
  /(?:^|\/)migrations\/[^/]+\/(?:migration|up)\.sql$/,
];
/** The other half of a migration, or something beside it. */
const notMigrations = /(?:\.down\.sql|[._]down\.[a-z]+|\.test\.[a-z]+|\.spec\.[a-z]+|\.d\.ts)$/;

/** What is there to be tested on, or belongs to others. */
const foreignFolders = new Set(
  "node_modules vendor third_party fixtures __fixtures__ testdata test tests __tests__ spec examples example dist build".split(
    " ",
  ),
);

export function isMigration(path: string): boolean {
  if (notMigrations.test(path) || !(migrationPaths.some((pattern) => pattern.test(path)) || isFlyway(path)))
    return false;
  return !path.split("/").some((folder) => foreignFolders.has(folder));
}

function isFlyway(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    `/${path}`.includes("/db/migration/") && name.startsWith("V") && name.includes("__") && /\.(?:sql|java)$/.test(name)
  );
}

export function countMigrations(paths: readonly string[]): number {
  return paths.filter(isMigration).length;
}
