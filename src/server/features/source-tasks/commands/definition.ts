import { sql } from 'kysely'
import type { z } from 'zod'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { isFilePath, providerOf } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import type { SourceTaskUpdate } from '../../../../contract/source-tasks/edits.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { Role } from '../../../tasks/accounts/find-spreadsheets.ts'
import { identifierOf, originsOf } from '../queries/tasks.ts'

/** The origin of a task's rows in the form of the API. */
export type Origin = Pick<
  SourceTask,
  'source_type' | 'source_identifier' | 'spreadsheet_id' | 'sheet_name' | 'start_row'
>

/** Deprecated field names of an update. */
type Aliases = Pick<
  z.output<typeof SourceTaskUpdate>,
  'unified_task_type_id' | 'sync_task_type_id' | 'source_ss_id' | 'source_sheet_name'
>
type Named = Pick<z.output<typeof SourceTaskUpdate>, 'source_task_type_id' | 'spreadsheet_id' | 'sheet_name'>

/** Converts deprecated field names. A canonical name takes precedence. */
export function byMainNames<B extends Aliases & Named>(body: B) {
  const { unified_task_type_id, sync_task_type_id, source_ss_id, source_sheet_name, ...edit } = body
  return {
    ...edit,
    source_task_type_id: [edit.source_task_type_id, unified_task_type_id, sync_task_type_id].find(
      (id) => id !== undefined,
    ),
    spreadsheet_id: edit.spreadsheet_id ?? source_ss_id,
    sheet_name: edit.sheet_name ?? source_sheet_name,
  }
}

/**
 * Normalizes an origin: clears sheet fields for other kinds. Throws NamedError if a sheet is incomplete, or if the connection or
 * task is missing. `former`: the current origin, which earlier versions may have stored incomplete; it may be kept unchanged.
 */
export function soundOrigin(origin: Origin, former?: Origin): Origin {
  if (origin.source_type !== 'sheet') {
    const as_before =
      origin.source_type === former?.source_type && origin.source_identifier === former.source_identifier
    if (origin.source_identifier === '' && !as_before)
      throw new NamedError('source_identifier_required', {
        field: 'source_identifier',
        message:
          origin.source_type === 'internal'
            ? sourceMessages.origin_required
            : sourceMessages.connection_required,
      })
    return { ...origin, spreadsheet_id: '', sheet_name: '', start_row: limits.start_row_default }
  }
  const missing = [
    { field: 'spreadsheet_id', code: 'spreadsheet_required', message: sourceMessages.spreadsheet_required },
    { field: 'sheet_name', code: 'sheet_name_required', message: sourceMessages.sheet_name_required },
  ] as const
  // A file has a first table.
  const needed = missing.filter(
    ({ field }) => field === 'spreadsheet_id' || !isFilePath(origin.spreadsheet_id),
  )
  const errors = needed.filter(({ field }) => origin[field].trim() === '')
  const [first] = errors
  if (first)
    throw new NamedError(first.code, {
      field: first.field,
      errors: errors.map(({ field, message }) => ({ field, message })),
    })
  return origin
}

/** Refuses a provider that is not the one of the spreadsheet. Throws NamedError `invalid`. */
export function checkProvider(
  source_provider: string | undefined,
  { spreadsheet_id }: Pick<Origin, 'spreadsheet_id'>,
): void {
  const provider = providerOf(spreadsheet_id)
  if (source_provider !== undefined && source_provider !== provider)
    throw new NamedError('invalid', {
      field: 'source_provider',
      message: fieldMessages.provider_differs(provider),
    })
}

/** Role of the task's spreadsheet by id; empty for other origins. */
export const rolesOf = ({
  spreadsheet_id,
  provider,
}: Pick<Origin, 'spreadsheet_id'> & Pick<Role, 'provider'>): ReadonlyMap<string, Role> =>
  new Map(
    spreadsheet_id === ''
      ? []
      : [[spreadsheet_id, { role: 'source', provider: providerOf(spreadsheet_id, provider) }]],
  )

/** Reads the current origin of a task. */
export async function readOrigin(trx: Trx, task_id: number): Promise<Origin> {
  const { rows } = await sql<Origin>`
    select s.source_type, ${identifierOf} as source_identifier, s.spreadsheet_id, s.sheet_name, s.start_row
    from source_tasks s ${originsOf} where s.task_id = ${task_id}`.execute(trx)
  const [origin] = rows
  if (origin === undefined) throw new NamedError('source_task_not_found')
  return origin
}
