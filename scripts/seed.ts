import { createDb, type Db, type Trx } from '../src/server/platform/db.ts'

/**
 * Adds the prerequisites for tasks on demo data to a sandbox database: a sync task type, a source task type, a preset and an
 * allowed host (the demo API at `port`). Each is added only once, so that deleted ones stay deleted.
 */
export async function seedSandbox(url: string, port: number): Promise<void> {
  const db = createDb({ url, max: 1 })
  try {
    await db.transaction().execute(async (trx) => {
      if (await isFirst(trx, `sandbox_seeded_host_${port}`)) {
        await trx
          .insertInto('allowed_hosts')
          .values({ host: `127.0.0.1:${port}`, added_by: 'Sandbox' })
          .onConflict((conflict) => conflict.column('host').doNothing())
          .execute()
      }
      if (!(await isFirst(trx, 'sandbox_seeded'))) return
      await addDemoTypes(trx)
      await trx
        .insertInto('sync_presets')
        .values({ name: 'Without remarks and barcodes', excluded_fields: ['Remark', 'Barcode'] })
        .onConflict((conflict) => conflict.constraint('sync_presets_name_key').doNothing())
        .execute()
    })
  } finally {
    await db.destroy()
  }
}

/** Adds a sync task type and a source task type for the demo data. */
export async function addDemoTypes(db: Db): Promise<void> {
  await db
    .insertInto('task_types')
    .values([
      {
        category: 'sync',
        name: 'Catalogue',
        description: 'Copies between the demo spreadsheets',
        allowed_concurrent_tasks: 2,
        chunk_size: 500,
        sort_order: 1,
      },
      {
        category: 'source',
        name: 'Catalogue',
        description: 'Fetches from the demo spreadsheets and the demo API',
        allowed_concurrent_tasks: 2,
        chunk_size: 1000,
        sort_order: 1,
      },
    ])
    // The database may already have data, if the sandbox uses an existing one.
    .onConflict((conflict) => conflict.constraint('task_types_category_name_key').doNothing())
    .execute()
}

async function isFirst(trx: Trx, key: string): Promise<boolean> {
  const first = await trx
    .insertInto('settings')
    .values({ key, value: 'true' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst()
  return first !== undefined
}
