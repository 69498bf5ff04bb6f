import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../../test/fixtures/database.ts'
import { signIn } from '../../test/fixtures/person.ts'
import { RELEASE_KEY, releaseFile } from '../../test/fixtures/releases.ts'
import { Fleet } from '../../test/processes/fleet.ts'
import { webhooks } from '../contract/alarms/calls.ts'
import { allRuns } from '../contract/all-runs/calls.ts'
import { compiler } from '../contract/compiler/calls.ts'
import { connections } from '../contract/connections/calls.ts'
import { csvJobs } from '../contract/csv-jobs/calls.ts'
import { pipeline } from '../contract/pipeline/calls.ts'
import { schedules } from '../contract/schedules/calls.ts'
import { sourceTasks } from '../contract/source-tasks/calls.ts'
import { syncPresets } from '../contract/sync-presets/calls.ts'
import { syncTasks } from '../contract/sync-tasks/calls.ts'
import { unifiedTaskTypes } from '../contract/task-types/calls.ts'
import { tokens } from '../contract/tokens/calls.ts'
import { users } from '../contract/users/calls.ts'
import { readGrant } from './platform/auth/grants.ts'
import { deriveKeys } from './platform/auth/keys.ts'
import { restoreBackup } from './platform/backup/restore-backup.ts'
import { createDb } from './platform/db.ts'

const keys = deriveKeys(RELEASE_KEY)
const releases = readdirSync(join(import.meta.dirname, '../../test/releases')).map((name) =>
  name.replace('.backup', ''),
)

const lists: { method: string; path: string; reply: z.core.$ZodType }[] = [
  ...[
    syncTasks.list,
    sourceTasks.list,
    unifiedTaskTypes.list,
    compiler.listConfigs,
    pipeline.read,
    allRuns.list,
  ],
  ...[
    syncPresets.list,
    connections.list,
    webhooks.list,
    tokens.list,
    users.list,
    csvJobs.list,
    schedules.scheduledTasks,
  ],
]

test.each(releases)(
  'a database of release %s is migrated to this version with all its data, and its runs continue',
  async (version) => {
    const own = await testDatabase()
    // A restore requires a database without other clients.
    await own.db.destroy()
    const { rows } = await restoreBackup({
      url: own.url,
      file: releaseFile(version),
      keys,
      allowUnsigned: true,
      keepTokens: true,
    })
    const db = createDb({ url: own.url })
    onTestFinished(() => db.destroy())
    const stateOf = (name: string) =>
      db
        .selectFrom('tasks')
        .innerJoin('runs', 'runs.id', 'tasks.last_run_id')
        .select('runs.state')
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
    const ben = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'ben@example.com')
      .executeTakeFirstOrThrow()

    // Sealed values can be opened, and running runs are recognised.
    expect(await readGrant(db, keys, ben.id)).toMatchObject({ ok: true })
    expect(await stateOf('At work')).toEqual({ state: 'running' })

    const fleet = await Fleet.open({ SECRET_KEY: RELEASE_KEY }, { own: { url: own.url, db } })
    onTestFinished(fleet.close)
    // The sandbox has another address now; with Google, users keep their identity.
    await db.updateTable('users').set({ issuer: fleet.root }).execute()
    // The running run is as old as the release, so its time limit has passed.
    await db.updateTable('task_types').set({ timeout_minutes: null }).execute()
    const api = await fleet.start('api')
    onTestFinished(() => void api.end())
    const { send } = await signIn(api.root, 'ada@example.com')
    for (const { method, path, reply } of lists) await send(method, path, reply)

    // Its runs and types are kept.
    const worker = await fleet.start('worker,scheduler')
    onTestFinished(() => void worker.end())
    const isOver = async () => ['success', 'failed', 'error'].includes((await stateOf('At work')).state)
    await expect.poll(isOver).toBe(true)
    expect(await stateOf('At work')).toEqual({ state: 'success' })
    const { reply } = compiler.compile
    expect(await send('POST', compiler.compile.path, reply, { config_id: 1 })).toMatchObject({
      unique_skus: 1400,
    })
    const { id } = await db
      .selectFrom('tasks')
      .select('id')
      .where('name', '=', 'Compiled catalogue to web shop')
      .executeTakeFirstOrThrow()
    expect(await send('POST', `/api/sync_tasks/${id}/execute?wait=120`, z.unknown())).toMatchObject({
      status: 'warning',
    })
    expect(rows.runs).toBeGreaterThan(10)
  },
)
