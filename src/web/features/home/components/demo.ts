import { compiler } from '../../../../contract/compiler/calls.ts'
import { connections } from '../../../../contract/connections/calls.ts'
import { pipeline } from '../../../../contract/pipeline/calls.ts'
import { sourceTasks } from '../../../../contract/source-tasks/calls.ts'
import { syncTasks } from '../../../../contract/sync-tasks/calls.ts'
import { unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import type { ActionReply } from '../../../../contract/tasks/schemas.ts'
import { call, type RequestOf } from '../../../lib/call.ts'

// The sandbox creates them with these ids.
const sheets = {
  master: { spreadsheet_id: '1Demo-CatalogueMaster-0000000000000000000001', sheet_name: 'Products' },
  prices: { spreadsheet_id: '1Demo-SupplierAPrices-0000000000000000000002', sheet_name: 'Prices' },
}
const shop = '1Demo-WebShop---------0000000000000000000005'

/** What the demo has set up. */
export type Demo = { sync_task_id: number; config_id: number }

/**
 * Creates the tasks of the demo pipeline as far as they are missing, and runs the pipeline. The sync task is created last, so the
 * setup can be repeated after a failure.
 */
export async function setUpDemo(sandbox_url: string): Promise<{ demo: Demo; reply: ActionReply }> {
  await makeConnections(sandbox_url)
  const sources = await makeType('Demo sources', { task_category: 'source', allowed_concurrent_tasks: 2 })
  const config = await makeConfig(await makeSources(sources))
  const compile = await makeType('Demo compile', {
    task_category: 'compiler',
    compiler_config_id: config,
    depends_on_id: sources,
  })
  const copies = await makeType('Demo web shop', { task_category: 'sync', depends_on_id: compile })
  const { id } = await call(syncTasks.create, {
    body: {
      sync_task_type_id: copies,
      name: 'Compiled catalogue to web shop',
      source_type: 'internal',
      source_compiler_config_id: config,
      target_ss_id: shop,
      target_sheet_name: 'Catalogue',
    },
  })
  return { demo: { sync_task_id: id, config_id: config }, reply: await call(pipeline.run, {}) }
}

async function makeConnections(sandbox_url: string): Promise<void> {
  const known = new Set((await call(connections.list, {})).map(({ name }) => name))
  if (!known.has('demo-stock-api'))
    await call(connections.create, {
      body: {
        name: 'demo-stock-api',
        settings: {
          kind: 'api',
          url: `${sandbox_url}/demo-api/stock`,
          headers: [{ name: 'X-Api-Key', is_secret: true, value: 'demo-key' }],
          list_path: '$.items',
          paging: { style: 'cursor', param: 'cursor', cursor_path: '$.next_cursor' },
        },
      },
    })
  if (!known.has('demo-content-database'))
    await call(connections.create, {
      body: {
        name: 'demo-content-database',
        settings: {
          kind: 'database',
          engine: 'sqlite',
          file: 'demo.sqlite',
          statement: 'select * from content order by rowid',
        },
      },
    })
}

type TypeFields = Partial<
  Record<'allowed_concurrent_tasks' | 'compiler_config_id' | 'depends_on_id', number>
> & {
  task_category: 'source' | 'compiler' | 'sync'
}

async function makeType(name: string, fields: TypeFields): Promise<number> {
  const types = await call(unifiedTaskTypes.list, { query: { category: fields.task_category } })
  const known = types.find((type) => type.name === name)
  return (known ?? (await call(unifiedTaskTypes.create, { body: { name, ...fields } }))).id
}

type SourceFields = RequestOf<typeof sourceTasks.create>['body']
type Sources = { source_task_ids: number[]; master_source_id: number }

async function makeSources(source_task_type_id: number): Promise<Sources> {
  const known = await call(sourceTasks.list, { query: { source_task_type_id: String(source_task_type_id) } })
  const make = async (task: SourceFields) => {
    const body = { ...task, source_task_type_id, chunk_size: 500 }
    return (known.find(({ name }) => name === task.name) ?? (await call(sourceTasks.create, { body }))).id
  }
  const master = { name: 'Catalogue master', source_type: 'sheet', is_master_catalog: true } as const
  const master_source_id = await make({ ...master, ...sheets.master })
  const source_task_ids = [master_source_id]
  const suppliers: SourceFields[] = [
    { name: 'Supplier A prices', source_type: 'sheet', ...sheets.prices },
    { name: 'Supplier B stock', source_type: 'api', source_identifier: 'demo-stock-api' },
    { name: 'Supplier C content', source_type: 'database', source_identifier: 'demo-content-database' },
  ]
  for (const task of suppliers) source_task_ids.push(await make(task))
  return { source_task_ids, master_source_id }
}

// Fields without which a product cannot be sold.
const requiredFields = ['Name', 'Brand', 'Category', 'Price']

async function makeConfig(sources: Sources): Promise<number> {
  const name = 'Demo catalogue'
  const known = (await call(compiler.listConfigs, { query: {} })).find((config) => config.name === name)
  if (known) return known.id
  return (await call(compiler.createConfig, { body: { name, ...sources, required_fields: requiredFields } }))
    .id
}
