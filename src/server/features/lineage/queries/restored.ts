import { z } from 'zod'
import type { LineageStep } from '../../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import type { StoredVersion } from './stored-version.ts'
import type { TargetTask } from './target-tasks.ts'

const OlderVersion = z.object({ run_id: z.int(), side: z.enum(['former', 'wanted']) })

/** The run of a preview that merged the rows of a version with edited cells. */
const Merge = z.object({ version: z.object({}) })

const isMerged = ({ definition }: Pick<StoredVersion, 'definition'>) => Merge.safeParse(definition).success

/** Whether the target holds an older version, whose rows do not stand where they did in the source. */
export const isRestored = (
  { older_version }: Pick<TargetTask, 'older_version'>,
  version: Pick<StoredVersion, 'kind' | 'definition'>,
): boolean => older_version !== null || version.kind === 'before' || isMerged(version)

/** The step of a cell that was restored. Its run is the one that restored it, and says who started it. */
export const restoredStep = (task: TargetTask, version: StoredVersion): LineageStep => ({
  kind: 'rows',
  text: messages.restored(task.name, OlderVersion.safeParse(task.older_version).data ?? null),
  task: { category: 'sync', id: task.task_id, name: task.name },
  run:
    task.run_id === null || task.run_at === null ? null : { id: task.run_id, at: task.run_at.toISOString() },
  place: null,
  record: null,
  notes: isMerged(version) ? [messages.restored_edits] : [],
})
