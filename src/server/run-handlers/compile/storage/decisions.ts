import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db.ts'
import type { Disagreements } from '../rules/disagreements.ts'
import type { StoredDecision } from '../rules/plan-decisions.ts'

const ROWS_AT_ONCE = 2000

/** Reads the rules of a configuration that have not ended; null: a new configuration, which has none. */
export async function readDecisions(db: Db, config_id: number | null): Promise<StoredDecision[]> {
  if (config_id === null) return []
  return db
    .selectFrom('compiler_decisions')
    .select(['id', 'field', 'texts', 'text', 'source_task_id'])
    .where('compiler_config_id', '=', config_id)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Stores about which fields of a version's records sources disagree. Those of copied records may be stored already. */
export async function writeDisagreements(
  trx: Trx,
  snapshot_id: number,
  { listed, disputes }: Pick<Disagreements, 'listed' | 'disputes'>,
): Promise<void> {
  let batch: object[] = []
  for (const { options, rows, ...one } of listed) {
    const said = [...options.values()].map(({ sources, ...option }) => ({ ...option, sources: [...sources] }))
    batch.push({ ...one, options: said, rows: `{${rows.join()}}`, records: rows.length })
    if (batch.length === ROWS_AT_ONCE) {
      await insertDisagreements(trx, snapshot_id, batch)
      batch = []
    }
  }
  if (batch.length > 0) await insertDisagreements(trx, snapshot_id, batch)
  await sql`
    insert into compiled_disputes (snapshot_id, field, sources, decision_id, records, unlisted)
    select ${snapshot_id}::int, field, sources::int[], decision_id, records, unlisted
    from jsonb_to_recordset(${JSON.stringify([...disputes].map((one) => ({ ...one, sources: `{${one.sources.join()}}` })))}::jsonb)
      d (field int, sources text, decision_id int, records int, unlisted int)
    on conflict (snapshot_id, field, sources, decision_id) do update
      set records = compiled_disputes.records + excluded.records, unlisted = compiled_disputes.unlisted + excluded.unlisted`.execute(
    trx,
  )
}

const insertDisagreements = (trx: Trx, snapshot_id: number, batch: readonly object[]) =>
  sql`
    insert into compiled_disagreements (snapshot_id, field, texts, options, records, rows, decision_id)
    select ${snapshot_id}::int, field, texts, options, records, rows::int[], decision_id
    from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb)
      d (field int, texts text, options jsonb, records int, rows text, decision_id int)
    on conflict (snapshot_id, field, md5(texts)) do update
      set records = compiled_disagreements.records + excluded.records, rows = compiled_disagreements.rows || excluded.rows,
        options = excluded.options, decision_id = excluded.decision_id`.execute(trx)

/** Copies what unchanged records, whose fields and sources keep their numbers, disagree about. */
export async function copyDisagreements(trx: Trx, from: number, into: number): Promise<void> {
  await sql`
    insert into compiled_disagreements (snapshot_id, field, texts, options, records, rows, decision_id)
    select ${into}::int, field, texts, options, records, rows, decision_id from compiled_disagreements where snapshot_id = ${from}`.execute(
    trx,
  )
  await sql`
    insert into compiled_disputes (snapshot_id, field, sources, decision_id, records, unlisted)
    select ${into}::int, field, sources, decision_id, records, unlisted from compiled_disputes where snapshot_id = ${from}`.execute(
    trx,
  )
}
