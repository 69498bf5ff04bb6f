import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { copyWorld } from '../../../../test/copy-world.ts'

// All that a copy reads fits the window, but for what another program of the account has used of it.
const READS = 50
const world = copyWorld({ quota: { account: READS, project: 100, window_ms: 12_000 } })

test('a run that waits for Google’s quota says so, once, and ends in Success', async () => {
  const { target: target_ss_id, task } = await world.pair([['SKU'], ['007']])
  await sql`insert into quota_log (project, account, kind, started_at)
    select 'test', email, 'read', clock_timestamp() from users, generate_series(1, ${READS}::int)`.execute(
    world.db,
  )
  const run = await world.run(task)
  expect(run.state).toBe('success')
  expect(run.log.filter((line) => line.includes('quota'))).toEqual([
    expect.stringContaining('Google’s quota of requests a minute is used up.'),
  ])
  expect(await world.values(target_ss_id, 'Shop')).toEqual([['SKU'], ['007']])
})
