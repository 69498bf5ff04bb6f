import { runs } from '../contract/runs/calls.ts'
import type { Client } from './client.ts'
import type { ListedTask } from './tasks.ts'

/** The id of the newest run of a task; 0 if it has none. */
export async function newestRunOf(client: Client, { id, category, config_id }: ListedTask): Promise<number> {
  const query = { limit: '1' }
  const page =
    config_id === null
      ? await client.call(category === 'sync' ? runs.ofSyncTask : runs.ofSourceTask, {
          params: { id },
          query,
        })
      : await client.call(runs.ofCompilerConfig, { params: { id: config_id }, query })
  return page.runs[0]?.id ?? 0
}
