import { alarmMessages as messages } from '../contract/alarms/client-messages.ts'
import { judgeHost } from './connectors/guarded/host-rules.ts'
import { GuardedSender, hostOf, parseAddress } from './connectors/http-api/send.ts'
import { readHostRules } from './connectors/stored-connection.ts'
import type { PostMessage } from './features/alarms/commands/send.ts'
import type { RefusalOfHost } from './features/alarms/commands/webhooks.ts'
import type { Db } from './platform/db.ts'

const ANSWER_MS = 10_000

/** Posts to allowed hosts only, checked at each connection like the hosts of origins. */
export const createPostMessage =
  (db: Db): PostMessage =>
  async ({ url, headers, body }) => {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const rules = await readHostRules(db)
    const sender = new GuardedSender({ rules, beforeRequest: async () => {} })
    try {
      const lines = headers.map((line) => ({ ...line, is_secret: true }))
      const reply = await sender.send(
        { method: 'POST', url: parseAddress(url), headers: lines, body },
        signal,
      )
      if (reply.status >= 200 && reply.status < 300) return { ok: true }
      return { ok: false, reason: messages.refused(reply.status) }
    } catch (error) {
      return { ok: false, reason: messages.no_answer(error instanceof Error ? error.message : String(error)) }
    } finally {
      await sender.close()
    }
  }

/** Checks the host of a URL as `createPostMessage` does before it sends. */
export const createRefusalOfHost =
  (db: Db): RefusalOfHost =>
  async (url) => {
    const { host, port } = hostOf(url)
    const verdict = judgeHost(await readHostRules(db), host, port)
    return verdict.ok ? null : verdict.message
  }
