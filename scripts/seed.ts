import { createDb } from '../src/server/platform/db.ts'

/**
 * Returns a new sandbox database what the demo spreadsheets need before a first task can be added: a sync task type and
 * a preset. Does so once only, so that what a person deletes stays deleted.
 */
export async function seedSandbox(url: string): Promise<void> {
  const db = createDb({ url, max: 1 })
  try {
    await db.transaction().execute(async (trx) => {
      const first = await trx
        .insertInto('settings')
        .values({ key: 'sandbox_seeded', value: 'true' })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .executeTakeFirst()
      if (!first) return
      await trx
        .insertInto('task_types')
        .values({
          category: 'sync',
          name: 'Catalogue',
          description: 'Copies between the demo spreadsheets',
          allowed_concurrent_tasks: 2,
          chunk_size: 500,
          sort_order: 1,
        })
        // Somebody pointed the sandbox at a database of their own.
        .onConflict((conflict) => conflict.constraint('task_types_category_name_key').doNothing())
        .execute()
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
