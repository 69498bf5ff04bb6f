import type { TypeGraph } from '../../../../contract/type-graph/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { readTypeStates } from '../../../tasks/list/type-states.ts'
import { findCycles } from './cycles.ts'

/** Reads the task types of all categories and what they wait for. Types that are added or deleted during the read are skipped. */
export async function readTypeGraph(db: Db): Promise<TypeGraph> {
  const types = await db
    .selectFrom('task_types')
    .select(['id', 'name', 'category as task_category', 'is_active'])
    .orderBy('name')
    .orderBy('id')
    .execute()
  const states = await readTypeStates(db, 'all')
  const edges = await db
    .selectFrom('task_type_dependencies')
    .select(['depends_on_id as from', 'task_type_id as to', 'condition'])
    .orderBy('task_type_id')
    .orderBy('position')
    .execute()
  const nodes = types.flatMap((type) => {
    const state = states.get(type.id)
    return state ? [{ ...type, ...state }] : []
  })
  const known = new Set(nodes.map(({ id }) => id))
  const kept = edges.filter(({ from, to }) => known.has(from) && known.has(to))
  return { nodes, edges: kept, cycles: findCycles(kept) }
}
