import { lineage } from '../../../contract/lineage/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { ReadCell } from './queries/check-cell.ts'
import { lineageOfLink } from './queries/of-link.ts'
import { lineageOfRecord, lineageOfRow } from './queries/of-stored.ts'
import type { LineageDeps } from './queries/places.ts'

/** Where the values of cells come from, and where they go. */
export const lineageFeature: Feature<typeof lineage, LineageDeps & { readCell: ReadCell }> = {
  calls: lineage,
  handlers: {
    find: ({ query, signal }, deps) => {
      const { link, task_id, row = 1, column, compiler_config_id, sku = '', field } = query
      const asking = { readCell: deps.readCell, check: query.check === 'true', signal }
      if (compiler_config_id !== undefined) return lineageOfRecord(deps, { compiler_config_id, sku, field })
      return task_id === undefined
        ? lineageOfLink(deps, { link: link ?? '', name: column }, asking)
        : lineageOfRow(deps, { task_id, row, column }, asking)
    },
  },
}
