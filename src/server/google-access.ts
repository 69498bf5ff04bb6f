import type { Kysely } from 'kysely'
import type { ErrorName } from '../contract/errors.ts'
import { type FailureKind, OriginFailure } from './connectors/connector.ts'
import type { Google } from './connectors/google-sheets/google.ts'
import type { SpreadsheetAccess } from './features/spreadsheets/routes.ts'
import type { CheckSheet } from './features/sync-tasks/queries/readiness.ts'
import { NamedError } from './platform/errors.ts'
import type { Database } from './platform/schema.ts'

const NAMES: Record<FailureKind, ErrorName> = {
  forbidden: 'spreadsheet_forbidden',
  not_found: 'spreadsheet_not_found',
  reconnect: 'no_grant',
  tab_gone: 'invalid',
  too_large: 'invalid',
  invalid: 'invalid',
  unavailable: 'google_unavailable',
}

/** The pickers' view of Google: failures of the connector as errors of the catalogue. */
export function createSpreadsheetAccess(google: Google): SpreadsheetAccess {
  return {
    list: (person, search, signal) =>
      named(() => google.listSpreadsheets({ user_id: person.id, email: person.email }, search, signal)),
    describe: (person, spreadsheetId, signal) =>
      named(() =>
        google.describeSpreadsheet({ user_id: person.id, email: person.email }, spreadsheetId, signal),
      ),
  }
}

async function named<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OriginFailure) throw new NamedError(NAMES[error.kind], { cause: error })
    throw error
  }
}

/** Looks at the source sheet of a task through the accounts that its runs may use. */
export function createCheckSheet(db: Kysely<Database>, google: Google): CheckSheet {
  return async (taskId, signal) => {
    const task = await db
      .selectFrom('sync_tasks')
      .innerJoin('tasks', 'tasks.id', 'sync_tasks.task_id')
      .select(['source_ss_id', 'source_sheet_name', 'source_sheet_id', 'start_row'])
      .select(['relevant_user_accounts', 'tasks.created_by'])
      .where('task_id', '=', taskId)
      .executeTakeFirst()
    if (!task) throw new NamedError('sync_task_not_found')
    const { source_ss_id, source_sheet_name, source_sheet_id, ...rest } = task
    const tab = { sheet_name: source_sheet_name, sheet_id: source_sheet_id }
    return google.sheetReadiness({ spreadsheet_id: source_ss_id, ...tab, ...rest }, signal)
  }
}
