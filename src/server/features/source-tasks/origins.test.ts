import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { sourceTasksOf } from '../../../../test/fixtures/source-tasks.ts'
import { taskTypeServerMessages } from '../../../contract/task-types/server-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'

let app: TestApp
let tasks: ReturnType<typeof sourceTasksOf>

beforeAll(async () => {
  app = await testApp()
  tasks = sourceTasksOf(await app.signIn('ada@example.com'))
})

/** A task that fetches from another one, or from a configuration. */
const from = (source_identifier: string, name: string) =>
  tasks.add({ name, source_type: 'internal', source_identifier })
const resting = (name: string) => tasks.add({ name })

/** A configuration over HTTP that compiles these tasks. */
async function configOf(name: string, ...source_task_ids: number[]): Promise<number> {
  const body = { name, source_task_ids, master_source_id: source_task_ids[0] }
  const [status, config] = await tasks.reply('POST', '/api/compiler/configs', body)
  expect(status, JSON.stringify(config)).toBe(201)
  return config.id
}

const setSources = (config: number, ...source_task_ids: number[]) =>
  tasks.reply('PUT', `/api/compiler/configs/${config}`, {
    source_task_ids,
    master_source_id: source_task_ids[0],
  })

const cycle = (...way: string[]) => ({
  code: 'origin_cycle',
  message: taskTypeServerMessages.origin_cycle(way),
})

describe('a cycle is refused with 409 and its path', () => {
  test('from itself', async () => {
    const task = await resting('Own tail')
    expect(
      await tasks.put(task.id, { source_type: 'internal', source_identifier: `task-${task.id}` }),
    ).toMatchObject([409, { field: 'source_identifier', ...cycle('Own tail', 'Own tail') }])
  })

  test('through other tasks', async () => {
    const first = await resting('First')
    const second = await from(`task-${first.id}`, 'Second')
    const third = await from(`task-${second.id}`, 'Third')
    expect(
      await tasks.put(first.id, { source_type: 'internal', source_identifier: `task-${third.id}` }),
    ).toMatchObject([409, cycle('First', 'Third', 'Second', 'First')])
    expect(await tasks.get(first.id)).toMatchObject({ source_identifier: '' })
  })

  test('through a configuration that compiles it', async () => {
    const source = await resting('Compiled')
    const other = await resting('Compiled too')
    const config = await configOf('Merged', other.id, source.id)
    expect(
      await tasks.put(source.id, { source_type: 'internal', source_identifier: `config-${config}` }),
    ).toMatchObject([409, cycle('Compiled', 'Merged', 'Compiled')])
  })

  test('where the sources of a configuration change', async () => {
    const first = await resting('Base')
    const config = await configOf('Compiles base', first.id)
    const reader = await from(`config-${config}`, 'Reads compiled')
    const further = await from(`task-${reader.id}`, 'Reads further')
    expect(await setSources(config, first.id, further.id)).toMatchObject([
      409,
      {
        field: 'source_task_ids',
        ...cycle('Compiles base', 'Reads further', 'Reads compiled', 'Compiles base'),
      },
    ])
    expect(await setSources(config, first.id)).toMatchObject([200, { source_task_ids: [first.id] }])
  })

  test('paths that join again are not a cycle', async () => {
    let ends = [await resting('Root')]
    for (let level = 0; level < 12; level += 1) {
      const config = await configOf(`Join ${level}`, ...ends.map(({ id }) => id))
      ends = [
        await from(`config-${config}`, `Left ${level}`),
        await from(`config-${config}`, `Right ${level}`),
      ]
    }
    const [left] = ends
    const late = await resting('Late')
    await tasks.change(late.id, { source_type: 'internal', source_identifier: `task-${left?.id}` })
  })
})

test('of two concurrent edits that would form a cycle together one is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [one, other] = [await resting(`One ${round}`), await resting(`Other ${round}`)]
    const replies = await Promise.all([
      tasks.put(one.id, { source_type: 'internal', source_identifier: `task-${other.id}` }),
      tasks.put(other.id, { source_type: 'internal', source_identifier: `task-${one.id}` }),
    ])
    expect(replies.map(([status]) => status).sort()).toEqual([200, 409])
  }
})

