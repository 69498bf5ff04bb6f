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
import { visible } from './text.ts'

/** A task of any category; `config_id` is set for compiler configurations. */
export type ListedTask = {
  id: number
  category: TaskCategory
  name: string
  type: string | null
  status: string
  is_active: boolean
  config_id: number | null
  owner: string | null
  tags: string[]
}

/** All tasks, or those of one category, in the order of the screens. */
export async function listTasks(client: Client, category?: string): Promise<ListedTask[]> {
  const lists = { source: listSource, compiler: listConfigs, sync: listSync }
  const wanted = Object.entries(lists).filter(([name]) => category === undefined || name === category)
  return (await Promise.all(wanted.map(([, list]) => list(client)))).flat()
}

// Status labels of failed runs in all categories.
const FAILED: readonly string[] = ['Failed', 'Error', 'failed', 'email_sent']

/** Tasks of all categories whose last run failed, in the order of the screens. */
export async function listFailed(client: Client): Promise<ListedTask[]> {
  const lists = [listSource(client), listConfigs(client), listSync(client, { state: 'failed,error' })]
  return (await Promise.all(lists)).flat().filter(({ status }) => FAILED.includes(status))
}

/** Finds a task by number or name. Throws UsageError if there is none, or more than one. */
export async function findTask(client: Client, text: string): Promise<ListedTask> {
  return findOne(await listTasks(client), text, ({ id }) => id, messages.no_such_task(text))
}

/** The ids of sync tasks by number or name. Throws UsageError as `findTask`, and for tasks of other categories. */
export async function syncTaskIds(client: Client, texts: readonly string[]): Promise<number[]> {
  const tasks = await listTasks(client)
  return texts.map((text) => {
    const task = findOne(tasks, text, ({ id }) => id, messages.no_such_task(text))
    if (task.category !== 'sync') throw new UsageError(messages.no_sync_task(visible(task.name)))
    return task.id
  })
}

/** The id of a sync task by number or name. */
export async function syncTaskId(client: Client, text = ''): Promise<number> {
  const [id = 0] = await syncTaskIds(client, [text])
  return id
}

/** Finds a compiler configuration by its own number (not that of its task) or by name. */
export async function findConfig(client: Client, text: string): Promise<ListedTask> {
  return findOne(await listConfigs(client), text, ({ config_id }) => config_id, messages.no_such_config(text))
}

/** Finds what has this number or name. Throws UsageError with the message `none` if there is nothing, or naming those there are. */
export function findOne<T extends { name: string; category: TaskCategory }>(
  tasks: readonly T[],
  text: string,
  numberOf: (task: T) => number | null,
  none: string,
): T {
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

async function listSync(client: Client, filter: { state?: string } = {}): Promise<ListedTask[]> {
  const tasks: ListedTask[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { ...filter, page: String(page), limit: String(limits.tasks_page_size) }
    const reply = await client.call(syncTasks.list, { query })
    pages = reply.totalPages
    for (const { id, name, task_type, task_status, is_active, owner, tags } of reply.syncTasks)
      tasks.push({
        id,
        category: 'sync',
        name,
        type: task_type.name,
        status: task_status,
        is_active,
        config_id: null,
        owner: owner?.name ?? null,
        tags,
      })
  }
  return tasks
}

async function listSource(client: Client): Promise<ListedTask[]> {
  const tasks = await client.call(sourceTasks.list, {})
  return tasks.map(({ id, name, source_task_type_name, running_status, is_active, owner, tags }) => ({
    id,
    category: 'source',
    name,
    type: source_task_type_name,
    status: running_status,
    is_active,
    config_id: null,
    owner: owner?.name ?? null,
    tags,
  }))
}

async function listConfigs(client: Client): Promise<ListedTask[]> {
  const [configs, states] = await Promise.all([
    client.call(compiler.listConfigs, {}),
    client.call(compilerRuns.states, {}),
  ])
  const stateOf = new Map(states.map(({ id, state }) => [id, state]))
  return configs.map(({ id, task_id, name, task_type_name, is_active, owner, tags }) => ({
    id: task_id,
    category: 'compiler',
    name,
    type: task_type_name,
    status: syncStatus(stateOf.get(task_id) ?? null),
    is_active,
    config_id: id,
    owner: owner?.name ?? null,
    tags,
  }))
}
