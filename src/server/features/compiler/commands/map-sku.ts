import { compilerServerMessages } from '../../../../contract/compiler/server-messages.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { taskObject, taskOfConfig } from '../../../tasks/task-identity.ts'

type Mapping = { id: number; source_task_id: number; sku: string; master_sku: string | null }

/**
 * Maps a SKU of a source to a SKU of the master for the next compile. Null removes the mapping. Throws NamedError
 * `compiler_task_not_found` or `merge_setting_invalid`.
 */
export const mapSku = (db: Db, actor: Actor, { id, ...mapping }: Mapping): Promise<void> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await taskOfConfig(trx, id)
    const { source_task_id, sku, master_sku } = mapping
    const source = await trx
      .selectFrom('compiler_sources')
      .select('source_task_id')
      .where('compiler_config_id', '=', id)
      .where('source_task_id', '=', source_task_id)
      .executeTakeFirst()
    if (source === undefined)
      throw new NamedError('merge_setting_invalid', {
        message: compilerServerMessages.source_not_merged(source_task_id),
        field: 'source_task_id',
      })
    if (master_sku === null || master_sku === sku)
      await trx
        .deleteFrom('compiler_sku_mappings')
        .where('compiler_config_id', '=', id)
        .where('source_task_id', '=', source_task_id)
        .where('sku', '=', sku)
        .execute()
    else
      await trx
        .insertInto('compiler_sku_mappings')
        .values({ compiler_config_id: id, source_task_id, sku, master_sku })
        .onConflict((conflict) =>
          conflict.columns(['compiler_config_id', 'source_task_id', 'sku']).doUpdateSet({ master_sku }),
        )
        .execute()
    await audit(trx, actor, { action: 'map_sku', ...taskObject('compiler', task_id), details: mapping })
  })