test('the same holds for an edit of a task and one of a configuration', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [base, task] = [await resting(`Base ${round}`), await resting(`Task ${round}`)]
    const config = await configOf(`Config ${round}`, base.id)
    const replies = await Promise.all([
      tasks.put(task.id, { source_type: 'internal', source_identifier: `config-${config}` }),
      setSources(config, base.id, task.id),
    ])
    expect(replies.map(([status]) => status).sort()).toEqual([200, 409])
  }
})

describe('a task or configuration in use is not deleted: the refusal names its users', () => {
  test('a task that other tasks read or configurations compile: the first five are named', async () => {
    const task = await resting('Used')
    for (const n of [1, 2, 3, 4, 5]) await from(`task-${task.id}`, `Reader ${n}`)
    for (const n of [1, 2]) await configOf(`Compiler ${n}`, task.id)
    const users = ['the configuration Compiler 1', 'the configuration Compiler 2'].concat([
      'the source task Reader 1',
      'the source task Reader 2',
      'the source task Reader 3',
    ])
    expect(await tasks.remove(task.id)).toMatchObject([
      409,
      { code: 'source_task_in_use', message: taskServerMessages.source_task_in_use(users, 2) },
    ])
    expect(await tasks.get(task.id)).toMatchObject({ id: task.id })
  })

  test('a configuration that source tasks read', async () => {
    const config = await aConfig(app.db)
    const reader = await from(`config-${config.id}`, 'Reads a configuration')
    expect(await tasks.reply('DELETE', `/api/compiler/configs/${config.id}`)).toMatchObject([
      409,
      {
        code: 'config_in_use',
        message: taskServerMessages.config_in_use(['the source task Reads a configuration'], 0),
      },
    ])
    await tasks.remove(reader.id)
    expect(await tasks.reply('DELETE', `/api/compiler/configs/${config.id}`)).toEqual([204, null])
  })

  test('an edit concurrent with the deletion of its origin either wins or finds it deleted', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [origin, reader] = [await resting(`Going ${round}`), await resting(`Coming ${round}`)]
      const [[removed], [edited]] = await Promise.all([
        tasks.remove(origin.id),
        tasks.put(reader.id, { source_type: 'internal', source_identifier: `task-${origin.id}` }),
      ])
      expect([
        [204, 422],
        [409, 200],
      ]).toContainEqual([removed, edited])
    }
  })
})

test('delete_all deletes tasks that read each other, and is refused while a configuration compiles one', async () => {
  const other = await testApp()
  const own = sourceTasksOf(await other.signIn())
  const base = await own.add()
  const reader = await own.add({ source_type: 'internal', source_identifier: `task-${base.id}` })
  const config = await aConfig(other.db, { name: 'Keeps one' })
  await other.db
    .insertInto('compiler_sources')
    .values({ compiler_config_id: config.id, source_task_id: base.id, position: 0, is_master: true })
    .execute()
  const run = await aRun(other.db, reader.id, { category: 'source' })
  const remove = (query = '') => own.reply('DELETE', `/api/source_tasks/delete_all${query}`)
  const used = { message: taskServerMessages.source_task_in_use(['the configuration Keeps one'], 0) }
  expect(await remove()).toMatchObject([409, used])
  // Live runs are not stopped either.
  expect(await remove('?force=true')).toMatchObject([409, used])
  expect(await own.get(reader.id)).toMatchObject({ running_status: 'pending' })

  await other.db.deleteFrom('compiler_configs').where('id', '=', config.id).execute()
  expect(await remove()).toMatchObject([409, { message: taskMessages.live_delete }])
  const sync = await aSyncTask(other.db)
  expect(await remove('?force=true')).toEqual([204, null])
  expect(await own.list()).toEqual([])
  const left = await other.db.selectFrom('tasks').select('id').where('category', '=', 'sync').execute()
  expect(left).toEqual([{ id: sync.id }])
  const ended = await other.db.selectFrom('runs').select('state').where('id', '=', run.id).execute()
  expect(ended).toEqual([{ state: 'stopped' }])
})
