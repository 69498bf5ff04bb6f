import type { LineageStep, WrittenCell } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import { letters } from '../../../snapshots/column-names.ts'
import { valueText } from '../../../snapshots/date-text.ts'
import { type CopyDefinition, definitionOf, isExtra, sheetColumn } from './copied-columns.ts'
import { definitionOfPart, partOfCopy, placeOfRow, taskOfPart } from './copied-parts.ts'
import { recordSteps } from './copied-record.ts'
import { type LineageDeps, sheetPlace } from './places.ts'
import { isRestored, restoredStep } from './restored.ts'
import { valueSince } from './since.ts'
import { readRow, runOf, type StoredVersion, sourceRowOf } from './stored-version.ts'
import type { TargetTask } from './target-tasks.ts'

/** A cell of a tab: the row counts from 1 as in the sheet, the column from 0. */
export type TabCell = { row: number; column: number }

/** A task, and the rows that it wrote last; null: none are stored. */
export type Target = { task: TargetTask; version: StoredVersion | null }

type Written = { written: WrittenCell; steps: LineageStep[] }

/** The cell of a task's target and the way of its value. Cells that the task does not write have no way. */
export async function readWritten(
  deps: LineageDeps,
  { task, version }: Target,
  cell: TabCell,
): Promise<Written> {
  const { db } = deps
  const { task_id, name, run_id, run_at, start_row } = task
  const base: WrittenCell = {
    task: { category: 'sync', id: task_id, name },
    state: 'not_run',
    text: messages.not_run(name),
    column: null,
    value: null,
    value_text: '',
    number_format: null,
    run: run_id === null || run_at === null ? null : { id: run_id, at: run_at.toISOString() },
    since: null,
    edited: null,
  }
  if (version === null || task.tab_id === null) return { written: base, steps: [] }
  const row_no = cell.row - start_row
  const columns = Math.max(version.header.length, task.owned_columns)
  const state = stateOf(row_no, cell.column, { columns, rows: version.row_count })
  const text = {
    value: () => messages.value(name, version.names[cell.column] ?? ''),
    header: () => messages.header(name),
    above: () => messages.above(name, start_row),
    below: () => messages.below(name, start_row + version.row_count),
    outside: () => messages.outside(name, letters(Math.max(0, columns - 1))),
  }[state]()
  if (state !== 'value' && state !== 'header') return { written: { ...base, state, text }, steps: [] }
  const row = (await readRow(db, version, row_no)) ?? []
  const value = row[cell.column] ?? null
  const number_format = state === 'value' ? version.formats.at(row_no, cell.column) : null
  const { tab_id } = task
  const since = await valueSince(db, { task_id, tab_id, start_row, row: row_no, column: cell.column, value })
  const written: WrittenCell = {
    ...base,
    state,
    text,
    column: version.names[cell.column] ?? null,
    value,
    value_text: valueText(value, number_format),
    number_format,
    since: since && { ...since, former_text: valueText(since.former, number_format) },
  }
  return { written, steps: await stepsOfCopy(deps, task, version, { row_no, column: cell.column, row }) }
}

function stateOf(row_no: number, column: number, { columns, rows }: { columns: number; rows: number }) {
  if (row_no < 0) return 'above'
  if (column >= columns) return 'outside'
  if (row_no > rows) return 'below'
  return row_no === 0 ? 'header' : 'value'
}

type Copied = { row_no: number; column: number; row: StoredVersion['header'] }

async function stepsOfCopy(
  deps: LineageDeps,
  task: TargetTask,
  version: StoredVersion,
  copied: Copied,
): Promise<LineageStep[]> {
  if (isRestored(task, version)) return [restoredStep(task, version)]
  const whole = definitionOf(version, task)
  if (whole === null) return []
  const row = copied.row_no === 0 ? 0 : await sourceRowOf(deps.db, version, copied.row_no)
  const place = placeOfRow(version, row, copied.column)
  const part = partOfCopy(version, place)
  if (part === null) return []
  const isOfOther =
    version.source_columns?.[copied.column] != null && part.version.source_columns?.[copied.column] === null
  if (isOfOther) return []
  return stepsOfSource(
    deps,
    { task: taskOfPart(task, place), version: part.version, definition: definitionOfPart(whole, place) },
    { ...copied, source_row: row === 0 ? 0 : row - part.first_row + 1 },
  )
}

async function stepsOfSource(
  deps: LineageDeps,
  { task, version, definition }: { task: TargetTask; version: StoredVersion; definition: CopyDefinition },
  { source_row: row_no, ...copied }: Copied & { source_row: number },
): Promise<LineageStep[]> {
  if (definition.source_type === 'internal')
    return copied.row_no === 0 ? [] : recordSteps(deps, { task, version, definition }, { ...copied, row_no })
  const { column } = copied
  const { source_ss_id, source_sheet_name } = definition
  const isAdded = isExtra(version, definition, column)
  const source = isAdded ? null : sheetColumn(version, definition, column)
  const isSame = task.source_ss_id === source_ss_id
  const sheet = {
    spreadsheet_id: source_ss_id,
    tab_id: definition.source_place ?? (isSame ? task.source_place : null),
    sheet_name: source_sheet_name || (isSame ? task.source_sheet_name : ''),
    spreadsheet_name: isSame ? task.source_ss_name : '',
  }
  const name = version.names[column] ?? ''
  return [
    {
      kind: 'sheet',
      text: messages.read_sheet(task.name),
      task: { category: 'sync', id: task.task_id, name: task.name },
      run: runOf(version),
      place: sheetPlace(deps, sheet, {
        row: (definition.start_row ?? task.start_row) + row_no,
        column: source,
        name,
      }),
      record: null,
      notes: isAdded ? [messages.extra_column(name)] : source === null ? [messages.letter_unknown] : [],
    },
  ]
}
