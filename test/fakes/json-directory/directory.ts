import type { TableProvider } from '../../../src/server/connectors/table-provider.ts'
import { places } from './places.ts'
import { openSource } from './source.ts'
import { cleanUp, type Limits, openTarget } from './target.ts'

/** The provider's name in references. */
export const JSON_DIRECTORY = 'json-directory'

/**
 * A table provider without Google: tables are JSON files, replaced atomically by a rename. A folder corresponds to a spreadsheet,
 * and a table's id is a string.
 */
export function jsonDirectory(limits: Limits): TableProvider {
  const { root } = limits
  return {
    openSource: (reference, use) => openSource(limits, reference, use),
    openTarget: (reference, use) => openTarget(limits, reference, use),
    places: places(root),
    cleanUp: async ({ spreadsheet_id }, { run_id }) => cleanUp(root, spreadsheet_id, run_id),
    sweep: async () => {},
  }
}

/** Limits of a slow directory, so that a test has time to kill the worker that writes to it. */
export const slowDirectory: Omit<Limits, 'root'> = {
  most_cells: 20_000,
  cell_characters: 50_000,
  step_ms: 100,
  rows_per_read: Number.POSITIVE_INFINITY,
  asked: async () => {},
  stepped: () => {},
  wrote: () => {},
}
