import { sql } from 'kysely'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import type { CsvExport } from '../../../csv-jobs/export.ts'
import type { Db } from '../../../platform/db.ts'
import { configShape, type SkuMapping, type SourceNames, sourceNames, toCells } from '../csv.ts'
import { listConfigs } from './configs.ts'

/** Exports compiler configurations as CSV by name. */
export const configExport: CsvExport = { type: 'compiler_task', columns: configShape.columns, rows }

async function* rows(db: Db) {
  const names = await readSourceNames(db)
  for (const config of await readFileConfigs(db)) yield toCells(config, names)
}

/** A configuration with all that a file has of it. */
export type StoredConfig = Omit<CompilerConfig, 'owner'> & {
  sku_mappings: SkuMapping[]
  owner: string | null
  owner_id: number | null
}

/** All configurations in the form of files. */
export async function readFileConfigs(db: Db): Promise<StoredConfig[]> {
  const { rows: mapped } = await sql<{ id: number; sku_mappings: SkuMapping[] }>`
    select compiler_config_id as id, jsonb_agg(jsonb_build_object('source_task_id', source_task_id, 'sku', sku,
      'master_sku', master_sku) order by source_task_id, sku) as sku_mappings
    from compiler_sku_mappings group by compiler_config_id`.execute(db)
  const configs = await listConfigs(db, undefined)
  const owner_ids = configs.flatMap(({ owner }) => owner?.id ?? [])
  const { rows: owners } = await sql<{ id: number; email: string }>`
    select id, email from users where id = any (${owner_ids}::int[])`.execute(db)
  const emails = new Map(owners.map(({ id, email }) => [id, email]))
  const mappings = new Map(mapped.map(({ id, sku_mappings }) => [id, sku_mappings]))
  return configs.map(({ owner, ...config }) => ({
    ...config,
    sku_mappings: mappings.get(config.id) ?? [],
    owner: emails.get(owner?.id ?? 0) ?? null,
    owner_id: owner?.id ?? null,
  }))
}

/** The names of all source tasks. */
export async function readSourceNames(db: Db): Promise<SourceNames> {
  return sourceNames(
    await db
      .selectFrom('tasks')
      .select(['id', 'name'])
      .where('category', '=', 'source')
      .orderBy('id')
      .execute(),
  )
}
