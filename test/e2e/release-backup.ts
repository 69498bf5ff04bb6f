import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { z } from 'zod'
import { demoIds } from '../../sandbox/demo/seed.ts'
import { webhooks } from '../../src/contract/alarms/calls.ts'
import { connections } from '../../src/contract/connections/calls.ts'
import { pipeline } from '../../src/contract/pipeline/calls.ts'
import { syncPresets } from '../../src/contract/sync-presets/calls.ts'
import { syncTasks } from '../../src/contract/sync-tasks/calls.ts'
import { syncTaskTypes, unifiedTaskTypes } from '../../src/contract/task-types/calls.ts'
import { tokens } from '../../src/contract/tokens/calls.ts'
import { users } from '../../src/contract/users/calls.ts'
import { type Person, signIn } from '../fixtures/person.ts'
import { RELEASE_KEY, releaseFile } from '../fixtures/releases.ts'
import { chromiumOptions } from './chromium.ts'
import { startApp } from './running-app.ts'

// Creates a backup with data of every kind, as this release writes it, for upgrade tests of later releases:
// node test/e2e/release-backup.ts
const ROOT = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const FILE = releaseFile(version)
const Id = z.object({ id: z.int() })

Object.assign(process.env, {
  SECRET_KEY: RELEASE_KEY,
  // No server listens on this port, so mails stay queued.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'rowferry@example.com',
  ALERT_EMAILS: 'ops@example.com',
})
const app = await startApp()
const browser = await chromium.launch(await chromiumOptions())
try {
  const ada = await signIn(app.url, 'ada@example.com')
  const add = async ({ method, path }: { method: string; path: string }, body: object) =>
    (await ada.send(method, path, Id, body)).id
  const change = (method: string, path: string, body?: object) => ada.send(method, path, z.unknown(), body)

  await pressDemo()
  await colleagues()

  const syncPresetId = await add(syncPresets.create, { name: 'No prices', excluded_fields: ['Price'] })
  await change(connections.allowHost.method, connections.allowHost.path, { host: 'db.example.com:5432' })
  await add(connections.create, {
    name: 'warehouse',
    settings: {
      kind: 'database',
      engine: 'postgresql',
      host: 'db.example.com',
      database: 'stock',
      user: 'reader',
      password: 'a password of then',
      statement: 'select sku, stock from warehouse',
    },
  })
  await add(tokens.create, { name: 'Nightly script', right: 'run', expires_in_days: 90 })
  await add(webhooks.create, {
    name: 'Operators',
    format: 'mail',
    url: 'ops@example.com',
    signing_key: null,
    ...{ is_active: true, kinds: ['failed', 'worker'], categories: [], task_type_ids: [] },
    ...{ tells_end: true, quiet_from: '22:00', quiet_to: '06:00' },
  })

  // A type with every setting, and tasks whose runs end in every possible status.
  const syncTaskTypeId = await add(syncTaskTypes.create, {
    name: 'Catalogues',
    ...{
      max_retries: 0,
      priority: 2,
      allowed_concurrent_tasks: 3,
      timeout_minutes: 30,
      queue_delay_seconds: 0,
    },
  })
  const task = (name: string, fields: object = {}) =>
    add(syncTasks.create, {
      ...{
        sync_task_type_id: syncTaskTypeId,
        name,
        sync_preset_id: syncPresetId,
        target_ss_id: demoIds.shop,
        target_sheet_name: name,
      },
      ...{ source_ss_id: demoIds.master, source_sheet_name: 'Products', ...fields },
    })
  await task('Timed', { scheduled_times: ['04:00', '23:30'], relevant_user_accounts: ['ben@example.com'] })
  const [failing, stopped, atWork] = [
    await task('Of a sheet that is gone', { source_ss_id: 'gone-gone-gone-gone-gone-gone-gone' }),
    await task('Stopped'),
    await task('At work'),
  ]
  const execute = (id: number, wait = '') => change('POST', `/api/sync_tasks/${id}/execute${wait}`)
  await execute(failing, '?wait=60').catch(() => {})
  await importFile(ada)
  await change('PUT', `/api/unified_task_types/${await nightly()}`, { cron_schedule: '0 4 * * *' })

  // The backup is written while these tasks are running.
  await fetch(`${app.sandboxUrl}/control/latency`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"ms":20000}',
  })
  await execute(stopped)
  await change('POST', `/api/sync_tasks/stop/${stopped}`)
  await execute(atWork)
  execFileSync(process.execPath, [join(ROOT, 'scripts/backup.ts'), FILE], {
    env: { ...process.env, DATABASE_URL: app.databaseUrl },
    stdio: 'inherit',
  })

  async function pressDemo() {
    const page = await browser.newPage({ baseURL: app.url })
    await page.goto('/auth/login?login_hint=ada@example.com&return_to=/')
    await page.getByRole('button', { name: 'Set up and run the demo' }).click()
    const target = page.getByRole('list', { name: 'Pipeline' }).getByRole('listitem')
    await target.filter({ hasText: 'Sync Tasks1 activeWarning' }).waitFor({ timeout: 120_000 })
    // A second run creates a history.
    await change(pipeline.run.method, pipeline.run.path)
    await idle()
  }

  async function idle() {
    const { read } = pipeline
    while ((await ada.send(read.method, read.path, z.object({ live: z.array(z.unknown()) }))).live.length > 0)
      await delay(500)
  }

  async function colleagues() {
    const [ben, cleo] = [await signIn(app.url, 'ben@example.com'), await signIn(app.url, 'cleo@example.com')]
    const { method, path, reply } = users.shareGrant
    await ben.send(method, path, reply, { shares_grant: true })
    const { id } = await cleo.send('GET', '/auth/check', z.object({ user: Id })).then(({ user }) => user)
    await change('POST', `/api/users/${id}/disable`, { is_disabled: true })
  }

  async function nightly() {
    const types = await ada.send(
      'GET',
      unifiedTaskTypes.list.path,
      z.array(z.object({ id: z.int(), name: z.string() })),
    )
    return types.find(({ name }) => name === 'Demo compile')?.id
  }

  /** Imports a file of two rows, one of which is invalid. */
  async function importFile({ headers }: Person) {
    const body = new FormData()
    const rows = 'task_type,name,source_ss_id,source_sheet_name,target_ss_id,target_sheet_name\n'
    body.set('file', new Blob([`${rows}Catalogues,Of a file,a,b,c,d\n,,,,,\n`]), 'tasks.csv')
    await fetch(`${app.url}${syncTasks.importCsv.path}`, { method: 'POST', headers, body })
  }
} finally {
  await browser.close()
  await app.stop()
}
