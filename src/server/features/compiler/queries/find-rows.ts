import { type RawBuilder, sql } from 'kysely'
import type { CompiledFilters } from '../../../../contract/compiler-records.ts'
import type { Db } from '../../../platform/db.ts'
import { type BitSet, matchingRows } from '../../../snapshots/bit-sets.ts'
import { BITS_IN_WORD } from '../../../snapshots/source-sets.ts'
import { FLAGS, flagSets } from './flags.ts'
import { searchRows } from './search-rows.ts'
import { storedSet } from './stored-sets.ts'
import { type CompiledVersion, readCompiled, readEarlier } from './version.ts'

type Condition = { set: BitSet; wanted: boolean }

/** Records that were looked for: the version that they are in, which is the one of before where they are gone, and their rows. */
export type Found = { version: CompiledVersion; rows: BitSet }

/** The records for which all that the filters say holds; null while there are none at all. Throws NamedError `compiler_task_not_found`. */
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
  const conditions = [{ set: await goneRows(db, earlier, current), wanted: true }]
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
  for (const { name, condition } of ofFields(version, filters))
    all.push({ set: await storedSet(db, version, { name, condition }), wanted: true })
  if (filters.sku_search) all.push({ set: await searchRows(db, version, filters.sku_search), wanted: true })
  return matchingRows(version.stored_rows, all)
}

type Named = { name: string; condition: RawBuilder<boolean> }

function ofFields(
  { fields, sources }: CompiledVersion,
  { blank_field, filled_by, field }: CompiledFilters,
): Named[] {
  // A field that there is not has no value in any record, and a source that was not merged has filled none.
  const places = (name: string) => fields.indexOf(name) + 1
  const named: Named[] = []
  if (blank_field !== undefined)
    named.push({
      name: `blank ${places(blank_field)}`,
      condition: sql<boolean>`coalesce(r.field_sources[${places(blank_field)}::int], 0) = 0`,
    })
  if (filled_by !== undefined) {
    const number = sources.findIndex(({ task_id }) => task_id === filled_by) + 1
    named.push(
      field === undefined
        ? {
            name: `filled by ${number}`,
            condition: sql<boolean>`${number}::smallint > 0 and ${number}::smallint = any (r.field_sources)`,
          }
        : {
            name: `filled by ${number} ${places(field)}`,
            condition: sql<boolean>`${number}::smallint > 0 and r.field_sources[${places(field)}::int] = ${number}::smallint`,
          },
    )
  }
  return named
}

/** The rows of records that the master does not have. */
export function outsideMaster(db: Db, version: CompiledVersion): Promise<BitSet> {
  const { sources, master } = version
  const index = sources.findIndex(({ task_id }) => task_id === master)
  const word = sql`r.found_in[${Math.floor(index / BITS_IN_WORD) + 1}::int]`
  const condition =
    index < 0
      ? sql<boolean>`true`
      : sql<boolean>`coalesce(${word}, 0) & ${2 ** (index % BITS_IN_WORD)}::int = 0`
  return storedSet(db, version, { name: `outside ${index + 1}`, condition })
}

async function changed(db: Db, version: CompiledVersion, { change }: CompiledFilters): Promise<Condition[]> {
  return change === 'added' || change === 'changed'
    ? [{ set: await changedRows(db, version, change), wanted: true }]
    : []
}

/** The rows of records that the last compile has added, or given other values; compiles that share rows each have their own. */
export const changedRows = (db: Db, version: CompiledVersion, name: 'added' | 'changed'): Promise<BitSet> =>
  storedSet(db, version, {
    name: `${name} since ${version.began_at.getTime()}`,
    condition:
      name === 'added'
        ? sql<boolean>`r.created_at >= ${version.began_at}`
        : sql<boolean>`r.updated_at >= ${version.began_at} and r.created_at < ${version.began_at}`,
  })

/** The rows of the compile before whose SKUs the last one has not found. */
export const goneRows = (db: Db, earlier: CompiledVersion, current: CompiledVersion): Promise<BitSet> =>
  storedSet(db, earlier, {
    name: `gone in ${current.rows_of}`,
    // One look for each: a join could as well be planned as a walk over both for each of them.
    condition: sql<boolean>`(
      select 1 from compiled_records c where c.snapshot_id = ${current.rows_of} and c.sku = r.sku limit 1) is null`,
  })
