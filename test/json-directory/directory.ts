import type { Sources, Targets } from '../../src/server/connectors/registry.ts'
import { openSource } from './source.ts'
import { cleanUp, type Limits, openTarget } from './target.ts'

/**
 * A provider that has nothing of Google's: tables are JSON files in folders, changed by renaming a file. A folder stands for a
 * spreadsheet's id.
 */
export function jsonDirectory(limits: Limits): { sources: Sources; targets: Targets } {
  const { root } = limits
  return {
    sources: { open: (reference, use) => openSource(root, reference, use) },
    targets: {
      open: (reference, use) => openTarget(limits, reference, use),
      cleanUp: async ({ spreadsheet_id }, { run_id }) => cleanUp(root, spreadsheet_id, run_id),
      sweep: async () => {},
    },
  }
}

/** One that takes its time, so that whoever writes to it can be killed. */
export const slowDirectory: Omit<Limits, 'root'> = {
  most_cells: 20_000,
  cell_characters: 50_000,
  step_ms: 100,
  stepped: () => {},
  wrote: () => {},
}
