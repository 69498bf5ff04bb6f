import { sql } from 'kysely'
import type { LineageUse } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import { hasRow } from '../../../snapshots/bit-sets.ts'
import { type BlockRecord, recordsAt, rowsOfSourceRow } from '../../../snapshots/record-blocks.ts'
import { cellName } from './cell-link.ts'
import { type CompiledVersion, placeOf, readCompiled, sourceColumn } from './compiled-version.ts'
import { columnOfName, definitionOf } from './copied-columns.ts'
import { partOfCopy } from './copied-parts.ts'
import type { LineageDeps } from './places.ts'
import { sheetLink } from './places.ts'
import type { SourceCell } from './record-step.ts'
import { isRestored } from './restored.ts'
import { placeOfSourceRow, readVersion, type StoredVersion, sourceRowOf, taskOf } from './stored-version.ts'
import { type TargetTask, tabsOfRow, tasksOfConfig } from './target-tasks.ts'

/** Uses in a reply. */
export const MAX_USES = 50

/** Tasks that read each other's rows, one behind the other. */
const MAX_DEPTH = 5

/** Collects where cells end up, until there are too many. */
export class Uses {
  readonly list: LineageUse[] = []

  get isFull(): boolean {
    return this.list.length > MAX_USES
  }

  add(use: LineageUse): void {
    if (!this.isFull) this.list.push(use)
  }
}

/** Adds the records, rows of other tasks and cells of targets in which a cell of a source task's current rows ends up. */
export async function addUsesOfRow(
  deps: LineageDeps,
  uses: Uses,
  cell: SourceCell & { snapshot_id: number },
  depth = 0,
): Promise<void> {
  const { db } = deps
  const { rows: configs } = await sql<{ snapshot_id: number | null }>`
    select t.snapshot_id from compiler_sources s
    join compiler_configs c on c.id = s.compiler_config_id join tasks t on t.id = c.task_id
    where s.source_task_id = ${cell.task_id} order by c.id limit ${MAX_USES}`.execute(db)
  for (const { snapshot_id } of configs) {
    const version = await readCompiled(db, snapshot_id)
    if (version && !uses.isFull) await addRecord(deps, uses, version, cell, depth)
  }
  await addReaders(deps, uses, cell, depth)
}

async function addRecord(
  deps: LineageDeps,
  uses: Uses,
  version: CompiledVersion,
  cell: SourceCell & { snapshot_id: number },
  depth: number,
): Promise<void> {
  const index = version.sources.findIndex(({ task_id }) => task_id === cell.task_id)
  const read = version.merged[index] ?? null
  if (read === null) return
  const base = { kind: 'record' as const, task: taskOf(version), record: null, link: null }
  if (read.snapshot_id !== cell.snapshot_id) {
    uses.add({ ...base, text: messages.use_outdated(version.task_name) })
    return
  }
  const where = { number: index + 1, row_no: cell.row_no }
  const row_nos = (await rowsOfSourceRow(deps.db, version.rows_of, where)).filter(
    (row_no) => !hasRow(version.removed, row_no),
  )
  const [record] = await recordsAt(deps.db, version.rows_of, row_nos)
  if (record === undefined) {
    uses.add({ ...base, text: messages.use_none(version.task_name) })
    return
  }
  const column = version.names.findIndex((_, column) => sourceColumn(read, column) === cell.column)
  const name = version.names[column] ?? ''
  const text = messages.record(name, record.sku, version.task_name)
  const filler = column === 0 ? index + 1 : (record.field_sources[column - 1] ?? 0)
  const isChosen = filler === index + 1
  uses.add({
    ...base,
    record: { sku: record.sku, field: name },
    text: isChosen
      ? messages.use_chosen(text)
      : filler === 0
        ? messages.use_blank(text)
        : messages.use_other(text, version.sources[filler - 1]?.name ?? ''),
  })
  if (isChosen) await addUsesOfRecord(deps, uses, version, { record, column }, depth)
}

/** Adds where a field of a record (column 0: the SKU) ends up. */
export async function addUsesOfRecord(
  deps: LineageDeps,
  uses: Uses,
  version: CompiledVersion,
  { record, column }: { record: BlockRecord; column: number },
  depth = 0,
): Promise<void> {
  const { db } = deps
  if (version.config_id === null) return
  for (const task of await tasksOfConfig(db, version.config_id, MAX_USES)) {
    if (uses.isFull) return
    const copy = await readVersion(db, task.snapshot_id)
    if (copy && isRestored(task, copy)) {
      uses.add(restoredRows(task))
      continue
    }
    const definition = copy && definitionOf(copy, task)
    const source = [definition, ...(definition?.further_sources ?? [])].findIndex(
      (one) => one?.source_type === 'internal' && one.source_task_id === version.task_id,
    )
    const part = copy && partOfCopy(copy, Math.max(0, source))
    const row_no = part && (await placeInCopy(deps, part.version, version, record))
    const base = { kind: 'target' as const, task: syncTaskOf(task), record: null, link: null }
    if (copy === null || part === null || row_no === null) {
      uses.add({ ...base, text: messages.use_not_yet(task.name) })
      continue
    }
    const name = version.names[column] ?? ''
    const place = part.version.source_columns?.indexOf(column) ?? columnOfName(copy, definition, name)
    await addTargets(deps, uses, { task, copy }, { row_no: part.rowInAll(row_no), column: place, name })
  }
  const row_no = placeOf(version, record.row_no)
  const { id, task_id, task_name } = version
  await addReaders(deps, uses, { snapshot_id: id, task_id, task_name, row_no, column }, depth)
}

