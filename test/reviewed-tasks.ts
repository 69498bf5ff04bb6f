import { expect } from 'vitest'
import { SourceTask } from '../src/contract/source-tasks.ts'
import { SyncPreset } from '../src/contract/sync-presets.ts'
import { SyncTask } from '../src/contract/sync-tasks.ts'
import { type SignedIn, type TestApp, testApp } from './app.ts'
import { aMerge } from './compiling.ts'
import { aSourceTask, aSyncTask } from './factories.ts'

/** Ben owns the tasks and changes what they read; Ada reviews them and lends them her account; Root keeps connections. */
type People = { app: TestApp; ada: SignedIn; ben: SignedIn; root: SignedIn }

/** An app in which they are signed in. */
export async function reviewers(): Promise<People> {
  const app = await testApp({ env: { ADMIN_EMAILS: 'root@example.com' } })
  const [ada, ben, root] = [
    await app.signIn('ada@example.com'),
    await app.signIn('ben@example.com'),
    await app.signIn('root@example.com'),
  ]
  await root.request('POST', '/api/allowed_hosts', { host: 'shop.example' })
  return { app, ada, ben, root }
}

export type ReviewedName = 'sheet' | 'api' | 'far' | 'through' | 'reader' | 'copy' | 'compiled'
export const REVIEWED: ReviewedName[] = ['sheet', 'api', 'far', 'through', 'reader', 'copy', 'compiled']

/** Settings of both connections. */
export const settings = { kind: 'api', url: 'https://shop.example/items' }

let serial = 0

/**
 * A configuration merges two sheets, an API, and the rows of another API through an internal task; a task copies its records, another one
 * reads them; one copies a sheet. Both copies leave out the columns of a preset.
 */
export async function reviewedTasks({ app, ada, ben, root }: People) {
  serial += 1
  const own = serial
  const { db } = app
  const { id: account_user_id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'ben@example.com')
    .executeTakeFirstOrThrow()
  const [shop, stock] = await Promise.all(
    [`Shop-${own}`, `Stock-${own}`].map(async (name) => {
      const reply = await root.request('POST', '/api/connections', { name, settings })
      expect(reply.statusCode, reply.body).toBe(201)
      return Number(reply.json().id)
    }),
  )
  const sheet = await aSourceTask(db, { account_user_id, definition: { sheet_name: 'Master' } })
  const more = await aSourceTask(db, { account_user_id })
  const api = await aSourceTask(db, {
    account_user_id,
    definition: { source_type: 'api', connection_id: shop ?? 0, source_identifier: `Shop-${own}` },
  })
  const far = await aSourceTask(db, {
    account_user_id,
    definition: { source_type: 'api', connection_id: stock ?? 0, source_identifier: `Stock-${own}` },
  })
  const through = await aSourceTask(db, {
    account_user_id,
    definition: { source_type: 'internal', origin_task_id: far.id },
  })
  const config = await aMerge(db, [sheet.id, api.id, through.id])
  const made = await ben.request('POST', '/api/sync_presets', {
    name: `Preset ${own}`,
    excluded_fields: ['hidden', 'old'],
  })
  const preset = SyncPreset.parse(made.json())
  const definition = { sync_preset_id: preset.id }
  const copy = await aSyncTask(db, { account_user_id, definition })
  const compiled = await aSyncTask(db, {
    account_user_id,
    definition: {
      ...definition,
      source_type: 'internal',
      source_ss_id: '',
      source_compiler_config_id: config.id,
    },
  })
  const reader = await aSourceTask(db, {
    account_user_id,
    definition: { source_type: 'internal', origin_task_id: config.task_id },
  })
  const tasks = { sheet, more, api, far, through, copy, compiled, reader }
  const pathOf = (name: ReviewedName) =>
    `/api/${name === 'copy' || name === 'compiled' ? 'sync' : 'source'}_tasks/${tasks[name].id}`
  /** As Ada reads it. */
  async function versionOf(name: ReviewedName): Promise<string> {
    const body = (await ada.request('GET', pathOf(name))).json()
    return pathOf(name).includes('sync') ? SyncTask.parse(body).updated_at : SourceTask.parse(body).updated_at
  }
  return {
    ...tasks,
    config,
    preset,
    shop: shop ?? 0,
    shop_name: `Shop-${own}`,
    stock_name: `Stock-${own}`,
    stock: stock ?? 0,
    pathOf,
    versionOf,
    versions: async () =>
      new Map(await Promise.all(REVIEWED.map(async (name) => [name, await versionOf(name)] as const))),
    /** Ada lends her account to the runs of a task, as she read it. */
    confirm: (name: ReviewedName, updated_at: string | undefined) =>
      ada.request('POST', `${pathOf(name)}/use_my_account`, { updated_at }),
  }
}
