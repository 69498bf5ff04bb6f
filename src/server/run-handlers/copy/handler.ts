import { OriginFailure } from '../../connectors/connector.ts'
import { type RunContext, type RunHandler, RunInterruption, type RunResult } from '../../engine/types.ts'
import { lostAccounts, runFailure } from '../failures.ts'
import { withProgressHeartbeat } from '../progress-heartbeat.ts'
import { CheckpointKeeper } from './checkpoint-keeper.ts'
import { CopyRun, type CopySettings } from './copy-run.ts'
import { Definition, snapshotDefinition } from './definition.ts'

/** Maximum number of times one attempt opens its spreadsheets when a tab is renamed or deleted while in use. */
const MAX_REOPENS = 3

/** Handler for runs of sync tasks: copies a table from source to target atomically and verifies the result. */
export function createCopyHandler(settings: CopySettings): RunHandler {
  return {
    category: 'sync',
    snapshotDefinition,
    async blockers(trx, task_ids) {
      const tasks = await trx
        .selectFrom('tasks')
        .select(['id as task_id', 'account_user_id', 'relevant_user_accounts'])
        .where('id', 'in', task_ids)
        .execute()
      return lostAccounts(trx, tasks, settings)
    },
    run: (context) =>
      withProgressHeartbeat(context, 'Opening the spreadsheets', (watched) => copy(settings, watched)),
    cleanUp: () => settings.targets.sweep(),
  }
}

async function copy(settings: CopySettings, context: RunContext): Promise<RunResult> {
  const definition = Definition.parse(context.run.definition)
  const keeper = new CheckpointKeeper(context)
  const run = new CopyRun(settings, context, definition, keeper)
  for (let opened = 1; ; opened += 1) {
    try {
      return await run.execute()
    } catch (error) {
      const again = error instanceof OriginFailure && error.kind === 'tab_gone' && opened < MAX_REOPENS
      if (again && !context.signal.aborted) {
        await context.log('INFO', `${error.message} Looking for it again.`)
        continue
      }
      // If cleanup fails, its staging tabs stay recorded, and the next run in the spreadsheet removes them.
      if (endsHere(context)) await run.cleanUp().catch(() => {})
      throw runFailure(error, settings.reconnect_url)
    }
  }
}

/** Whether no other worker will resume this run. */
function endsHere({ signal }: RunContext): boolean {
  const { reason } = signal
  return !(reason instanceof RunInterruption) || reason.kind === 'stop' || reason.kind === 'timeout'
}
