import { OriginFailure } from '../../connectors/connector.ts'
import { type RunContext, type RunHandler, RunInterruption, type RunResult } from '../../engine/types.ts'
import { lostAccounts, runFailure } from '../failures.ts'
import { withProgressHeartbeat } from '../progress-heartbeat.ts'
import { CheckpointKeeper } from './checkpoint-keeper.ts'
import { CopyRun, type CopySettings } from './copy-run.ts'
import { Definition, snapshotDefinition } from './definition.ts'

/** How often one attempt opens its spreadsheets: a tab that was renamed or deleted while it was in use is looked for again. */
const MAX_REOPENS = 3

/** What a sync task's run does: copies a table from its source into its target, atomically and verified. */
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
      // What this leaves behind is on record, and the next run in the spreadsheet removes it.
      if (endsHere(context)) await run.cleanUp().catch(() => {})
      throw runFailure(error, settings.reconnect_url)
    }
  }
}

/** Whether no other worker goes on with what this one has begun. */
function endsHere({ signal }: RunContext): boolean {
  const { reason } = signal
  return !(reason instanceof RunInterruption) || reason.kind === 'stop' || reason.kind === 'timeout'
}
