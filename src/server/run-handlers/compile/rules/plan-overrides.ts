import { createHash } from 'node:crypto'
import type { CellValue } from '../../../../contract/tables.ts'
import { resolveName } from '../../../snapshots/column-names.ts'
import type { PlannedOverride, PlannedOverrides } from './compile-plan.ts'

/** A value that a person set for a field of a SKU, and that has not ended. */
export type StoredOverride = { id: number; sku: string; field: string; value: CellValue }

/** The overrides of existing fields; undefined: there are none. */
export function planOverrides(
  fields: readonly string[],
  overrides: readonly StoredOverride[],
): PlannedOverrides | undefined {
  const places = new Map(fields.map((name, n) => [name, n]))
  const names = new Set(fields)
  const by_sku = new Map<string, PlannedOverride[]>()
  const hash = createHash('sha256')
  for (const { id, sku, field: name, value } of overrides) {
    const field = places.get(resolveName(names, name))
    if (field === undefined) continue
    const json = JSON.stringify(value)
    hash.update(JSON.stringify([id, sku, field, json]))
    const same = by_sku.get(sku)
    const planned = { id, field, value, json }
    if (same === undefined) by_sku.set(sku, [planned])
    else same.push(planned)
  }
  return by_sku.size === 0 ? undefined : { hash: hash.digest('hex'), by_sku }
}
