// A process with an engine, for tests that kill processes: node test/processes/engine-process.ts <roles> <concurrency>
// Its job executes the steps in the run's definition. Each step is a row of the table `steps`, written in one transaction with its
// checkpoint, so the rows show which process executed which step and whether a step was executed twice.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { z } from 'zod'
import { createEngine } from '../../src/server/engine/engine.ts'
import type { RunHandler } from '../../src/server/engine/types.ts'
import { createDb } from '../../src/server/platform/db.ts'

const [roles = 'worker,scheduler', concurrency = '4'] = process.argv.slice(2)
const databaseUrl = z.string().parse(process.env.DATABASE_URL)
const STEP_MS = 100

const Definition = z.object({ steps: z.int() })
const Checkpoint = z.object({ step: z.int() }).nullable()

const handler: RunHandler = {
  category: 'sync',
  snapshotDefinition: async (_trx, task_ids) =>
    new Map(task_ids.map((id) => [id, { definition: { steps: 1 }, exclusive_key: null }])),
  run: async (context) => {
    const { steps } = Definition.parse(context.run.definition)
    for (let step = (Checkpoint.parse(context.run.checkpoint)?.step ?? 0) + 1; step <= steps; step += 1) {
      await delay(STEP_MS, undefined, { signal: context.signal })
      await context.assertLease()
      await context.transaction(async (trx) => {
        await sql`insert into steps (run_id, step, pid) values (${context.run.id}, ${step}, ${process.pid})`.execute(
          trx,
        )
        await sql`update runs set checkpoint = ${JSON.stringify({ step })}::jsonb where id = ${context.run.id}`.execute(
          trx,
        )
      })
      await context.progress({ phase: 'Stepping', rows_done: step, rows_total: steps })
    }
    return { message: `${steps} steps`, receipt: null }
  },
}

const db = createDb({ url: databaseUrl })
const engine = createEngine({
  db,
  databaseUrl,
  handlers: [handler],
  log: pino({ level: process.env.ENGINE_LOG ?? 'warn' }),
  roles: z.array(z.enum(['api', 'worker', 'scheduler'])).parse(roles.split(',')),
  concurrency: Number(concurrency),
})
await engine.start()
console.log('engine started')
process.on('SIGTERM', async () => {
  await engine.stop()
  await db.destroy()
  console.log('engine stopped')
  process.exit(0)
})
