/**
 * A change to the source that a test must detect: `find`, which occurs once in the source files under `folder`, is replaced by
 * `replace`, and one of `tests` must fail. Tests are listed by the end of their path, so that files can move between folders.
 */
export type Mutation = { name: string; folder: string; find: string; replace: string; tests: string[] }

/** Builds the mutations of one folder from `[find, replace, ...tests]` by name. */
export const mutationsOf = (
  folder: string,
  faults: Record<string, [find: string, replace: string, test: string, ...more: string[]]>,
): Mutation[] =>
  Object.entries(faults).map(([name, [find, replace, ...tests]]) => ({ name, folder, find, replace, tests }))
