import { afterAll, describe, expect, test } from 'vitest'
import { EDITS } from '../../../../test/colleague-edits.ts'
import { copyWorld } from '../../../../test/copy-world.ts'
import { COMMIT, editBefore } from '../../../../test/edited-copies.ts'

// What a colleague does in the target between the last look of a copy at it and its commit.
const world = copyWorld({ proxied: true, commit_bytes: 2_000 })
afterAll(() => world.proxy.reset())

describe.each([
  { what: 'changes a few cells', rows: 6, first: false },
  { what: 'pastes', rows: 60, first: false },
])('a commit that $what loses nothing of a colleague’s when', (scenario) => {
  test.concurrent.each(EDITS)('$what', async (edit) => {
    expect(await editBefore(world, COMMIT, scenario, edit)).toBe(true)
  })
})
