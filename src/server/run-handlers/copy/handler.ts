import { OriginFailure } from '../../connectors/connector.ts'
import {
  type RunContext,
  RunFailure,
  type RunHandler,
  RunInterruption,
  type RunResult,
} from '../../engine/types.ts'
import { lostAccounts, runFailure } from '../failures.ts'
import { newerRelease } from '../messages.ts'
import { withProgressHeartbeat } from '../progress-heartbeat.ts'
import type { CopyAttempt, CopySettings } from './attempt.ts'
import { CheckpointKeeper } from './checkpoint.ts'
import { executeCopy } from './copy-run.ts'
import { Definition, snapshotDefinition, unknownMembers } from './definition.ts'
import { previewCopy } from './plan/preview-copy.ts'
import { targetOf } from './read/open-tables.ts'
import { executeSplit } from './split/split-run.ts'
import { SplitState } from './split/split-state.ts'

/** Maximum number of times one attempt opens its spreadsheets when a tab is renamed or deleted while in use. */
const MAX_REOPENS = 3

/** Time for a newer worker to start during an upgrade. */
const NEWER_RETRY_SECONDS = 60

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
  const { definition: stored } = context.run
  // A worker that ignored such a setting could write what the setting is there to prevent.
  const unknown = unknownMembers(stored)
  if (unknown.length > 0)
    throw new RunFailure(newerRelease(unknown), { retryable: true, retry_after_seconds: NEWER_RETRY_SECONDS })
  const definition = Definition.parse(stored)
  const { split_by } = definition
  const split = split_by === null ? null : new SplitState(context)
  const keeper = new CheckpointKeeper(split ? withoutCheckpoint(context) : context)
  const attempt = { settings, context, definition, keeper, tab: null }
  const execute = (): Promise<RunResult> => {
    if (split && split_by !== null) return executeSplit(attempt, split, split_by)
    return definition.preview ? previewCopy(attempt) : executeCopy(attempt)
  }
  for (let opened = 1; ; opened += 1) {
    try {
      return await execute()
    } catch (error) {
      const again = error instanceof OriginFailure && error.kind === 'tab_gone' && opened < MAX_REOPENS
      if (again && !context.signal.aborted) {
        await context.log('INFO', `${error.message} Opening the spreadsheets again.`)
        continue
      }
      // If cleanup fails, its staging tabs stay recorded, and the next run in the spreadsheet removes them.
      if (!definition.preview && endsHere(context)) await cleanUp(attempt).catch(() => {})
      throw runFailure(error, settings.reconnect_url)
    }
  }
}

/** The run of a split task has a checkpoint of its own, which counts the requests of its reading at the end. */
const withoutCheckpoint = (context: RunContext): RunContext => ({
  ...context,
  run: { ...context.run, checkpoint: null },
  checkpoint: async () => {},
})

/** Removes the staging data of an attempt that failed or was stopped; a later attempt stages anew. */
function cleanUp({ settings, context, definition }: CopyAttempt): Promise<void> {
  const run = { run_id: context.run.id, accounts: definition }
  return settings.targets.cleanUp(targetOf(definition, definition), run)
}

/** Whether no other worker will resume this run. */
function endsHere({ signal }: RunContext): boolean {
  const { reason } = signal
  return !(reason instanceof RunInterruption) || reason.kind === 'stop' || reason.kind === 'timeout'
}
