import { sql } from 'kysely'
import type { ApplyPlansReply } from '../../../../contract/plans/apply.ts'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { RunHandler } from '../../../engine/types.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { type RunRequest, startTaskIn } from '../../../tasks/run/run-commands.ts'
import { readApplicable, recordApproval } from './apply-plan.ts'

/**
 * Queues a run for each plan that writes exactly its rows. A plan that cannot be applied, or whose task is live or inactive, is refused
 * and does not affect the others.
 */
export const applyPlans = (
  { db, handlers }: { db: Db; handlers: readonly RunHandler[] },
  by: RunRequest,
  hashes: readonly string[],
): Promise<ApplyPlansReply> =>
  durableTransaction(db, async (trx) => {
    const results: ApplyPlansReply['results'] = []
    const wanted = [...new Set(hashes)]
    const found = new Map<string, Awaited<ReturnType<typeof applyIn>>>()
    for (const plan of await inOrderOfTasks(trx, wanted))
      found.set(plan, await applyIn(trx, handlers, by, plan))
    for (const plan of wanted) {
      const result = found.get(plan)
      if (result) results.push({ plan, ...result })
    }
    const done = results.filter(({ status }) => status === 'done').length
    const refused = results.length - done
    return {
      status: refused === 0 ? 'success' : 'warning',
      message: done === 0 ? messages.nothing_applied : messages.plans_applied(done, refused),
      results,
    }
  })

// Every caller locks tasks in the same order. Locked tasks are not edited until their plans were checked and their runs queued.
async function inOrderOfTasks(trx: Trx, hashes: readonly string[]): Promise<string[]> {
  const plans = await trx
    .selectFrom('plans')
    .select(['hash', 'task_id'])
    .where('hash', 'in', [...hashes])
    .orderBy('task_id')
    .execute()
  await sql`
    select from tasks where id = any (${plans.map(({ task_id }) => task_id)}::int[]) order by id for no key update`.execute(
    trx,
  )
  const known = plans.map(({ hash }) => hash)
  return [...known, ...hashes.filter((hash) => !known.includes(hash))]
}

async function applyIn(
  trx: Trx,
  handlers: readonly RunHandler[],
  by: RunRequest,
  hash: string,
): Promise<Omit<ApplyPlansReply['results'][number], 'plan'>> {
  try {
    const plan = await readApplicable(trx, { hash })
    const { id, task_id } = plan
    const { status, message } = await startTaskIn(trx, handlers, { ...by, definition: { plan: id } }, task_id)
    if (status !== 'success') return { task_id, status: 'refused', message }
    await recordApproval(trx, by.actor, plan)
    return { task_id, status: 'done', message }
  } catch (error) {
    // All of these are found before anything is changed.
    if (!(error instanceof NamedError)) throw error
    return { task_id: null, status: 'refused', message: error.message }
  }
}