/** Where a copy has a record: at its place in the version that was copied. Null: another version was copied. */
async function placeInCopy(
  { db }: LineageDeps,
  { read_snapshot_id }: StoredVersion,
  version: CompiledVersion,
  { row_no, before_row }: BlockRecord,
): Promise<number | null> {
  if (read_snapshot_id === null) return null
  if (read_snapshot_id === version.id) return placeOf(version, row_no)
  const copied = await readVersion(db, read_snapshot_id)
  if (copied === null) return null
  if (copied.rows_of === version.rows_of)
    return hasRow(copied.removed, row_no) ? null : placeOf(copied, row_no)
  const task = await db
    .selectFrom('tasks')
    .select('before_snapshot_id')
    .where('id', '=', version.task_id)
    .executeTakeFirst()
  if (task?.before_snapshot_id !== read_snapshot_id || !(before_row > 0)) return null
  return hasRow(copied.removed, before_row) ? null : placeOf(copied, before_row)
}

/** Adds the cells of a task's targets that have a row of its source. `row_no` null: the source has no such row. */
export async function addTargets(
  deps: LineageDeps,
  uses: Uses,
  { task, copy }: { task: TargetTask; copy: StoredVersion },
  { row_no, ...cell }: { row_no: number | null; column: number | null; name: string },
): Promise<void> {
  const copied_row = row_no === null ? null : await placeOfSourceRow(deps.db, copy, row_no)
  if (row_no === null || copied_row === null) {
    uses.add(filteredOut(task))
    return
  }
  if (copied_row > copy.row_count) return
  if (!task.is_split) {
    addTarget(deps, uses, task, { ...cell, row_no: copied_row })
    return
  }
  const source_row = await sourceRowOf(deps.db, copy, copied_row)
  const rows = await tabsOfRow(deps.db, task, copy, copied_row === 0 ? 0 : source_row)
  for (const row of rows) addTarget(deps, uses, row.task, { ...cell, row_no: row.row_no })
  if (rows.length === 0)
    uses.add({
      ...{ kind: 'target', text: messages.use_not_yet(task.name), task: syncTaskOf(task) },
      ...{ record: null, link: null },
    })
}

/** Adds the cell of a task's target. `column` negative: the task leaves it out; null: it is not known. */
function addTarget(
  deps: LineageDeps,
  uses: Uses,
  task: TargetTask,
  { row_no, column, name }: { row_no: number; column: number | null; name: string },
): void {
  const base = { kind: 'target' as const, task: syncTaskOf(task), record: null }
  if (column === null) {
    const row = task.start_row + row_no
    uses.add({
      ...base,
      text: messages.use_letter_unknown(task.name, row),
      link: sheetLink(deps, task, `${row}:${row}`),
    })
    return
  }
  if (column < 0) {
    uses.add({ ...base, text: messages.use_excluded(task.name, name), link: null })
    return
  }
  const cell = cellName(task.start_row + row_no, column)
  uses.add({
    ...base,
    text: messages.sheet(cell, task.sheet_name, task.spreadsheet_name),
    link: sheetLink(deps, task, cell),
  })
}

/** A row that the task does not copy. */
const filteredOut = (task: TargetTask) => ({
  kind: 'target' as const,
  text: messages.use_filtered(task.name),
  task: syncTaskOf(task),
  record: null,
  link: null,
})

/** A target that holds an older version. */
export const restoredRows = (task: TargetTask) => ({
  ...filteredOut(task),
  text: messages.use_restored(task.name),
})

const syncTaskOf = ({ task_id, name }: TargetTask) => ({ category: 'sync' as const, id: task_id, name })

/** Adds the rows of source tasks that read the rows of this task, and where those end up. Index: source_tasks_origin_idx. */
async function addReaders(
  deps: LineageDeps,
  uses: Uses,
  cell: SourceCell & { snapshot_id: number },
  depth: number,
): Promise<void> {
  if (depth >= MAX_DEPTH) return
  const { rows: readers } = await sql<{ snapshot_id: number | null }>`
    select t.snapshot_id from source_tasks s join tasks t on t.id = s.task_id
    where s.origin_task_id = ${cell.task_id} and s.source_type = 'internal' order by t.id limit ${MAX_USES}`.execute(
    deps.db,
  )
  for (const { snapshot_id } of readers) {
    const version = await readVersion(deps.db, snapshot_id)
    if (uses.isFull) return
    if (version?.read_snapshot_id !== cell.snapshot_id) continue
    const { id, task_id, task_name, names } = version
    const { row_no, column } = cell
    uses.add({
      kind: 'rows',
      text: messages.rows(names[column] ?? '', row_no, task_name),
      task: taskOf(version),
      record: null,
      link: null,
    })
    await addUsesOfRow(deps, uses, { snapshot_id: id, task_id, task_name, row_no, column }, depth + 1)
  }
}
