import { sql } from 'kysely'
import { compilerServerMessages } from '../../../contract/compiler/server-messages.ts'
import type { RunContext } from '../../engine/types.ts'
import type { CompileDefinition } from './definition.ts'

/**
 * Warns of sources whose rows have not changed for `stale_days` (null: of none). The subject is the change, so an acknowledgement ends
 * with the next one.
 */
export async function warnOfStale(
  context: RunContext,
  sources: CompileDefinition['sources'],
  stale_days: number | null,
): Promise<void> {
  if (stale_days === null) return
  const { rows } = await sql<{ task_id: number; days: number; since: string; changed: string }>`
    select task_id, floor(extract(epoch from now() - changed_at) / 86400)::int as days,
      to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD') as since, changed_at::text as changed
    from source_tasks
    where task_id = any (${sources.map(({ task_id }) => task_id)}::int[])
      and changed_at <= now() - make_interval(days => ${stale_days}::int)
    order by task_id`.execute(context.db)
  for (const { task_id, days, since, changed } of rows) {
    const { name = '' } = sources.find((source) => source.task_id === task_id) ?? {}
    await context.warn({
      kind: 'stale_source',
      subject: `${task_id} ${changed}`,
      message: compilerServerMessages.source_stale(name, days, since),
    })
  }
}
