import type { z } from 'zod'
import type {
  ChangeFilters,
  ChangesQuery,
  compilerChanges,
  RecordChange,
} from '../../../../contract/compiler/changes.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { writeCsv } from '../../../platform/csv/rows.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { FileAnswer } from '../../../platform/http/feature.ts'
import { dateText } from '../../../snapshots/date-text.ts'
import type { BlockRecord } from '../../../snapshots/record-blocks.ts'
import { eachChanged, eachRecord, rowsLeft } from './changed-records.ts'
import { fieldChanges } from './field-changes.ts'
import { versionSet } from './flags.ts'
import { type CompiledVersion, readCompiled, readEarlier, readWaiting } from './version.ts'

/** Changed records that one answer looks at. */
const RECORDS_LOOKED_AT = 5_000

const CSV_COLUMNS = ['sku', 'change', 'field', 'before', 'after', 'sources']

/** A page of what the last compile changed, or what a waiting one would change. Throws NamedError `compiler_task_not_found` or `version_gone`. */
export async function readChanges(
  db: Db,
  { limit, from, ...filters }: ChangesQuery,
): Promise<z.infer<typeof compilerChanges.changes.reply>> {
  const changes: RecordChange[] = []
  let next = from
  for await (const found of eachChange(db, filters, from)) {
    next += 1
    changes.push(...found)
    if (changes.length >= limit || next - from >= RECORDS_LOOKED_AT) return { changes, next }
  }
  return { changes, next: null }
}

/** Streams what the last compile changed as a CSV file. Throws NamedError `nothing_to_export` without changes. */
export async function exportChanges(db: Db, filters: ChangeFilters): Promise<FileAnswer> {
  const rows = eachRow(eachChange(db, filters, 0))
  const first = await rows.next()
  if (first.done) throw new NamedError('nothing_to_export')
  return {
    content: writeCsv(CSV_COLUMNS, startingWith(first.value, rows)),
    filename: `compiler_config_${filters.compiler_config_id}_changes.csv`,
  }
}

async function* eachRow(records: AsyncIterable<RecordChange[]>): AsyncGenerator<CellValue[], undefined> {
  for await (const changes of records)
    for (const { sku, kind, field, before, after, sources } of changes)
      yield [
        sku,
        kind,
        field,
        dateText(before.value, before.number_format),
        dateText(after.value, after.number_format),
        sources.map(({ name }) => name).join(', '),
      ]
}

async function* startingWith<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* others
}

/** Yields for each changed record, from the `from`th on, the changes that match; none if none does. */
async function* eachChange(db: Db, filters: ChangeFilters, from: number): AsyncGenerator<RecordChange[]> {
  const [readVersion, readFormer] = filters.waiting
    ? ([readWaiting, readCompiled] as const)
    : ([readCompiled, readEarlier] as const)
  const version = await readVersion(db, filters.compiler_config_id)
  const earlier = version && (await readFormer(db, filters.compiler_config_id))
  if (!version || !earlier) return
  const searched = filters.sku_search?.toLowerCase() ?? ''
  const isWanted = ({ sku, field, sources }: RecordChange) =>
    sku.toLowerCase().includes(searched) &&
    (filters.field === undefined || field === filters.field) &&
    (filters.source === undefined || sources.some(({ source_task_id }) => source_task_id === filters.source))
  // Added and gone records have no field.
  const kinds = filters.field === undefined ? (['gone', 'changed', 'added'] as const) : (['changed'] as const)
  let skipped = from
  for (const kind of kinds) {
    if (filters.kind !== undefined && filters.kind !== kind) continue
    const of = kind === 'gone' ? earlier : version
    const rows = rowsLeft(of, await versionSet(db, version, `${kind}_rows`))
    const left = rows.slice(skipped)
    skipped = Math.max(0, skipped - rows.length)
    if (kind === 'changed')
      for await (const records of eachChanged(db, { version, earlier }, left))
        for (const record of records) yield fieldChanges(record, { version, earlier }).filter(isWanted)
    else
      for await (const records of eachRecord(db, of, left))
        for (const record of records) yield [wholeRecord(kind, record, of)].filter(isWanted)
  }
}

const NOTHING: RecordChange['before'] = { value: null, number_format: null }

/** A record that was added or is gone. */
const wholeRecord = (
  kind: 'added' | 'gone',
  { sku, found }: BlockRecord,
  { sources }: CompiledVersion,
): RecordChange => ({
  kind,
  sku,
  field: null,
  before: NOTHING,
  after: NOTHING,
  sources: sources.flatMap(({ task_id, name }, n) =>
    (found[n] ?? 0) > 0 ? [{ source_task_id: task_id, name }] : [],
  ),
})
