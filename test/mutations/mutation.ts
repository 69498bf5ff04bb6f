/**
 * A fault that a test has to notice: `find`, which occurs once in the source files under `folder`, becomes `replace`, and one of
 * `tests` must fail. Tests are named as the end of their path, so that moving a file to another folder changes nothing here.
 */
export type Mutation = { name: string; folder: string; find: string; replace: string; tests: string[] }

/** The mutations of one part of the source, each with a name: `[find, replace, ...tests]`. */
export const mutationsOf = (
  folder: string,
  faults: Record<string, [find: string, replace: string, test: string, ...more: string[]]>,
): Mutation[] =>
  Object.entries(faults).map(([name, [find, replace, ...tests]]) => ({ name, folder, find, replace, tests }))
