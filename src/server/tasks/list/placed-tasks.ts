import { type RawBuilder, sql } from 'kysely'
import type { PositionActions } from '../../../contract/tasks/schemas.ts'
import type { TaskCategory } from '../../platform/schema.ts'

/**
 * Query of a category's tasks with the order of their type (null without a type) and their position in the section. Index:
 * tasks_order_idx.
 */
export const placedTasks = (category: TaskCategory) => placed(category, sql`true`)

/** Like placedTasks, restricted to the sections of `ids`. */
export const placedInSectionsOf = (category: TaskCategory, ids: readonly number[]) => {
  const some = sql`any (${[...ids]}::int[])`
  return placed(
    category,
    sql`(k.task_type_id in (select task_type_id from tasks where id = ${some})
      or (k.task_type_id is null and exists (select from tasks where id = ${some} and task_type_id is null)))`,
  )
}

const placed = (category: TaskCategory, which: RawBuilder<unknown>) => sql`
  select k.id, k.sort_order, y.type_place,
    row_number() over (partition by k.task_type_id order by k.sort_order, k.id)::int as position,
    count(*) over (partition by k.task_type_id)::int as total_of_type
  from tasks k
  left join (
    select id, row_number() over (order by sort_order, name, id) as type_place from task_types where category = ${category}
  ) y on y.id = k.task_type_id
  where k.category = ${category} and ${which}`

/** Moves that are possible from a position, counted from 1. */
export function positionActions({
  position,
  total_of_type,
}: {
  position: number
  total_of_type: number
}): PositionActions {
  const first = position === 1
  const last = position === total_of_type
  return {
    can_push_to_front: !first,
    can_move_up: !first,
    can_move_down: !last,
    can_push_to_back: !last,
    total_tasks_of_type: total_of_type,
    current_position: position,
  }
}

/** Run account of task `t` from its user `u` and grant `g`; null if there is none. */
export const accountOfTask = sql`
  case when u.id is not null then jsonb_build_object('user_id', u.id, 'email', u.email, 'is_usable',
    u.disabled_at is null and g.user_id is not null and coalesce(g.revoked_at, g.disconnecting_at) is null) end`
