import { decisionSentence } from '../../../../contract/decisions/server-messages.ts'
import type { LineageStep, SourceValue } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import type { Db } from '../../../platform/db.ts'
import { valueText } from '../../../snapshots/date-text.ts'
import type { BlockRecord } from '../../../snapshots/record-blocks.ts'
import { decisionsInRecord } from '../../../snapshots/record-decisions.ts'
import { type CompiledVersion, sourceColumn } from './compiled-version.ts'
import { type LineageDeps, originPlace } from './places.ts'
import { ruleOf } from './rule.ts'
import { readRow, readVersion, runOf, taskOf } from './stored-version.ts'

/** A cell of a source task's rows. `snapshot_id`: the version that was read, which may be gone. */
export type SourceCell = {
  task_id: number
  task_name: string
  snapshot_id: number | null
  row_no: number
  column: number
}

/** The step of a compiled record, and the cell of the source that fills the field (column 0: the SKU); null: none, or not known. */
export async function recordStep(
  deps: LineageDeps,
  version: CompiledVersion,
  { record, column, notes }: { record: BlockRecord; column: number; notes: string[] },
): Promise<{ step: LineageStep; next: SourceCell | null }> {
  const rule = ruleOf(version, column)
  const chosen =
    column === 0
      ? rule.order.find((index) => (record.found[index] ?? 0) > 0)
      : (record.field_sources[column - 1] ?? 0) - 1
  const kept = record.cells[column] ?? null
  const isKept = record.source_rows.length === 0
  const sources: SourceValue[] = []
  for (const index of rule.order)
    sources.push(await sourceValue(deps, version, { record, column, index, isChosen: index === chosen }))
  const set = await overrideOf(deps.db, version, { row_no: record.row_no, column })
  const decided = await decisionOf(deps.db, version, { record, column })
  const cell = chosen === undefined || chosen < 0 ? null : cellOf(version, record, column, chosen)
  return {
    step: {
      kind: 'record',
      text: messages.compiled(version.task_name),
      task: taskOf(version),
      run: runOf(version),
      place: {
        kind: 'records',
        text: messages.record(version.names[column] ?? '', record.sku, version.task_name),
        row: record.row_no,
        link: null,
      },
      record: { sku: record.sku, field: version.names[column] ?? '', rule: ruleText(), sources },
      notes: [...notes, ...(isKept ? [messages.kept] : []), ...changeNotes()],
    },
    next: cell?.row_no ? cell : null,
  }

  function changeNotes(): string[] {
    if (set) return [messages.overridden(set.author, set.reason)]
    return [
      ...(decided ? [messages.decided(decided.author, decisionSentence(decided))] : []),
      ...(isChanged() ? [messages.changed(kept)] : []),
    ]
  }

  function isChanged(): boolean {
    const raw = sources.find(({ state }) => state === 'chosen')
    return column > 0 && raw !== undefined && raw.value !== kept
  }

  function ruleText(): string {
    if (chosen === undefined || chosen < 0) return messages.rule_none
    return column === 0 ? messages.rule_sku(version.sources[chosen]?.name ?? '') : rule.text
  }
}

/** Who set the value of a field in place of the sources; undefined: it is theirs. Column 0 is the SKU. */
const overrideOf = (
  db: Db,
  { rows_of }: CompiledVersion,
  { row_no, column }: { row_no: number; column: number },
): Promise<{ author: string; reason: string } | undefined> =>
  db
    .selectFrom('compiled_overrides as c')
    .innerJoin('compiler_overrides as o', 'o.id', 'c.override_id')
    .select(['o.author', 'o.reason'])
    .where('c.snapshot_id', '=', rows_of)
    .where('c.row_no', '=', row_no)
    .where('c.field', '=', column - 1)
    .executeTakeFirst()

/** The rule that decided a field of a record; undefined: none did. Column 0 is the SKU. */
async function decisionOf(
  db: Db,
  version: CompiledVersion,
  { record, column }: { record: BlockRecord; column: number },
): Promise<
  | { author: string; field: string; texts: string[] | null; text: string | null; source: string | null }
  | undefined
> {
  const id = (await decisionsInRecord(db, version, record)).get(column - 1)
  if (id === undefined) return undefined
  const decision = await db
    .selectFrom('compiler_decisions as d')
    .leftJoin('tasks as t', 't.id', 'd.source_task_id')
    .select(['d.author', 'd.field', 'd.texts', 'd.text', 't.name as source'])
    .where('d.id', '=', id)
    .executeTakeFirst()
  return decision && { ...decision, texts: decision.texts === null ? null : JSON.parse(decision.texts) }
}

/** The cell of a source for a column of a record; null: it has no such column. Row 0: not known. */
function cellOf(
  { sources, merged }: CompiledVersion,
  { source_rows }: BlockRecord,
  column: number,
  index: number,
): SourceCell | null {
  const source = sources[index]
  const read = merged[index] ?? null
  const place = read && sourceColumn(read, column)
  if (source === undefined || read === null || place === null) return null
  const { task_id, name } = source
  return {
    task_id,
    task_name: name,
    snapshot_id: read.snapshot_id,
    row_no: source_rows[index] ?? 0,
    column: place,
  }
}

type Asked = { record: BlockRecord; column: number; index: number; isChosen: boolean }

async function sourceValue(
  deps: LineageDeps,
  version: CompiledVersion,
  { record, column, index, isChosen }: Asked,
): Promise<SourceValue> {
  const { task_id, name } = version.sources[index] ?? { task_id: 0, name: '' }
  const none = { task_id, name, value: null, value_text: '', number_format: null, place: null }
  if ((record.found[index] ?? 0) === 0) return { ...none, state: 'no_row' }
  const cell = cellOf(version, record, column, index)
  const kept = record.cells[column] ?? null
  if (cell === null || cell.row_no === 0) {
    if (isChosen) return { ...none, state: 'chosen', value: kept, value_text: valueText(kept, null) }
    // Compiles of earlier releases did not store what they read.
    const isKnown = version.merged[index] !== undefined && version.merged[index] !== null
    return { ...none, state: cell === null && isKnown ? 'no_column' : 'gone' }
  }
  const stored = await readVersion(deps.db, cell.snapshot_id)
  const header = stored?.names[cell.column] ?? version.names[column] ?? ''
  const place = await originPlace(
    deps,
    { task_id, definition: stored?.definition },
    { row_no: cell.row_no, column: cell.column, name: header },
  )
  const number_format = column === 0 ? null : version.field_formats.of(column - 1, index + 1, cell.row_no)
  const row = stored && (await readRow(deps.db, stored, cell.row_no))
  const known = { ...none, number_format, place }
  if (row === null && !isChosen) return { ...known, state: 'gone' }
  const value = row === null ? kept : (row[cell.column] ?? null)
  const shown = { ...known, value, value_text: valueText(value, number_format) }
  if (isChosen) return { ...shown, state: 'chosen' }
  return { ...shown, state: isBlank(value) ? 'blank' : 'value' }
}

const isBlank = (value: SourceValue['value']) =>
  value === null || (typeof value === 'string' && value.trim() === '')
