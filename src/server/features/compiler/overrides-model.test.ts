import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, storedRecords } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { limits } from '../../../contract/limits.ts'

// Each sequence is the life of one SKU. All of them share the compiles.
const SEQUENCES = Number(process.env.MODEL_RUNS ?? 60)
const ROUNDS = 10
const SOURCES = 3

type Cell = string | number | null
type Override = { value: Cell; accepted: string | null; is_over: boolean; state: 'active' | 'review' }

/** What happens to a SKU before a compile. */
const Step = fc.record({
  act: fc.constantFrom('none', 'none', 'set', 'set', 'keep', 'drop', 'expire'),
  value: fc.constantFrom<Cell>(null, 1, 2, 'x'),
  source: fc.nat({ max: SOURCES - 1 }),
  change: fc.constantFrom('none', 'none', 'value', 'value', 'row'),
  to: fc.constantFrom<Cell>(null, 1, 2, 'x'),
})
const Sequence = fc.record({
  rows: fc.array(fc.boolean(), { minLength: SOURCES, maxLength: SOURCES }),
  values: fc.array(fc.constantFrom<Cell>(null, 1, 2, 'x'), { minLength: SOURCES, maxLength: SOURCES }),
  steps: fc.array(Step, { minLength: ROUNDS, maxLength: ROUNDS }),
})

/** One SKU of the model. */
class Modelled {
  readonly sku: string
  readonly rows: boolean[]
  readonly values: Cell[]
  override: Override | null = null
  ended: string[] = []
  /** What the sources had in the last compile; null: no source had the SKU. */
  compiled: string | null = null
  record: Cell | undefined

  constructor(sku: string, { rows, values }: { rows: boolean[]; values: Cell[] }) {
    this.sku = sku
    this.rows = [...rows]
    this.values = [...values]
  }

  set(value: Cell): void {
    if (this.override?.value === value) {
      // It differs in its end only.
      if (!this.override.is_over) return
    }
    if (this.override) this.ended.push('replaced')
    this.override = { value, accepted: this.compiled, is_over: false, state: 'active' }
  }

  keep(): void {
    if (this.override?.state === 'review')
      Object.assign(this.override, { state: 'active', accepted: this.observed })
  }

  drop(): void {
    if (this.override) this.ended.push('dropped')
    this.override = null
  }

  /** What the sources had when the override was last compared. */
  observed: string | null = null

  compile(): void {
    if (this.override?.is_over) {
      this.ended.push('date')
      this.override = null
    }
    if (!this.rows.some(Boolean)) {
      this.compiled = null
      this.record = undefined
      return
    }
    const said = this.values.map((value, n) => (this.rows[n] ? value : null))
    this.compiled = JSON.stringify(said)
    const winner = said.find((value) => value !== null) ?? null
    this.record = winner
    if (this.override === null) return
    this.observed = this.compiled
    this.override.accepted ??= this.compiled
    if (this.override.value === winner) {
      this.ended.push('same')
      this.override = null
      return
    }
    this.record = this.override.value
    this.override.state = this.override.accepted === this.compiled ? 'active' : 'review'
  }
}

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

test('random sequences of source changes, overrides, decisions, end dates and compiles agree with a model', async () => {
  await startEngine(app.database, [compileHandler(app.database)])
  const seed = Number(process.env.MODEL_SEED ?? fc.sample(fc.integer(), 1)[0])
  const sequences = fc.sample(Sequence, { numRuns: SEQUENCES, seed })
  const cells = sequences.map((sequence, n) => ({ ...sequence, cell: new Modelled(`S${n}`, sequence) }))
  const columns = ['SKU', 'Price']
  // A row of its own, so that there is always a record and a field.
  const rowsOf = (source: number): Cell[][] => [
    ...(source === 0 ? [['always', 1]] : []),
    ...cells.flatMap(({ cell }) => (cell.rows[source] ? [[cell.sku, cell.values[source] ?? null]] : [])),
  ]
  const ids: number[] = []
  for (let n = 0; n < SOURCES; n += 1) ids.push(await aSource(app.db, columns, rowsOf(n), `Source ${n}`))
  const config = await aMerge(app.db, ids)
  const path = `/api/compiler/configs/${config.id}/overrides`
  const request = async (method: 'PUT' | 'POST', url: string, body: object) => {
    const reply = await ada.request(method, url, body)
    expect(reply.statusCode, `${reply.body} (seed ${seed})`).toBe(200)
  }
  const compile = async () => {
    await request('POST', '/api/compiler/compile', { config_id: config.id })
    for (const { cell } of cells) cell.compile()
  }
  const liveIds = async (skus: string[]) => {
    const { rows } = await sql<{ id: number }>`
      select id from compiler_overrides where state <> 'ended' and sku = any (${skus}::text[])`.execute(
      app.db,
    )
    return rows.map(({ id }) => id)
  }
  const chunks = <T>(list: T[]) =>
    Array.from({ length: Math.ceil(list.length / limits.overrides_at_once) }, (_, n) =>
      list.slice(n * limits.overrides_at_once, (n + 1) * limits.overrides_at_once),
    )

  await compile()
  for (let round = 0; round < ROUNDS; round += 1) {
    const acting = (act: string) => cells.filter(({ steps }) => steps[round]?.act === act)
    for (const part of chunks(acting('set')))
      await request('PUT', path, {
        values: part.map(({ cell, steps }) => ({
          sku: cell.sku,
          field: 'Price',
          value: steps[round]?.value ?? null,
        })),
      })
    for (const { cell, steps } of acting('set')) cell.set(steps[round]?.value ?? null)
    for (const decision of ['keep', 'drop'] as const) {
      const live = await liveIds(acting(decision).map(({ cell }) => cell.sku))
      for (const part of chunks(live)) await request('POST', `${path}/decide`, { ids: part, decision })
      for (const { cell } of acting(decision)) cell[decision]()
    }
    const over = await liveIds(acting('expire').map(({ cell }) => cell.sku))
    await sql`update compiler_overrides set ends_on = current_date - 2 where id = any (${over}::int[])`.execute(
      app.db,
    )
    for (const { cell } of acting('expire')) if (cell.override) cell.override.is_over = true
    for (const { cell, steps } of cells) {
      const { change, source, to } = steps[round] ?? { change: 'none', source: 0, to: null }
      if (change === 'value') cell.values[source] = to
      if (change === 'row') cell.rows[source] = !cell.rows[source]
    }
    for (const [n, id] of ids.entries()) await aCopy(app.db, id, columns, rowsOf(n))
    await compile()

    const stored = await storedRecords(app.db, config.task_id)
    const records = new Map(stored.rows.map((row) => [row.sku, row.cells[1] ?? null]))
    const { rows: overrides } = await sql<{
      sku: string
      value: Cell
      state: string
      end_reason: string | null
    }>`
      select sku, value, state, end_reason from compiler_overrides order by coalesce(ended_at, 'infinity'), id`.execute(
      app.db,
    )
    const bySku = Map.groupBy(overrides, ({ sku }) => sku)
    for (const { cell } of cells) {
      const own = bySku.get(cell.sku) ?? []
      const live = own.find(({ state }) => state !== 'ended')
      expect(
        {
          sku: cell.sku,
          record: records.get(cell.sku),
          live: live && [live.value, live.state],
          ended: own.flatMap(({ end_reason }) => end_reason ?? []),
        },
        `seed ${seed}, round ${round}`,
      ).toEqual({
        sku: cell.sku,
        record: cell.record,
        live: cell.override ? [cell.override.value, cell.override.state] : undefined,
        ended: cell.ended,
      })
    }
  }
}, 900_000)
