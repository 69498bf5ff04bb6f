import { z } from 'zod'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import type { Row } from '../../../contract/tables.ts'
import type { Db } from '../../platform/db.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import { readSnapshot, type StoredSnapshot, snapshotRows } from '../../snapshots/snapshot.ts'
import { OriginFailure, type Resume, type Source, type SourceRead } from '../connector.ts'
import { rowText } from '../row-json.ts'
import type { SourceContext } from '../source-context.ts'
import { formatsOf } from './formats.ts'

/** Checkpoint and validator: the version of the stored rows. */
const Version = z.object({ snapshot_id: z.int() })

/** Opens stored rows of another task. Throws OriginFailure if the task is deleted or has no rows yet. */
export async function openInternal(db: Db, task_id: number, context: SourceContext): Promise<Source> {
  const task = await db
    .selectFrom('tasks')
    .select(['name', 'snapshot_id'])
    .where('id', '=', task_id)
    .executeTakeFirst()
  if (!task) throw new OriginFailure('not_found', originMessages.internal_gone)
  const stored = task.snapshot_id === null ? null : await pinned(db, task.snapshot_id)
  if (stored === null) throw new OriginFailure('not_found', originMessages.internal_empty(task.name))
  // A resumed reading continues with the version that it started with.
  let taken = stored
  return {
    title: originMessages.internal_title(task.name),
    warnings: [],
    read: ({ resume, validator } = {}) =>
      readStored(db, stored, context, {
        resume,
        validator,
        onTake: (version) => {
          taken = version
        },
      }),
    formats: (table) => formatsOf(db, taken, table),
  }
}

function readStored(
  db: Db,
  current: StoredSnapshot,
  context: SourceContext,
  {
    resume,
    validator,
    onTake,
  }: { resume?: Resume | undefined; validator?: unknown; onTake: (version: StoredSnapshot) => void },
): SourceRead {
  const unchanged = Version.safeParse(validator).data?.snapshot_id === current.id
  let header: Row | null = null
  let stored = current
  return {
    batches: (async function* () {
      if (unchanged) return
      if (resume) stored = await requireStored(db, Version.parse(resume.checkpoint).snapshot_id)
      onTake(stored)
      if (stored.row_count > context.max_rows)
        throw new OriginFailure('too_large', originMessages.rows_too_many(context.max_rows))
      header = stored.header
      if (!resume) yield [Buffer.from(rowText(header))]
      const first = resume ? resume.rows : 1
      for await (const rows of snapshotRows(db, stored.id, first, stored.row_count + 1)) {
        context.signal.throwIfAborted()
        yield rows.map((row) => Buffer.from(rowText(row)))
      }
    })(),
    requests: 0,
    get header() {
      return header
    },
    get checkpoint() {
      return { snapshot_id: stored.id }
    },
    total: current.row_count,
    get validator() {
      return { snapshot_id: stored.id }
    },
    unchanged,
    warnings: [],
    get snapshot_id() {
      return stored.id
    },
  }
}

/** Pins a snapshot while it is read. Null if it was pruned. */
async function pinned(db: Db, id: number): Promise<StoredSnapshot | null> {
  return (await pinSnapshot(db, id)) ? readSnapshot(db, id) : null
}

async function requireStored(db: Db, id: number): Promise<StoredSnapshot> {
  const stored = await pinned(db, id)
  if (stored === null) throw new OriginFailure('unavailable', originMessages.internal_replaced)
  return stored
}
