import { sql } from 'kysely'
import { z } from 'zod'
import { ColumnChange, type ColumnName } from '../../../../contract/remembered-columns/calls.ts'
import { columnMessages } from '../../../../contract/remembered-columns/client-messages.ts'
import { sourceServerMessages } from '../../../../contract/source-tasks/server-messages.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { headerNames } from '../../../snapshots/column-names.ts'
import { type Waiting, waitingCommands } from '../../../tasks/approvals/waiting-versions.ts'
import { storeColumnName } from './name-column.ts'

type Accepted = Waiting & {
  /** Columns of the waiting rows that are read as missing ones from now on; undefined: those that were found to be renamed. */
  column_names?: readonly ColumnName[] | undefined
}

/**
 * Make the waiting rows the current rows of a source task, or discard them. They throw as waitingCommands says, and `accept` NamedError
 * `column_name_invalid`.
 */
export const { accept: acceptRows, discard: discardRows } = waitingCommands<Accepted>({
  ...{ category: 'source', what: 'rows' },
  makeCurrent: async (trx, actor, { id, snapshot_id, column_names }, { read_at }) => {
    const names = await renameWaiting(trx, snapshot_id, column_names)
    for (const name of names) await storeColumnName(trx, actor, { id, ...name })
    await trx.updateTable('tasks').set({ snapshot_id }).where('id', '=', id).execute()
    await trx
      .updateTable('source_tasks')
      // Clears validators of the previous rows, such as the ETag.
      .set({ pulled_at: read_at, changed_at: sql<Date>`now()`, validator: null })
      .where('task_id', '=', id)
      .execute()
    return names.length === 0
      ? undefined
      : { details: { column_names: names }, note: `.${columnMessages.accepted(names)}` }
  },
  messages: {
    accepted: sourceServerMessages.rows_accepted,
    discarded: sourceServerMessages.rows_discarded,
  },
})

/** Renames columns of rows that no task points to yet, and returns the new names. Throws NamedError `column_name_invalid`. */
async function renameWaiting(
  trx: Trx,
  snapshot_id: number,
  wanted: readonly ColumnName[] | undefined,
): Promise<readonly ColumnName[]> {
  const { header, column_changes } = await trx
    .selectFrom('snapshots')
    .select(['header', 'column_changes'])
    .where('id', '=', snapshot_id)
    .executeTakeFirstOrThrow()
  const changes = z.array(ColumnChange).parse(column_changes ?? [])
  const names =
    wanted ??
    changes.flatMap(({ kind, before, now }) =>
      kind === 'renamed' && before && now ? [{ column: now.name, read_as: before.name }] : [],
    )
  if (names.length === 0) return names
  const found = headerNames(header)
  const missing = new Set(
    changes.flatMap(({ kind, before }) => (before && kind !== 'shifted' ? [before.name] : [])),
  )
  for (const [at, { column, read_as }] of names.entries()) {
    const refuse = (message: string) =>
      new NamedError('column_name_invalid', { field: `column_names.${at}`, message })
    if (!found.includes(column)) throw refuse(columnMessages.not_waiting(column))
    if (!missing.has(read_as)) throw refuse(columnMessages.not_missing(read_as))
    if (names.some((other, n) => n < at && (other.read_as === read_as || other.column === column)))
      throw refuse(columnMessages.read_twice(read_as))
  }
  const stored = header.map((cell, at) => names.find(({ column }) => column === found[at])?.read_as ?? cell)
  await trx
    .updateTable('snapshots')
    .set({
      header: JSON.stringify(stored),
      columns: JSON.stringify(stored.map((cell) => String(cell ?? ''))),
      // It is that of the former header.
      hash: null,
    })
    .where('id', '=', snapshot_id)
    .execute()
  return names
}
