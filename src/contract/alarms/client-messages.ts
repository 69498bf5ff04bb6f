import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

/** Texts of alarms, for server and settings. A webhook of the API is an alarm on the screen. */
export const alarmMessages = {
  kind_required: 'Choose at least one kind of alarm',
  address_invalid:
    'Enter an address such as https://hooks.slack.com/services/…, for mail one such as ops@example.com',
  host_refused: (reason: string) => `${reason} The list is under Settings → Allowed hosts.`,
  no_mail: 'No server for mails is configured: SMTP_URL and MAIL_FROM.',
  key_short: 'The signing key needs at least 16 characters',
  quiet_both: 'Quiet hours need a begin and an end',
  gone: 'Alarm not found.',
  name_taken: 'Another alarm has this name.',
  address_unreadable: 'Its address was stored under another key: enter it again.',
  refused: (status: number) => `The address answered ${status}.`,
  no_answer: (reason: string) => `The address cannot be reached: ${reason}`,
  test_text: 'This is a test of Rowferry’s alarms. All is well.',
  test_arrived: 'The test message has arrived',
  subject_test: 'Rowferry: a test of its alarms',
  subject_began: (n: number) => `Rowferry: ${formatted(n)} ${n === 1 ? 'problem' : 'problems'}`,
  subject_over: (n: number) => `Rowferry: ${formatted(n)} ${n === 1 ? 'problem' : 'problems'} resolved`,
  began: 'Problem',
  over: 'Resolved',
  more: (n: number) => `… and ${formatted(n)} more`,

  // kinds of alarms
  no_worker: 'No worker is running',
  no_worker_reason: 'Runs stay queued until a worker is running.',
  folder_missing: (folder: string) => `The folder ‘${quoted(folder)}’ cannot be opened by every worker`,
  folder_missing_reason: (workers: string[], none_left: boolean) =>
    none_left
      ? 'No running worker can open it. Runs that need it wait.'
      : `${workers.join(', ')} cannot. Other workers execute the runs that need it.`,
  no_scheduler: 'No scheduler is running',
  no_scheduler_reason: 'Scheduled runs do not start.',
  quota_short: (kind: string, account?: string) =>
    `Google’s quota of ${kind}s${account === undefined ? '' : ` for ${account}`} is used up`,
  quota_reason: 'Runs wait and then continue.',
  grant_revoked: (email: string) => `Google access of ${email} was revoked`,
  grant_reason: 'Tasks that need it fail until that person signs in again.',
  disk_short: (host: string) => `The disk of ${host} is nearly full`,
  no_room: (error: string) => `${error} The run then continues automatically.`,
  disk_reason: (gigabytes: string) => `${gigabytes} GB are free.`,
  file_late: (file: string, hours: number) =>
    `‘${quoted(file)}’ should change every ${formatted(hours)} ${hours === 1 ? 'hour' : 'hours'} and has not.`,
  stale_reason: (hours: number) => `Its rows were read more than ${hours} hours ago.`,

  // settings
  title: 'Alarms',
  hint: 'Sends one message when something breaks and one when it recovers, to a chat, another service or by mail; a new alarm also sends what is broken now.',
  admins_only: 'Administrators manage the alarms.',
  none_yet: 'No alarms yet',
  none_yet_hint:
    'An alarm needs an address: of Slack, Teams or a service of your own, whose host has to be allowed, or an email address.',
  add: 'Add alarm',
  edit: 'Edit alarm',
  added: 'Alarm added',
  updated: 'Alarm updated',
  deleted: 'Alarm deleted',
  fetch_failed: 'Failed to fetch the alarms',
  save_failed: 'Failed to save the alarm',
  delete_failed: 'Failed to delete the alarm',
  test_failed: 'The test could not be sent',
  confirm_delete: (name: string) => `Delete the alarm “${name}”? It sends no further messages.`,
  kinds: {
    failed: 'A task failed',
    limit: 'A run would exceed a limit',
    warning: 'A run left warnings',
    missed: 'A scheduled run was missed',
    stale: 'Source rows are old',
    file: 'A file has not arrived',
    late: 'A task will not be ready by its time',
    quota: 'Google’s quota is used up',
    worker: 'A worker or scheduler is missing, or lacks a folder',
    grant: 'Google access was revoked',
    disk: 'A disk is full or nearly full',
  },
  categories: { sync: 'Sync tasks', source: 'Source tasks', compiler: 'Compiles' },
  formats: { plain: 'JSON, signed', slack: 'Slack', teams: 'Microsoft Teams', mail: 'Mail' },
  never_sent: 'Nothing sent yet',
  inactive: 'Inactive',
} as const
