import type { LineageStep } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import { compiledOf, recordInPlace } from './compiled-version.ts'
import { type LineageDeps, originPlace } from './places.ts'
import { recordStep, type SourceCell } from './record-step.ts'
import { readVersion, runOf, taskOf } from './stored-version.ts'

/** Tasks that read each other's rows, one behind the other. */
const MAX_STEPS = 10

/** The way of a cell of stored rows to its origin. `at` null: it ends here. */
export async function stepsFrom(deps: LineageDeps, at: SourceCell | null): Promise<LineageStep[]> {
  const steps: LineageStep[] = []
  for (let cell = at; cell !== null && steps.length < MAX_STEPS; ) {
    const found = await stepAt(deps, cell)
    steps.push(found.step)
    cell = found.next
  }
  return steps
}

type Found = { step: LineageStep; next: SourceCell | null }

async function stepAt(deps: LineageDeps, cell: SourceCell): Promise<Found> {
  const { row_no, column, task_id, task_name } = cell
  const stored = await readVersion(deps.db, cell.snapshot_id)
  const compiled = await compiledOf(deps.db, stored)
  if (compiled) {
    const record = await recordInPlace(deps.db, compiled, row_no)
    if (record) return recordStep(deps, compiled, { record, column, notes: [] })
  }
  const version = compiled ? null : stored
  const name = version?.names[column] ?? ''
  const origin = await originPlace(
    deps,
    { task_id, definition: version?.definition },
    { row_no, column, name },
  )
  const place = origin ?? {
    kind: 'rows' as const,
    text: messages.rows(name, row_no, version?.task_name ?? task_name),
    row: row_no,
    link: null,
  }
  const task = version ? taskOf(version) : { category: 'source' as const, id: task_id, name: task_name }
  const step: LineageStep = { kind: 'rows', text: '', task, run: null, place, record: null, notes: [] }
  if (version === null) return { step: { ...step, text: messages.gone(task_name) }, next: null }
  const text = origin ? messages.read_source(version.task_name) : messages.read_task(version.task_name)
  return {
    step: { ...step, text, run: runOf(version) },
    next: await storedBehind(deps, version.read_snapshot_id, cell),
  }
}

/** The same cell in the rows of the task that were read; null if the source is no task, or its rows are no longer stored. */
async function storedBehind(
  { db }: LineageDeps,
  snapshot_id: number | null,
  { row_no, column }: SourceCell,
): Promise<SourceCell | null> {
  const version = await readVersion(db, snapshot_id)
  if (version === null) return null
  const { id, task_id, task_name } = version
  return { task_id, task_name, snapshot_id: id, row_no, column }
}
