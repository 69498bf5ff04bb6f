import type { RunHandler } from '../../engine/types.ts'
import { lostAccounts, runFailure } from '../failures.ts'
import { withProgressHeartbeat } from '../progress-heartbeat.ts'
import { Definition, snapshotDefinition } from './definition.ts'
import { type IngestSettings, ingest } from './ingest-run.ts'

/** The run handler of source tasks. */
export function createIngestHandler(settings: IngestSettings): RunHandler {
  return {
    category: 'source',
    snapshotDefinition,
    async blockers(trx, task_ids) {
      const sheets = await trx
        .selectFrom('source_tasks')
        .innerJoin('tasks', 'tasks.id', 'task_id')
        .select(['task_id', 'account_user_id', 'relevant_user_accounts'])
        .where('task_id', 'in', task_ids)
        .where('source_type', '=', 'sheet')
        // Files are read without an account.
        .where('provider', '<>', 'files')
        .execute()
      return sheets.length === 0 ? new Map() : lostAccounts(trx, sheets, settings)
    },
    run: (context) =>
      withProgressHeartbeat(context, 'Opening the origin', async (watched) => {
        try {
          return await ingest(settings, watched, Definition.parse(context.run.definition))
        } catch (error) {
          throw runFailure(error, settings.reconnect_url)
        }
      }),
  }
}
