import type { Lineage } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import type { Db } from '../../../platform/db.ts'
import { letters } from '../../../snapshots/column-names.ts'
import type { LinkedCell } from './cell-link.ts'
import { columnInCopy, definitionOf } from './copied-columns.ts'
import { partOfCopy } from './copied-parts.ts'
import { type LineageDeps, originOf } from './places.ts'
import { isRestored } from './restored.ts'
import { stepsFrom } from './steps.ts'
import { readVersion } from './stored-version.ts'
import type { TargetTask } from './target-tasks.ts'
import { addTargets, addUsesOfRow, MAX_USES, restoredRows, Uses } from './uses.ts'

type Reader = {
  task_id: number
  name: string
  snapshot_id: number | null
  spreadsheet_name: string
  sheet_name: string
}

/** Source tasks that read a tab. Index: source_tasks_spreadsheet_idx. */
export const readersOfTab = (db: Db, spreadsheet_id: string, tab_id: string): Promise<Reader[]> =>
  db
    .selectFrom('source_tasks as s')
    .innerJoin('tasks as t', 't.id', 's.task_id')
    .select(['s.task_id', 't.name', 't.snapshot_id', 's.spreadsheet_name', 's.sheet_name'])
    .where('s.source_type', '=', 'sheet')
    .where('s.spreadsheet_id', '=', spreadsheet_id)
    .where('s.place', '=', tab_id)
    .orderBy('s.task_id')
    .limit(MAX_USES)
    .execute()

type FromSheet = Pick<Lineage, 'steps' | 'notes'> & {
  uses: Uses
  sheet_name: string
  spreadsheet_name: string
}

/** What tasks read from a cell of a sheet, and where it ends up. */
export async function lineageOfSheet(
  deps: LineageDeps,
  cell: Pick<LinkedCell, 'row' | 'column' | 'spreadsheet_id' | 'tab_id'>,
  { readers, copies }: { readers: readonly Reader[]; copies: readonly TargetTask[] },
): Promise<FromSheet> {
  const { db } = deps
  const { row, column } = cell
  const uses = new Uses()
  const steps: Lineage['steps'] = []
  const notes: string[] = []
  for (const { task_id, name: task_name, snapshot_id } of readers) {
    const version = await readVersion(db, snapshot_id)
    const origin = version && (await originOf(db, version))
    const start_row = origin && 'start_row' in origin ? origin.start_row : null
    if (version === null || start_row === null) notes.push(messages.not_read_yet(task_name))
    else {
      const row_no = row - start_row
      const [rows, columns] = [version.row_count, version.names.length]
      if (row_no < 1 || row_no > rows || column >= columns) {
        notes.push(
          messages.not_read(task_name, {
            first: start_row + 1,
            last: start_row + rows,
            column: letters(Math.max(0, columns - 1)),
          }),
        )
        continue
      }
      const at = { task_id, task_name, snapshot_id: version.id, row_no, column }
      steps.push(...(await stepsFrom(deps, at)))
      await addUsesOfRow(deps, uses, at)
    }
  }
  for (const task of copies) {
    const copy = await readVersion(db, task.snapshot_id)
    const row_no = row - task.start_row
    if (copy === null) notes.push(messages.not_read_yet(task.name))
    if (copy === null || row_no < 0) continue
    if (isRestored(task, copy)) {
      uses.add(restoredRows(task))
      continue
    }
    const part = partOfCopy(copy, sourceInTab(task, cell))
    if (part === null) {
      notes.push(messages.not_read_yet(task.name))
      continue
    }
    const row_in_all = part.rowInAll(row_no)
    if (row_in_all === null) continue
    const place = columnInCopy(part.version, definitionOf(copy, task), column)
    await addTargets(deps, uses, { task, copy }, { row_no: row_in_all, column: place, name: letters(column) })
  }
  const [reader] = readers
  const [copy] = copies
  return {
    uses,
    steps,
    notes,
    sheet_name: reader?.sheet_name ?? copy?.source_sheet_name ?? '',
    spreadsheet_name: reader?.spreadsheet_name ?? copy?.source_ss_name ?? '',
  }
}

/** Place of the source of a task that is a tab. */
const sourceInTab = (
  { source_ss_id, source_place, further }: TargetTask,
  { spreadsheet_id, tab_id }: Pick<LinkedCell, 'spreadsheet_id' | 'tab_id'>,
): number =>
  [{ source_ss_id, source_place }, ...further].findIndex(
    (source) => source.source_ss_id === spreadsheet_id && source.source_place === tab_id,
  )
