import { describe, expect, test } from 'vitest'
import { EDITS } from '../../../../../test/fixtures/colleague-edits.ts'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { editBeforeUndo } from '../../../../../test/fixtures/edited-copies.ts'

const world = copyWorld({ commit_bytes: 2_000 })

describe.each([
  { what: 'changes a few cells', rows: 6, first: false },
  { what: 'pastes', rows: 60, first: false },
])('an undo that $what loses no cell of another editor when, since the run,', (scenario) => {
  test.concurrent.each(EDITS)('$what', async (edit) => {
    const done = await editBeforeUndo(world, scenario, edit)
    if (!done) return expect(edit.ends).toBeDefined()
    const { edited, undone, kept } = done
    // Cells of the table that the other editor wrote keep their values; all others are those from before the run, unless cells were moved.
    const written = (values: unknown[]) => values.filter((value) => /^(over|mine)/.test(String(value)))
    expect(written(undone)).toEqual(written(edited))
    const left = undone.filter((value) => String(value).startsWith('new'))
    if (!edit.what.startsWith('cells are inserted')) expect(left).toEqual([])
    expect(kept).toBeGreaterThanOrEqual(written(edited).length + left.length)
  })
})
