import { CompilerConfigCreate, CompilerConfigUpdate } from '../../../../contract/compiler/configs.ts'
import { compilerFileMessages } from '../../../../contract/config-files/client-messages.ts'
import { csvJobServerMessages } from '../../../../contract/csv-jobs/server-messages.ts'
import { attempt, type CsvImport, type RowOutcome } from '../../../csv-jobs/import.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Cells } from '../../../platform/csv/rows.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { OWNER_COLUMN, ownerIn, readOwners } from '../../../tasks/edit/import-tasks.ts'
import { lockOrigins } from '../../../tasks/edit/origins.ts'
import { columnOf, configShape, isUnchanged, type SkuMapping, type SourceNames, toBody } from '../csv.ts'
import { readFileConfigs, readSourceNames, type StoredConfig } from '../queries/export-configs.ts'
import { addConfig, changeConfig } from './configs.ts'

/** Imports compiler configurations from CSV. A row identifies a configuration by name. */
export const configImport: CsvImport = {
  type: 'compiler_task',
  shape: configShape,
  run: async (trx, { actor, batches, ended }) => {
    await lockOrigins(trx)
    const given = {
      actor,
      names: await readSourceNames(trx),
      owners: await readOwners(trx),
      stored: new Map((await readFileConfigs(trx)).map((config) => [config.name, config])),
    }
    const seen = new Map<string, number>()
    for await (const rows of batches)
      for (const row of rows) ended(row, await importRow(trx, given, { row, seen }))
  },
}

type Given = {
  actor: Actor
  names: SourceNames
  owners: ReadonlyMap<string, number>
  stored: ReadonlyMap<string, StoredConfig>
}

async function importRow(
  trx: Trx,
  given: Given,
  { row, seen }: { row: { row: number; cells: Cells }; seen: Map<string, number> },
): Promise<RowOutcome> {
  try {
    return await attempt(trx, () => writeRow(trx, given, { row, seen }))
  } catch (error) {
    if (!(error instanceof NamedError)) throw error
    return { field: error.field === undefined ? null : columnOf([error.field]), message: error.message }
  }
}

async function writeRow(
  trx: Trx,
  { actor, names, owners, stored }: Given,
  { row, seen }: { row: { row: number; cells: Cells }; seen: Map<string, number> },
): Promise<RowOutcome> {
  const owner_id = ownerIn(row.cells[OWNER_COLUMN], owners)
  const { sku_mappings, ...said } = toBody(row.cells, names)
  const body = { ...said, ...(owner_id !== undefined && { owner_id }) }
  const name = said.name.normalize('NFC').trim()
  const earlier = seen.get(name)
  if (earlier !== undefined)
    throw new NamedError('invalid', { field: 'name', message: csvJobServerMessages.csv_name_twice(earlier) })
  seen.set(name, row.row)
  const config = stored.get(name)
  if (config === undefined) {
    const created = await addConfig(trx, actor, parseInput(CompilerConfigCreate, body, columnOf))
    const { source_task_ids = [] } = said
    await setMappings(trx, created, { sku_mappings: sku_mappings ?? [], source_task_ids, names })
    return 'created'
  }
  const changes = parseInput(CompilerConfigUpdate, { ...body, name }, columnOf)
  const [sameSettings, sameMappings] = [
    isUnchanged(changes, config),
    sku_mappings === undefined ||
      isUnchanged({ list: sorted(sku_mappings) }, { list: sorted(config.sku_mappings) }),
  ]
  if (sameSettings && sameMappings) return 'unchanged'
  if (!sameSettings) await changeConfig(trx, actor, config.id, changes)
  if (!sameMappings)
    await setMappings(trx, config.id, {
      sku_mappings: sku_mappings ?? [],
      source_task_ids: changes.source_task_ids ?? config.source_task_ids,
      names,
    })
  return 'updated'
}

const sorted = (mappings: readonly SkuMapping[]): SkuMapping[] =>
  mappings.toSorted((a, b) => a.source_task_id - b.source_task_id || (a.sku < b.sku ? -1 : 1))

/** Replaces the SKU mappings of a configuration. Throws NamedError `invalid` for a source that it does not merge. */
async function setMappings(
  trx: Trx,
  compiler_config_id: number,
  {
    sku_mappings,
    source_task_ids,
    names,
  }: { sku_mappings: readonly SkuMapping[]; source_task_ids: readonly number[]; names: SourceNames },
): Promise<void> {
  const stranger = sku_mappings.find(({ source_task_id }) => !source_task_ids.includes(source_task_id))
  if (stranger !== undefined)
    throw new NamedError('invalid', {
      field: 'sku_mappings',
      message: compilerFileMessages.mapping_not_merged(names.nameOf(stranger.source_task_id)),
    })
  await trx.deleteFrom('compiler_sku_mappings').where('compiler_config_id', '=', compiler_config_id).execute()
  if (sku_mappings.length === 0) return
  await trx
    .insertInto('compiler_sku_mappings')
    .values(sku_mappings.map((mapping) => ({ compiler_config_id, ...mapping })))
    .execute()
}
