// Compares a compile with ten checks and two normalised fields to the same compile without them. The sources are those of
// bench/compile.ts. Limit: 1.3 times the processor time of the worker; what the database does is the same.
// With a number of overrides, the second compile has these, too.
//   node bench/compile-checks.ts [records] [times] [overrides]
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { z } from 'zod'
import { leanMemory } from '../scripts/lean-memory.ts'
import type { FieldCheck, FieldRule } from '../src/contract/field-checks/field-checks.ts'
import { migrate } from '../src/server/platform/migrate.ts'
import { startPostgres } from '../src/server/platform/postgres/start-postgres.ts'
import { benchFolder } from './bench-folder.ts'
import { fillConfig, fillSources } from './compile-data.ts'
import { report } from './figures.ts'

const RECORDS = Number(process.argv[2] ?? 260_000)
const TIMES = Number(process.argv[3] ?? 3)
const OVERRIDES = Number(process.argv[4] ?? 0)
const LIMIT = 1.3
const Compiled = z.object({ seconds: z.number(), peak_mb: z.number(), cpu: z.number() })

const of = { severity: 'error', keep_out: 'none' } as const
const CHECKS: FieldCheck[] = [
  { ...of, field: 'Field 1', kind: 'required' },
  { ...of, field: 'Field 3', kind: 'type', type: 'number' },
  { ...of, field: 'Field 3', kind: 'range', min: 0, max: 200_000 },
  { ...of, field: 'Field 6', kind: 'compare', operator: '<=', other_field: 'Field 3' },
  { ...of, field: 'Field 2', kind: 'length', min: 1, max: 20 },
  { ...of, field: 'Field 2', kind: 'pattern', pattern: 'Value [0-9]+' },
  { ...of, field: 'Field 5', kind: 'one_of', values: ['Value 1', 'Value 2'] },
  { ...of, field: 'Field 7', kind: 'unique' },
  { ...of, field: 'Field 9', kind: 'median', percent: 20 },
  { ...of, field: 'Field 4', kind: 'type', type: 'boolean', keep_out: 'blank' },
]
const RULES: FieldRule[] = [
  { field: 'Field 10', steps: [{ kind: 'trim' }, { kind: 'case', to: 'upper' }] },
  { field: 'Field 11', steps: [{ kind: 'map', values: [{ from: 'Value 1', to: 'One' }] }] },
]

const folder = await benchFolder()
const postgres = await startPostgres({ dataDir: folder })
try {
  await migrate({ url: postgres.url })
  const client = new Client({ connectionString: postgres.url })
  client.on('error', () => {})
  await client.connect()
  await fillSources(client, RECORDS)
  const taskId = await fillConfig(client)
  const least = { without: Number.POSITIVE_INFINITY, with: Number.POSITIVE_INFINITY }
  for (let n = 0; n < TIMES; n += 1) {
    for (const kind of ['without', 'with'] as const) {
      await client.query(
        `update compiler_configs set field_checks = $1, field_rules = $2 where task_id = ${taskId}`,
        [JSON.stringify(kind === 'with' ? CHECKS : []), JSON.stringify(kind === 'with' ? RULES : [])],
      )
      await setOverrides(client, kind === 'with' ? OVERRIDES : 0)
      const { seconds, cpu, peak_mb } = await compiled(taskId)
      console.log(
        `${kind} checks: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time, ${peak_mb} MB`,
      )
      least[kind] = Math.min(least[kind], cpu)
    }
  }
  report({
    what: `processor time with ten checks and ${OVERRIDES} overrides, times that without`,
    value: least.with / least.without,
    limit: LIMIT,
  })
  await client.end()
} finally {
  await postgres.destroy()
  await rm(folder, { recursive: true, force: true })
}

/** Sets a number of overrides, of every seventh SKU, in one field each. */
async function setOverrides(client: Client, count: number): Promise<void> {
  await client.query('delete from compiler_overrides')
  await client.query(
    `insert into compiler_overrides (compiler_config_id, sku, field, value, reason, author, batch)
    select c.id, 'SKU-' || lpad((7 * n)::text, 8, '0'), 'Field ' || 1 + n % 11, to_jsonb('Set by hand'::text), 'Bench', 'bench', 1
    from generate_series(1, $1::int) n, compiler_configs c`,
    [count],
  )
}

async function compiled(task_id: number): Promise<z.infer<typeof Compiled>> {
  const worker = join(import.meta.dirname, 'compile-worker.ts')
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [worker, postgres.url, `${task_id}`, folder],
    {
      env: { ...process.env, ...leanMemory },
    },
  )
  return Compiled.parse(JSON.parse(stdout))
}
