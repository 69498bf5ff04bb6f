import { notifications } from '../../../contract/notifications/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { SendMail } from '../../platform/mail.ts'
import { markRead, setMailKinds } from './commands/choose.ts'
import { readMailKinds, readNotifications, unreadOf } from './queries.ts'

type Deps = { db: Db; sendMail: SendMail | undefined }

/** What concerns each user. */
export const notificationsFeature: Feature<typeof notifications, Deps> = {
  calls: notifications,
  handlers: {
    list: ({ user }, { db }) => readNotifications(db, user.id),
    count: async ({ user }, { db }) => ({ unread: unreadOf(await readNotifications(db, user.id)) }),
    mailSettings: async ({ user }, { db, sendMail }) => ({
      kinds: await readMailKinds(db, user.id),
      can_mail: sendMail !== undefined,
    }),
    setMail: async ({ body, user }, { db, sendMail }) => {
      await setMailKinds(db, user.id, body.kinds)
      return { kinds: await readMailKinds(db, user.id), can_mail: sendMail !== undefined }
    },
    read: async ({ body, user }, { db }) => {
      await markRead(db, user.id, body)
      return { unread: unreadOf(await readNotifications(db, user.id)) }
    },
  },
}
