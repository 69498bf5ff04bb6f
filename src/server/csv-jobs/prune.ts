import { type Kysely, sql } from 'kysely'
import type { Database } from '../platform/schema.ts'

/** Removes downloads after a day, and jobs older than `historyDays`; safe at any time. */
export async function pruneCsvJobs(db: Kysely<Database>, historyDays: number): Promise<void> {
  const old = sql<boolean>`finished_at < now() - interval '1 day'`
  await db
    .deleteFrom('csv_file_parts')
    .where('job_id', 'in', (eb) => eb.selectFrom('csv_jobs').select('id').where(old))
    .execute()
  await db.updateTable('csv_jobs').set({ file: null }).where(old).where('file', 'is not', null).execute()
  await db
    .deleteFrom('csv_jobs')
    .where(sql<boolean>`finished_at < now() - make_interval(days => ${historyDays})`)
    .execute()
}
