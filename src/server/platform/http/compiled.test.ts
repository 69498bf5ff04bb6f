import { expect, test } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { compiled } from './compiled.ts'

const list = { syncTasks: [exampleTask(), exampleTask({ id: 2 })], totalPages: 1, total: 2, page: 1 }

test('a compiled schema returns the result of the schema', () => {
  const reply = compiled(syncTasks.list.reply)
  expect(z.parse(reply, list)).toEqual(z.parse(syncTasks.list.reply, list))
  const more = { ...list, secret: 1, syncTasks: [{ ...list.syncTasks[0], secret: 2 }] }
  expect(z.parse(reply, more)).toEqual(z.parse(syncTasks.list.reply, more))
})

test.each([
  { ...list, total: '2' },
  { ...list, syncTasks: [{ ...list.syncTasks[0], latest_log: { id: 1 } }] },
  { ...list, syncTasks: undefined },
  null,
])('a compiled schema refuses the same values with the same messages (%#)', (wrong) => {
  const [ours, theirs] = [compiled(syncTasks.list.reply), syncTasks.list.reply].map(
    (schema) => z.safeParse(schema, wrong).error?.issues,
  )
  expect(ours).toBeDefined()
  expect(ours).toEqual(theirs)
})

test('unions, records, defaults, strict objects and checks keep their meaning', () => {
  const Kind = mini.discriminatedUnion('kind', [
    mini.strictObject({ kind: mini.literal('a'), n: mini._default(mini.int(), 7) }),
    mini.object({ kind: mini.literal('b'), by: mini.record(mini.string(), mini.object({ x: mini.int() })) }),
  ])
  const Pair = mini.object({ a: mini.int(), b: mini.int() }).check(mini.refine(({ a, b }) => a < b, 'order'))
  for (const schema of [Kind, mini.union([Kind, mini.string()]), Pair])
    for (const value of [
      { kind: 'a' },
      { kind: 'a', n: 1, more: 2 },
      { kind: 'b', by: { one: { x: 1, y: 2 } } },
      { kind: 'b', by: { one: { x: 'text' } } },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
    ]) {
      const [ours, theirs] = [compiled(schema), schema].map((each) => {
        const { data, error } = z.safeParse(each, value)
        return { data, issues: error?.issues }
      })
      expect(ours).toEqual(theirs)
    }
})

test('objects are parsed by generated code', () => {
  const reply = compiled(syncTasks.list.reply)
  expect(reply._zod.traits).toContain('$ZodObjectJIT')
  expect(reply._zod.def.shape.syncTasks._zod.def.element._zod.traits).toContain('$ZodObjectJIT')
})
