import { sql } from 'kysely'
import type { Reposition } from '../../../contract/tasks/schemas.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { taskObject } from '../task-identity.ts'
import { inSection, lockSectionOf } from './sections.ts'

type Place = { name: string; task_type_id: number | null; position: number; total: number }

/** Moves a task within its type. Returns a warning if it is already at that end. */
export async function repositionTask(
  db: Db,
  actor: Actor,
  { category, id, action }: { category: TaskCategory; id: number; action: Reposition },
) {
  return db.transaction().execute(async (trx) => {
    const { name, task_type_id, position, total } = await lockPlace(trx, category, id)
    const towardsFront = action === 'front' || action === 'up'
    if (position === (towardsFront ? 1 : total)) {
      const say = towardsFront ? taskServerMessages.already_first : taskServerMessages.already_last
      return { status: 'warning' as const, message: say(name) }
    }
    const place = { front: 1, up: position - 1, down: position + 1, back: total }[action]
    // Half a step beyond the new position, so that the task at that position moves over.
    const between = towardsFront ? place - 0.5 : place + 0.5
    await sql`
      with placed as (
        select id, row_number() over (order by sort_order, id) as position
        from tasks where ${inSection(category, task_type_id)}
      ), moved as (
        select id, row_number() over (
          order by case when id = ${id} then ${between}::numeric else position end
        ) as position
        from placed
      )
      update tasks set sort_order = moved.position from moved
      where tasks.id = moved.id and tasks.sort_order <> moved.position`.execute(trx)
    await audit(trx, actor, {
      action: 'reposition',
      ...taskObject(category, id),
      details: { action, from: position, to: place },
    })
    await notify(trx, { kind: 'tasks' })
    return { status: 'success' as const, message: taskServerMessages.moved(name, place, total) }
  })
}

async function lockPlace(trx: Trx, category: TaskCategory, id: number): Promise<Place> {
  const task_type_id = await lockSectionOf(trx, category, id)
  const { rows } = await sql<Place>`
    with placed as (
      select id, name, task_type_id, row_number() over (order by sort_order, id)::int as position,
        count(*) over ()::int as total
      from tasks where ${inSection(category, task_type_id)}
    )
    select name, task_type_id, position, total from placed where id = ${id}`.execute(trx)
  const [place] = rows
  if (place === undefined) throw new NamedError('section_changed')
  return place
}
