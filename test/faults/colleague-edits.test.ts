import { describe, expect, test } from 'vitest'
import { EDITS } from '../fixtures/colleague-edits.ts'
import { copyWorld } from '../fixtures/copy-world.ts'
import { editBefore } from '../fixtures/edited-copies.ts'

// Another editor edits the target between any two requests of a copy. A table of 60 rows is staged.
const settings = { proxied: true, commit_bytes: 2_000 }
const atOnce = copyWorld(settings)
const inPieces = copyWorld({ ...settings, cellsPerRead: 100 })

describe.each([
  { what: 'a first copy of a few cells', world: atOnce, rows: 6, first: true, requests: 3 },
  { what: 'a change of a few cells', world: atOnce, rows: 6, first: false, requests: 3 },
  { what: 'a first copy that is staged', world: atOnce, rows: 60, first: true, requests: 6 },
  { what: 'a change that is staged', world: atOnce, rows: 60, first: false, requests: 6 },
  { what: 'a change of what is read in pieces', world: inPieces, rows: 60, first: false, requests: 9 },
])('an edit of a colleague at each request of $what is kept', ({ requests, world, ...scenario }) => {
  test.concurrent.each(EDITS)('when $what', async (edit) => {
    let nth = 1
    while (await editBefore(world, { nth }, scenario, edit)) nth += 1
    expect(nth).toBeGreaterThan(requests)
  })
})
