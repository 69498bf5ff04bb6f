import { sql } from 'kysely'
import pino from 'pino'
import { expect, test } from 'vitest'
import { databaseBefore } from '../../../../test/fixtures/earlier-database.ts'
import { sendFailureMails } from './commands/send-failure-mails.ts'

test('0033: failures before the upgrade are not mailed, the next one is mailed to all recipients', async () => {
  const { db, upgradeAll } = await databaseBefore(33)
  await sql`insert into tasks (category, name, sort_order) values ('source', 'Prices', 1)`.execute(db)
  const fail = (error: string, finished_at: Date) =>
    sql`insert into runs (task_id, category, task_name, state, trigger, definition, error, finished_at)
      select id, 'source', name, 'failed', 'manual', '{}', ${error}, ${finished_at} from tasks`.execute(db)
  await fail('Gone long since', new Date(Date.now() - 2 * 86_400_000))
  await upgradeAll()
  await fail('Gone just now', new Date())
  const texts: string[] = []
  await sendFailureMails({
    db,
    send: async ({ text }) => {
      texts.push(text)
      return { ok: true }
    },
    log: pino({ level: 'silent' }),
    alerts: ['ops@example.com'],
    publicUrl: 'https://rowferry.test',
    zone: 'UTC',
    gather_seconds: 0,
  })
  expect(texts).toEqual([expect.stringContaining('Gone just now')])
  expect(texts.join()).not.toContain('Gone long since')
})
