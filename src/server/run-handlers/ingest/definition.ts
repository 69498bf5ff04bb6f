import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { FILES } from '../../connectors/files/folders.ts'
import { SourceReference } from '../../connectors/registry.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Database } from '../../platform/schema.ts'
import type { UsedSpreadsheet } from '../needed-mounts.ts'

/** What a source task ingests, and its limits, frozen when the run is queued. */
export const Definition = z.object({
  /** Null: the task has no origin yet. */
  origin: SourceReference.nullable(),
  chunk_size: z.int().min(1),
  min_rows_percent: z.int(),
  max_rows: z.int(),
  account_user_id: z.int().nullable(),
  relevant_user_accounts: z.array(z.string()),
})
export type Definition = z.infer<typeof Definition>

/** The spreadsheet of a definition, if its origin is one. */
export function usedSpreadsheets(stored: object): UsedSpreadsheet[] {
  const { origin } = Definition.parse(stored)
  return origin && 'spreadsheet_id' in origin ? [origin] : []
}

type TaskRow = Selectable<Database['source_tasks']>
type SourceTask = Pick<
  Database['source_tasks'],
  'source_type' | 'place' | 'sheet_id' | 'connection_id' | 'origin_task_id'
> &
  Pick<TaskRow, 'csv_delimiter' | 'csv_encoding' | 'csv_quote'> & {
    provider: string
    spreadsheet_id: string
    sheet_name: string
    start_row: number
  }

/** The current definitions of source tasks. Only those that read a spreadsheet have accounts. */
export const snapshotDefinition: RunHandler['snapshotDefinition'] = async (trx, task_ids) => {
  const tasks = await trx
    .selectFrom('source_tasks')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .select([
      'task_id',
      'source_type',
      'provider',
      'spreadsheet_id',
      'sheet_name',
      'start_row',
      'csv_delimiter',
      'csv_encoding',
      'csv_quote',
      'place',
      'sheet_id',
      'connection_id',
      'origin_task_id',
      'chunk_size',
      'min_rows_percent',
      'max_rows',
      'account_user_id',
      'relevant_user_accounts',
    ])
    .where(sql<boolean>`task_id = any (${[...task_ids]}::int[])`)
    .execute()
  return new Map(
    tasks.map((task) => {
      const { chunk_size, min_rows_percent, max_rows } = task
      const accounts =
        task.source_type === 'sheet' ? task : { account_user_id: null, relevant_user_accounts: [] }
      const definition: Definition = {
        origin: originOf(task),
        chunk_size,
        min_rows_percent,
        max_rows,
        account_user_id: accounts.account_user_id,
        relevant_user_accounts: accounts.relevant_user_accounts,
      }
      return [task.task_id, { definition, exclusive_key: null }]
    }),
  )
}

/** `sheet_id` is read by workers of the previous release only. */
function originOf(task: SourceTask): (SourceReference & { sheet_id?: number | null }) | null {
  const { source_type, connection_id, origin_task_id, provider, spreadsheet_id, sheet_name, place } = task
  switch (source_type) {
    case 'sheet':
      return spreadsheet_id === ''
        ? null
        : {
            ...{ provider, spreadsheet_id, sheet_name, place, sheet_id: task.sheet_id },
            start_row: task.start_row,
            ...(provider === FILES && {
              read_as: { delimiter: task.csv_delimiter, encoding: task.csv_encoding, quote: task.csv_quote },
            }),
          }
    case 'api':
      return connection_id === null ? null : { provider: 'http-api', connection_id }
    case 'database':
      return connection_id === null ? null : { provider: 'database', connection_id }
    case 'internal':
      return origin_task_id === null ? null : { provider: 'internal', task_id: origin_task_id }
  }
}
