import { OriginFailure } from '../../connectors/connector.ts'
import {
  type RunContext,
  RunFailure,
  type RunHandler,
  RunInterruption,
  type RunResult,
} from '../../engine/types.ts'
import type { Trx } from '../../platform/db.ts'
import { CheckpointKeeper } from './checkpoint-keeper.ts'
import { CopyRun, type CopySettings } from './copy-run.ts'
import { Definition, defineCopies } from './definition.ts'
import { sweepTabs } from './sweep-tabs.ts'
import { talking } from './talking.ts'

/** Beginnings of one attempt: a tab that was renamed or deleted while it was in use is looked for again. */
const MAX_REOPENS = 3

/** What a sync task's run does: copies a table from its source into its target, atomically and verified. */
export function createCopyHandler(settings: CopySettings): RunHandler {
  return {
    category: 'sync',
    snapshotDefinition: defineCopies,
    blockers: (trx, task_ids) => lostAccounts(settings, trx, task_ids),
    run: (context) => talking(context, (heard) => copy(settings, heard)),
    cleanUp: (db) => sweepTabs(db, settings.google),
  }
}

/** Tasks that only have revoked access: nothing is tried against it. */
async function lostAccounts(
  settings: CopySettings,
  trx: Trx,
  task_ids: readonly number[],
): Promise<Map<number, string>> {
  const tasks = await trx
    .selectFrom('tasks')
    .select(['id as task_id', 'account_user_id', 'relevant_user_accounts'])
    .where('id', 'in', task_ids)
    .execute()
  const lost = await settings.google.lostAccess(trx, tasks)
  return new Map([...lost].map(([id, reason]) => [id, withLink(settings, reason)]))
}

const withLink = ({ reconnect_url }: CopySettings, sentence: string) =>
  `${sentence} Reconnect: ${reconnect_url}`

async function copy(settings: CopySettings, context: RunContext): Promise<RunResult> {
  const definition = Definition.parse(context.run.definition)
  const keeper = new CheckpointKeeper(context)
  const run = new CopyRun(settings, context, definition, keeper)
  for (let beginning = 1; ; beginning += 1) {
    try {
      return await run.execute()
    } catch (error) {
      const again = error instanceof OriginFailure && error.kind === 'tab_gone' && beginning < MAX_REOPENS
      if (again && !context.signal.aborted) {
        await context.log(
          'INFO',
          `A tab was renamed or deleted meanwhile (${error.message}). Looking for it again.`,
        )
        continue
      }
      // What this leaves behind is on record, and the next run in the spreadsheet removes it.
      if (endsHere(context)) await run.cleanUp().catch(() => {})
      throw failureOf(settings, error)
    }
  }
}

/** Whether no other worker goes on with what this one has begun. */
function endsHere({ signal }: RunContext): boolean {
  const { reason } = signal
  return !(reason instanceof RunInterruption) || reason.kind === 'stop' || reason.kind === 'timeout'
}

function failureOf(settings: CopySettings, error: unknown): unknown {
  if (!(error instanceof OriginFailure)) return error
  const retryable = error.kind === 'unavailable' || error.kind === 'tab_gone'
  const message = error.kind === 'reconnect' ? withLink(settings, error.message) : error.message
  return new RunFailure(message, { retryable, cause: error })
}
