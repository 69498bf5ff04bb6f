import { Kysely } from 'kysely'
import type { Call } from '../../../contract/calls.ts'
import type { Db } from '../db.ts'
import { unitOfWork } from '../unit-of-work.ts'

/**
 * Whether a call's changes are committed together with its reply, so that a failed reply leaves none. Not for calls
 * that wait for a worker, which must see the changes, nor for streamed replies.
 */
export const isCommittedWithReply = (call: Call): boolean =>
  call.method !== 'GET' &&
  !call.commits_first &&
  !call.upload &&
  !call.download &&
  !call.events &&
  !call.redirect

/** Creates a reply with a unit of work as `db`: committed before the reply is returned, rolled back if it throws. */
export async function commitWithReply<Deps, T>(deps: Deps, make: (own: Deps) => Promise<T>): Promise<T> {
  if (!hasDb(deps)) return make(deps)
  const unit = unitOfWork(deps.db)
  let reply: T
  try {
    reply = await make({ ...deps, db: unit.db })
  } catch (error) {
    // A lost connection has already been rolled back.
    await unit.rollback().catch(() => undefined)
    throw error
  }
  await unit.commit()
  return reply
}

const hasDb = <Deps>(deps: Deps): deps is Deps & { db: Db } =>
  typeof deps === 'object' && deps !== null && 'db' in deps && deps.db instanceof Kysely
