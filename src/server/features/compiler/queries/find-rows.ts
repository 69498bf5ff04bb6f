import type { CompiledFilters } from '../../../../contract/compiler/records.ts'
import type { Db } from '../../../platform/db.ts'
import { type BitSet, matchingRows, rowsWhere } from '../../../snapshots/bit-sets.ts'
import { bytesOfRecords, fieldSources } from '../../../snapshots/record-blocks.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { incompleteSet } from './completeness.ts'
import { disagreementSet } from './disagreements.ts'
import { FLAGS, failedSet, flagSets, versionSet } from './flags.ts'
import { searchRows } from './search-rows.ts'
import { storedSet } from './stored-sets.ts'
import { type CompiledVersion, readCompiled, readEarlier } from './version.ts'

type Condition = { set: BitSet; wanted: boolean }

/** Matching records: their version (the previous one for removed records) and row numbers. */
export type Found = { version: CompiledVersion; rows: BitSet }

/**
 * Finds the records that match all filters. Returns null if the configuration has no records. Throws NamedError
 * `compiler_task_not_found`.
 */
export async function findRecords(db: Db, filters: CompiledFilters): Promise<Found | null> {
  const current = await readCompiled(db, filters.compiler_config_id)
  if (current === null) return null
  if (filters.change !== 'gone')
    return {
      version: current,
      rows: await matching(db, current, { filters, conditions: await changed(db, current, filters) }),
    }
  const earlier = await readEarlier(db, filters.compiler_config_id)
  if (earlier === null) return null
  const conditions = [{ set: await versionSet(db, current, 'gone_rows'), wanted: true }]
  return { version: earlier, rows: await matching(db, earlier, { filters, conditions }) }
}

async function matching(
  db: Db,
  version: CompiledVersion,
  { filters, conditions }: { filters: CompiledFilters; conditions: Condition[] },
): Promise<BitSet> {
  const all: Condition[] = [{ set: version.removed, wanted: false }, ...conditions]
  const flags = FLAGS.filter((flag) => filters[flag] !== undefined)
  for (const { flag, set } of await flagSets(db, version, flags))
    all.push({ set, wanted: filters[flag] === 'true' })
  if (filters.not_in_master !== undefined)
    all.push({ set: await outsideMaster(db, version), wanted: filters.not_in_master === 'true' })
  if (filters.failed_check !== undefined)
    all.push({ set: await failedSet(db, version, filters.failed_check), wanted: true })
  if (filters.incomplete_for !== undefined)
    all.push({ set: await incompleteSet(db, version, filters.incomplete_for), wanted: true })
  if (filters.disagreement !== undefined)
    all.push({ set: await disagreementSet(db, version, filters.disagreement), wanted: true })
  for (const named of ofFields(db, version, filters))
    all.push({ set: await storedSet(db, version, named), wanted: true })
  if (filters.sku_search) all.push({ set: await searchRows(db, version, filters.sku_search), wanted: true })
  return matchingRows(version.stored_rows, all)
}

type Named = { name: string; find: () => Promise<BitSet> }

function ofFields(
  db: Db,
  { rows_of, stored_rows, fields, sources }: CompiledVersion,
  { blank_field, filled_by, field }: CompiledFilters,
): Named[] {
  const filled = async (number: number, holds: (source: number) => boolean) =>
    rowsWhere(await bytesOfRecords(db, rows_of, { list: 'field_sources', number }), holds)
  const named: Named[] = []
  if (blank_field !== undefined) {
    const number = fields.indexOf(blank_field) + 1
    // An unknown field is empty in every record.
    const find = () =>
      number > 0 ? filled(number, (source) => source === 0) : Promise.resolve(matchingRows(stored_rows, []))
    named.push({ name: `blank ${number}`, find })
  }
  if (filled_by !== undefined) {
    const number = sources.findIndex(({ task_id }) => task_id === filled_by) + 1
    const place = field === undefined ? null : fields.indexOf(field) + 1
    const find = async () => {
      // A source that was not merged fills no field, and no source fills an unknown field.
      if (number === 0 || place === 0) return new Uint8Array()
      return place === null
        ? filledAnywhere(db, rows_of, number)
        : filled(place, (source) => source === number)
    }
    named.push({ name: `filled by ${number}${place === null ? '' : ` ${place}`}`, find })
  }
  return named
}

/** Rows in which a source fills at least one field. */
async function filledAnywhere(db: Db, rows_of: number, number: number): Promise<BitSet> {
  const found = new RowSet()
  for await (const { first_row, size, field_sources } of fieldSources(db, rows_of))
    for (const [at, source] of field_sources.entries())
      if (source === number) found.add(first_row - 1 + (at % size))
  return found.bits
}

/** Rows whose SKU is missing in the master. */
export function outsideMaster(db: Db, version: CompiledVersion): Promise<BitSet> {
  const { rows_of, stored_rows, sources, master } = version
  const number = sources.findIndex(({ task_id }) => task_id === master) + 1
  const find = async () =>
    number === 0
      ? matchingRows(stored_rows, [])
      : rowsWhere(await bytesOfRecords(db, rows_of, { list: 'found', number }), (times) => times === 0)
  return storedSet(db, version, { name: `outside ${number}`, find })
}

async function changed(db: Db, version: CompiledVersion, { change }: CompiledFilters): Promise<Condition[]> {
  return change === 'added' || change === 'changed'
    ? [{ set: await versionSet(db, version, `${change}_rows`), wanted: true }]
    : []
}
