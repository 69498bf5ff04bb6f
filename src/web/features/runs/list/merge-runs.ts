import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import type { RunPages } from '../api.ts'

type Merged = {
  pages: RunPages
  /** Runs that pass and are newer than the list, newest first. */
  added: ListedRun[]
}

/**
 * The list with changed runs: known ones in their new state, those that no longer pass the filters removed. Runs newer than the
 * list are returned apart, since rows that appear above move what a person reads.
 */
export function mergeRuns(
  before: RunPages,
  changed: readonly ListedRun[],
  passes: (run: ListedRun) => boolean,
): Merged {
  const byId = new Map(changed.map((run) => [run.id, run]))
  const known = new Set<number>()
  const pages = before.pages.map((page) => ({
    ...page,
    runs: page.runs.flatMap((run) => {
      known.add(run.id)
      const now = byId.get(run.id)
      if (now === undefined) return [run]
      return passes(now)
        ? [{ ...now, receipt: now.receipt ?? run.receipt, requests: now.requests ?? run.requests }]
        : []
    }),
  }))
  const newest = before.pages.flatMap(({ runs }) => runs)[0]?.id ?? 0
  const added = changed
    .filter((run) => run.id > newest && !known.has(run.id) && passes(run))
    .toSorted((one, other) => other.id - one.id)
  return { pages: { ...before, pages }, added }
}

/** The list with new runs at its top, each once. */
export function prependRuns(before: RunPages, added: readonly ListedRun[]): RunPages {
  const [first, ...others] = before.pages
  if (!first || added.length === 0) return before
  const known = new Set(before.pages.flatMap(({ runs }) => runs.map(({ id }) => id)))
  const fresh = added.filter(({ id }) => !known.has(id))
  return { ...before, pages: [{ ...first, runs: [...fresh, ...first.runs] }, ...others] }
}
