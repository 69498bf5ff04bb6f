import { expectTypeOf, test } from 'vitest'
import type { Change, FreshTarget, GrowingTable, Target, WritableTarget } from './connector.ts'

// The type check fails if one of these calls compiles; nothing here is executed.

const onPlan = async () => {}

test('an opened target can only be read before it is begun or resumed', () => {
  const callsTooEarly = (target: Target, change: Change, table: GrowingTable) => [
    // @ts-expect-error: neither begun nor resumed
    target.apply(change, onPlan),
    // @ts-expect-error: nothing was created that could be removed
    target.cleanUp(),
    // @ts-expect-error: rows of an earlier attempt may be staged
    target.prestage(table),
  ]
  expectTypeOf(callsTooEarly).toBeFunction()
  expectTypeOf<Target>().toHaveProperty('read')
})

test('a target that is resumed keeps the rows that are staged, so no others are staged before the change is applied', () => {
  const prestagesOnResume = async (target: Target, table: GrowingTable) =>
    // @ts-expect-error: its rows are staged already, from a reading that is stored
    (await target.resume()).prestage(table)
  expectTypeOf(prestagesOnResume).toBeFunction()
})

test('a target is begun or resumed once', () => {
  const recoversTwice = async (target: Target) => [
    // @ts-expect-error: it has begun
    (await target.begin()).resume(),
    // @ts-expect-error: it is resumed
    (await target.resume()).begin(),
  ]
  expectTypeOf(recoversTwice).toBeFunction()
  expectTypeOf<Awaited<ReturnType<Target['begin']>>>().toEqualTypeOf<FreshTarget>()
  expectTypeOf<Awaited<ReturnType<Target['resume']>>>().toEqualTypeOf<WritableTarget>()
})
