import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { compiler } from '../contract/compiler/calls.ts'
import { compilerRuns } from '../contract/compiler/runs.ts'
import { limits } from '../contract/limits.ts'
import { syncStatus } from '../contract/runs/status.ts'
import { sourceTasks } from '../contract/source-tasks/calls.ts'
import { syncTasks } from '../contract/sync-tasks/calls.ts'
import type { TaskCategory } from '../contract/tasks/schemas.ts'
import type { Client } from './client.ts'
import { UsageError } from './command.ts'

/** A task of any category as the command line lists it; `config_id` where it is a compiler configuration. */
export type ListedTask = {
  id: number
  category: TaskCategory
  name: string
  type: string | null
  status: string
  is_active: boolean
  config_id: number | null
}

/** Every task, or those of one category, in the order of the screens. */
export async function listTasks(client: Client, category?: string): Promise<ListedTask[]> {
  const lists = { source: listSource, compiler: listConfigs, sync: listSync }
  const wanted = Object.entries(lists).filter(([name]) => category === undefined || name === category)
  return (await Promise.all(wanted.map(([, list]) => list(client)))).flat()
}

/** The task of that number or name. Throws UsageError where it is none, or several. */
export async function findTask(client: Client, text: string): Promise<ListedTask> {
  return one(await listTasks(client), text, ({ id }) => id, messages.no_such_task(text))
}

/** The compiler configuration of that number or name, of which the number is its own and not its task's. */
export async function findConfig(client: Client, text: string): Promise<ListedTask> {
  return one(await listConfigs(client), text, ({ config_id }) => config_id, messages.no_such_config(text))
}

function one(
  tasks: ListedTask[],
  text: string,
  numberOf: (task: ListedTask) => number | null,
  none: string,
): ListedTask {
  const wanted = text.toLowerCase()
  const numbered = tasks.find((task) => String(numberOf(task)) === text)
  const named = tasks.filter(({ name }) => name.toLowerCase() === wanted)
  const [found, other] = numbered ? [numbered] : named
  if (!found) throw new UsageError(none)
  if (other)
    throw new UsageError(
      messages.several(
        text,
        named.map((task) => `${numberOf(task)} (${task.category})`),
      ),
    )
  return found
}

async function listSync(client: Client): Promise<ListedTask[]> {
  const tasks: ListedTask[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { page: String(page), limit: String(limits.tasks_page_size) }
    const reply = await client.call(syncTasks.list, { query })
    pages = reply.totalPages
    for (const { id, name, task_type, task_status, is_active } of reply.syncTasks)
      tasks.push({
        id,
        category: 'sync',
        name,
        type: task_type.name,
        status: task_status,
        is_active,
        config_id: null,
      })
  }
  return tasks
}

async function listSource(client: Client): Promise<ListedTask[]> {
  const tasks = await client.call(sourceTasks.list, {})
  return tasks.map(({ id, name, source_task_type_name, running_status, is_active }) => ({
    id,
    category: 'source',
    name,
    type: source_task_type_name,
    status: running_status,
    is_active,
    config_id: null,
  }))
}

async function listConfigs(client: Client): Promise<ListedTask[]> {
  const [configs, states] = await Promise.all([
    client.call(compiler.listConfigs, {}),
    client.call(compilerRuns.states, {}),
  ])
  const stateOf = new Map(states.map(({ id, state }) => [id, state]))
  return configs.map(({ id, task_id, name, task_type_name, is_active }) => ({
    id: task_id,
    category: 'compiler',
    name,
    type: task_type_name,
    status: syncStatus(stateOf.get(task_id) ?? null),
    is_active,
    config_id: id,
  }))
}
