import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { copyWorld, until } from '../../../../test/copy-world.ts'
import { accessToken } from '../../../../test/sandbox.ts'

let lost = 0
// Asked for before each request: the last moment at which a lease can be lost before it is made.
const world = copyWorld({
  tokens: async ({ email }) => {
    const written = (await world.ledger()).some(
      ({ kind, user_agent }) => kind === 'write' && user_agent.includes('(run '),
    )
    if (written) {
      await sql`update runs set job_id = gen_random_uuid()`.execute(world.db)
      lost += 1
    }
    return accessToken(world.root, email)
  },
})

test('a worker that loses its run after its last checkpoint sends no commit', async () => {
  const source = await world.spreadsheet({ Products: [['SKU'], ['A'], ['B']] })
  const target = await world.spreadsheet({ Shop: [['old']] })
  await world.start(await world.task({ source_ss_id: source, target_ss_id: target }))
  await until(() => lost > 0)
  // A commit would be followed by a look at what it did. That nothing comes can only be waited for.
  for (let looks = 0; looks < 100 && lost === 1; looks += 1) await delay(20)
  expect(lost).toBe(1)
  const writes = (await world.ledger()).filter(
    ({ kind, user_agent }) => kind === 'write' && user_agent.includes('(run '),
  )
  expect(writes).toHaveLength(1)
  expect(await world.values(target, 'Shop')).toEqual([['old']])
})
