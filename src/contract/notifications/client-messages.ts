import type { NotificationKind } from './calls.ts'

const many = (count: number) => count.toLocaleString('en-US')

/** Texts of the bell. */
export const notificationMessages = {
  bell: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${many(unread)} unread`),
  title: 'Notifications',
  read_all: 'Mark all as read',
  read_one: (title: string) => `Mark ${title} as read`,
  empty: 'Nothing concerns you at the moment',
  empty_hint:
    'Failures, missed starts, files that have not arrived, late forecasts and needed approvals of tasks that you own or that are your favourites appear here, and notes that mention you.',
  loading: 'Loading the notifications',
  load_failed: 'Failed to load the notifications.',
  read_failed: 'Failed to mark as read',
  well_since: (when: string) => `well since ${when}`,
  unread: 'Unread',
  and_more: (count: number) => `and ${many(count)} more`,
  by_mail: 'Also by mail',
  by_mail_hint:
    'Collected for a minute. Rowferry also mails failed runs to the owners of their Google accounts, whatever is chosen here.',
  no_mail: 'No mail server is configured, so nothing is sent: an administrator sets SMTP_URL.',
  mail_failed: 'Failed to save the choice',
  kind_names: {
    failed: 'Failed runs',
    approval: 'Rows and runs that need an approval',
    missed: 'Missed starts',
    file: 'Files that have not arrived',
    late: 'Late forecasts',
    mention: 'Mentions in notes',
  } satisfies Record<NotificationKind, string>,
  what_is_new: 'What is new',
  new_version: 'A new version: see what is new',
  kinds: {
    failed: (tasks: number) => (tasks === 1 ? 'Failed' : `${many(tasks)} tasks failed`),
    approval: (tasks: number) =>
      tasks === 1 ? 'Needs an approval' : `${many(tasks)} tasks need an approval`,
    missed: (tasks: number) =>
      tasks === 1 ? 'Missed a scheduled start' : `${many(tasks)} tasks missed a scheduled start`,
    file: (files: number) =>
      files === 1 ? 'A file has not arrived' : `${many(files)} files have not arrived`,
    late: (tasks: number) => (tasks === 1 ? 'Will be late' : `${many(tasks)} will be late`),
    mention: (notes: number) => (notes === 1 ? 'You are mentioned' : `${many(notes)} notes mention you`),
  } satisfies Record<NotificationKind, (count: number) => string>,
} as const
