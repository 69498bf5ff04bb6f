import { type RunContext, RunFailure } from '../../engine/types.ts'
import { countRows } from '../../snapshots/bit-sets.ts'
import { pinSnapshot } from '../../snapshots/pin.ts'
import { count } from '../sentences.ts'
import type { CompilePlan } from './compile-plan.ts'
import { gatherKeys, readKeys, type Slice } from './keys.ts'
import { type Flags, keysLost, mergePart, prepareMerge, RECORDS_IN_SLICE } from './merge.ts'
import type { CurrentRecords } from './sources.ts'
import { Totals } from './totals.ts'

type Merge = {
  context: RunContext
  plan: CompilePlan
  current: CurrentRecords | null
  /** Records that stay as they are; null: none. */
  kept: CurrentRecords | null
  snapshot_id: number
}

/** Merges all records into a version, over two connections at once. Throws RunFailure where no row has a SKU, and where rows are gone. */
export async function mergeAll({ context, plan, current, kept, snapshot_id }: Merge): Promise<Totals> {
  await context.progress({ phase: 'Reading the SKUs', rows_done: 0, rows_total: null })
  const slices = await gather({ context, plan, kept, snapshot_id })
  const records = slices.reduce((sum, slice) => sum + slice.count, 0)
  if (records === 0 && kept === null)
    throw new RunFailure('No row of the sources has a SKU. The records of before stay.', { retryable: false })
  const totals = await context.transaction((trx) => Totals.after(trx, kept, snapshot_id))
  const before =
    kept === null && current !== null ? { ...current, same_fields: isSame(current.fields, plan) } : null
  let rows_done = 0
  await context.progress({ phase: 'Merging', rows_done, rows_total: records })
  const flags = await twoAtOnce(numbered(slices, totals.records + 1), async (slice): Promise<Flags> => {
    await context.assertLease()
    await keepSources(context, plan)
    const found = await context.transaction(async (trx) => {
      await prepareMerge(trx)
      return mergePart(trx, plan, { into: snapshot_id, before, ...slice })
    })
    rows_done += slice.keys.count
    await context.progress({ phase: 'Merging', rows_done, rows_total: records })
    return found
  })
  for (const [n, found] of flags.entries()) totals.add(found, slices[n]?.count ?? 0)
  if (before !== null)
    totals.gone = before.records - countRows(before.removed) - (totals.records - totals.added)
  return totals
}

async function gather({ context, plan, kept, snapshot_id: into }: Omit<Merge, 'current'>): Promise<Slice[]> {
  const of = 2
  const gathered = await twoAtOnce([0, 1], (number) =>
    context.transaction(async (trx) => {
      await prepareMerge(trx)
      return gatherKeys(trx, plan, { into, after: kept, only: null, share: { number, of } })
    }),
  )
  const { keys, slices, without_sku } = await context.transaction(async (trx) => {
    await prepareMerge(trx)
    return readKeys(trx, { into, slice: RECORDS_IN_SLICE })
  })
  if (keys !== gathered.reduce((sum, some) => sum + some, 0)) throw keysLost()
  for (const [source, rows] of without_sku.entries())
    if (rows > 0) await warnWithoutSku(context, plan.sources[source]?.name ?? '', rows)
  return slices
}

/** Does `work` for each item, two at once; after a failure it begins no other one, and ends when none is under way. */
async function twoAtOnce<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const left = [...items.entries()]
  const results: Result[] = []
  const one = async () => {
    try {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        results[next[0]] = await work(next[1])
    } catch (error) {
      left.length = 0
      throw error
    }
  }
  const both = [one(), one()]
  await Promise.allSettled(both)
  await Promise.all(both)
  return results
}

/** Slices with the number of their first record. */
function numbered(slices: readonly Slice[], first: number): { first: number; keys: Slice }[] {
  let next = first
  return slices.map((keys) => {
    const slice = { first: next, keys }
    next += keys.count
    return slice
  })
}

// Rows that are gone would come to blanks. What a statement has begun to read stays.
async function keepSources({ db }: RunContext, { sources }: CompilePlan): Promise<void> {
  for (const { snapshot_id, name } of sources)
    if (!(await pinSnapshot(db, snapshot_id)))
      throw new RunFailure(`The rows of ‘${name}’ were replaced meanwhile.`, { retryable: true })
}

const isSame = (fields: readonly string[], plan: CompilePlan) =>
  JSON.stringify(fields) === JSON.stringify(plan.fields.map(({ name }) => name))

const warnWithoutSku = (context: RunContext, name: string, rows: number) =>
  context.warn({
    kind: 'without_sku',
    subject: `${name} ${rows}`,
    message: `${count(rows, 'row')} of ‘${name}’ without a SKU ${rows === 1 ? 'was' : 'were'} left out.`,
  })
