/**
 * Whether a file was installed or fetched by the registry. It was written by others, who are not the authors of the project:
 * trusting the project says nothing about it.
 */
export function isInstalled(path: string): boolean {
  return /(?:^|[\\/])\.fractary[\\/](?:registry|plugins)[\\/]/i.test(path);
}
