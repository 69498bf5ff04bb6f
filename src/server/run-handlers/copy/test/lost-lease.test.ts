import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { accessToken } from '../../../../../test/fakes/sandbox.ts'
import { copyWorld, until } from '../../../../../test/fixtures/copy-world.ts'

let lost = false
// The access token is requested before each request: the last point at which the lease can be lost before the request is sent.
const world = copyWorld({
  tokens: async ({ email }) => {
    const written = (await world.ledger()).some(
      ({ kind, user_agent }) => kind === 'write' && user_agent.includes('(run '),
    )
    if (written && !lost) {
      // End the run, so that no other worker resumes it and writes.
      await sql`update runs set job_id = gen_random_uuid(), state = 'stopped', finished_at = now()`.execute(
        world.db,
      )
      lost = true
    }
    return accessToken(world.root, email)
  },
})

test('a worker that loses its run after its last checkpoint sends no commit', async () => {
  const { target, task } = await world.pair([['SKU'], ['A'], ['B']], [['old']])
  await world.start(task)
  await until(() => lost)
  // Other runs start and finish while the commit would be in flight.
  for (let n = 0; n < 3; n += 1) {
    const other = await world.pair([['SKU'], ['C']])
    expect(await world.run(other.task)).toMatchObject({ state: 'success' })
  }
  const { id } = await world.ended(task)
  expect(await world.requestsOf(id)).toMatchObject({ write: 1 })
  expect(await world.values(target, 'Shop')).toEqual([['old']])
})
