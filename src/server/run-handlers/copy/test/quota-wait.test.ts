import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { googleQuota } from '../../../connectors/google-sheets/client/quota.ts'

// The reads of one copy fit the quota window unless another program of the account has used part of it.
const READS = 50
const waits: number[] = []
const world = copyWorld({
  quota: { ...googleQuota, account: READS },
  // The test clock advances only by these waits.
  quotaPause: async (ms) => {
    waits.push(ms)
    await sql`update quota_log set started_at = started_at - ${ms} * interval '1 millisecond'`.execute(
      world.db,
    )
  },
})

test('a run that waits for Google’s quota logs that once, and ends in Success', async () => {
  const { target: target_ss_id, task } = await world.pair([['SKU'], ['007']])
  // The window ends an hour from now, so it cannot end by itself on a slow machine.
  await sql`insert into quota_log (project, account, kind, started_at)
    select 'test', email, 'read', clock_timestamp() + interval '1 hour' from users, generate_series(1, ${READS}::int)`.execute(
    world.db,
  )
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(run.log.filter((line) => line.includes('quota'))).toEqual([
    expect.stringContaining('Google’s per-minute request quota is used up.'),
  ])
  expect(waits[0]).toBeGreaterThan(googleQuota.window_ms)
  expect(await world.values(target_ss_id, 'Shop')).toEqual([['SKU'], ['007']])
})
