import { sql } from 'kysely'
import pino from 'pino'
import type { RunState } from '../src/contract/status.ts'
import { AlarmKind, type WebhookCreate, webhooks } from '../src/contract/webhooks.ts'
import { sendAlarms } from '../src/server/features/alarms/commands/send.ts'
import { watch } from '../src/server/features/alarms/commands/watch.ts'
import type { SendMail } from '../src/server/platform/mail.ts'
import { createPostMessage } from '../src/server/post-message.ts'
import { testApp } from './app.ts'
import { aRun } from './factories.ts'
import { receiver } from './receiver.ts'

const log = pino({ level: 'silent' })
const quota = { project: 'p', limits: { account: 6, project: 10, window_ms: 61_000 } }

/** What a webhook is added with; whatever is not well is told to it. */
export const wanted = (fields: Partial<WebhookCreate> & { url: string }): WebhookCreate => ({
  name: 'Chat',
  format: 'plain',
  kinds: [...AlarmKind.options],
  categories: [],
  task_type_ids: [],
  tells_end: true,
  quiet_from: null,
  quiet_to: null,
  is_active: true,
  signing_key: null,
  ...fields,
})

type Look = { disk_bytes?: number; zone?: string; sendMail?: SendMail }

/** An app whose alarms are looked for when the test says so, and Ada, who keeps them. */
export async function alarmsSite() {
  const site = await testApp({ env: { ADMIN_EMAILS: 'ada@example.com' } })
  const ada = await site.signIn('ada@example.com')
  // No scheduler runs here, and none is missed.
  await sql`update schedule_clock set looked_at = now() + interval '1 day'`.execute(site.db)
  return {
    site,
    ada,
    /** A receiver that may be reached, and the webhook that leads to it. */
    hook: async (fields: Partial<WebhookCreate> = {}) => {
      const to = await receiver()
      await ada.request('POST', '/api/allowed_hosts', { host: to.host })
      const reply = await ada.request('POST', '/api/webhooks', wanted({ url: to.url, ...fields }))
      return { ...to, webhook: webhooks.create.reply.parse(reply.json()) }
    },
    /** What a process does every few seconds, without the minute of gathering. */
    look: async ({ sendMail, zone = 'UTC', ...options }: Look = {}) => {
      const { db, keys } = site
      await watch({ db, quota, folder: '/', gather_seconds: 0, disk_bytes: 0, ...options })
      const postMessage = createPostMessage(db)
      await sendAlarms({ db, keys, log, postMessage, sendMail, publicUrl: 'https://rowferry.test', zone })
    },
    /** Ends a run of a task, or leaves it at work. */
    ends: async (task: { id: number }, state: RunState, fields: object = {}) => {
      const finished = state === 'running' ? {} : { finished_at: new Date() }
      const run = await aRun(site.db, task.id, { state, started_at: new Date(), ...finished, ...fields })
      await site.db
        .updateTable('tasks')
        .set({ last_run_id: run.id, ...(state === 'success' && { last_success_run_id: run.id }) })
        .where('id', '=', task.id)
        .execute()
    },
  }
}
