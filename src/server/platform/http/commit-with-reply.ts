import { Kysely } from 'kysely'
import type { Call } from '../../../contract/calls.ts'
import type { Db } from '../db.ts'
import { unitOfWork } from '../unit-of-work.ts'

/**
 * Whether the changes of a call are committed together with its reply, so that one that fails leaves nothing. Not where the reply
 * waits for a worker, which has to see what is stored, nor where it is sent while it is made.
 */
export const isCommittedWithReply = (call: Call): boolean =>
  call.method !== 'GET' &&
  !call.commits_first &&
  !call.upload &&
  !call.download &&
  !call.events &&
  !call.redirect

/** Makes a reply with a unit of work in place of `db`: committed before the reply is returned, rolled back when it throws. */
export async function commitWithReply<Deps, T>(deps: Deps, make: (own: Deps) => Promise<T>): Promise<T> {
  if (!hasDb(deps)) return make(deps)
  const unit = unitOfWork(deps.db)
  let reply: T
  try {
    reply = await make({ ...deps, db: unit.db })
  } catch (error) {
    // A connection that was lost has rolled it back already.
    await unit.rollback().catch(() => undefined)
    throw error
  }
  await unit.commit()
  return reply
}

const hasDb = <Deps>(deps: Deps): deps is Deps & { db: Db } =>
  typeof deps === 'object' && deps !== null && 'db' in deps && deps.db instanceof Kysely
