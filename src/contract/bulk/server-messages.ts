import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'
import type { SummarizedAction } from './client-messages.ts'

const count = (n: number) => n.toLocaleString('en-US')
const tasks = (n: number) => `${count(n)} ${n === 1 ? 'task' : 'tasks'}`

const categories = { sync: 'sync tasks', source: 'source tasks' } as const

/** Result counts of an action on several tasks. */
type BulkCounts = { done: number; skipped: number; refused: number; unknown: number }

const verbs: Record<SummarizedAction, { done: (n: number) => string; none: string; skipped: string }> = {
  run: {
    done: (n) => `Queued ${tasks(n)}.`,
    none: 'Nothing was started.',
    skipped: 'already running or inactive',
  },
  stop: { done: (n) => `Stopping ${tasks(n)}.`, none: 'Nothing to stop.', skipped: 'nothing to stop' },
  activate: {
    done: (n) => `Activated ${tasks(n)}.`,
    none: 'Nothing was activated.',
    skipped: 'already active',
  },
  deactivate: {
    done: (n) => `Deactivated ${tasks(n)}.`,
    none: 'Nothing was deactivated.',
    skipped: 'already inactive',
  },
  acknowledge: {
    done: (n) => `Acknowledged ${tasks(n)}.`,
    none: 'Nothing was acknowledged.',
    skipped: 'no failure or warning, or acknowledged already',
  },
  snooze: {
    done: (n) => `Snoozed ${tasks(n)}.`,
    none: 'Nothing was snoozed.',
    skipped: 'no failure or warning',
  },
  unmark: {
    done: (n) => `${tasks(n)} ${n === 1 ? 'is' : 'are'} listed again.`,
    none: 'Nothing was listed again.',
    skipped: 'neither acknowledged nor snoozed',
  },
  claim: {
    done: (n) => `You are on ${tasks(n)}.`,
    none: 'Nothing was claimed.',
    skipped: 'nothing to work on, or claimed already',
  },
  release: {
    done: (n) => `Released ${tasks(n)}.`,
    none: 'Nothing was released.',
    skipped: 'not claimed',
  },
  change_type: {
    done: (n) => `Changed the type of ${tasks(n)}.`,
    none: 'No type was changed.',
    skipped: 'already of this type',
  },
  change_schedule: {
    done: (n) => `Changed the schedule of ${tasks(n)}.`,
    none: 'No schedule was changed.',
    skipped: 'already on this schedule',
  },
  change_account: {
    done: (n) => `Changed the account of ${tasks(n)}.`,
    none: 'No account was changed.',
    skipped: 'nothing to change',
  },
  change_owner: {
    done: (n) => `Changed the owner of ${tasks(n)}.`,
    none: 'No owner was changed.',
    skipped: 'already of this owner',
  },
  add_tag: {
    done: (n) => `Added the tag to ${tasks(n)}.`,
    none: 'No tag was added.',
    skipped: 'already with this tag',
  },
  remove_tag: {
    done: (n) => `Removed the tag from ${tasks(n)}.`,
    none: 'No tag was removed.',
    skipped: 'without this tag',
  },
  delete: { done: (n) => `Deleted ${tasks(n)}.`, none: 'Nothing was deleted.', skipped: '' },
  delete_later: {
    done: (n) => `Deleting ${tasks(n)} in ten seconds.`,
    none: 'Nothing is deleted.',
    skipped: '',
  },
  undo: {
    done: (n) => `Restored ${tasks(n)}.`,
    none: 'Nothing was restored.',
    skipped: 'nothing to restore',
  },
}

/** Texts of the server about actions on several tasks at once. */
export const bulkServerMessages = {
  // replies
  summary: (
    action: SummarizedAction,
    { done, skipped, refused, unknown }: BulkCounts,
    refusal: { name: string; message: string } | null,
  ) =>
    [
      done > 0 ? verbs[action].done(done) : verbs[action].none,
      skipped > 0 && `Skipped ${count(skipped)} (${verbs[action].skipped}).`,
      refusal &&
        `Refused ${count(refused)}: ${quoted(refusal.name)}: ${refusal.message}${/[.!?]$/.test(refusal.message) ? '' : '.'}`,
      unknown > 0 && `${tasks(unknown)} ${unknown === 1 ? 'does' : 'do'} not exist any more.`,
    ]
      .filter(Boolean)
      .join(' '),
  unknown: (id: number) => `There is no sync or source task ${id}`,
  not_for_configs: 'A compiler configuration is changed on its page',
  already_active: (name: string) => `${name} is active already`,
  already_inactive: (name: string) => `${name} is inactive already`,
  deleted: (name: string) => `${name} is deleted`,

  // results of single tasks
  deleted_later: (name: string) => `${name} will be deleted in ten seconds`,
  delete_cancelled: (name: string) => `${name} stays`,
  acknowledged: (name: string) => `The warnings of ${name} are acknowledged`,
  nothing_to_acknowledge: (name: string) => `${name} has no warnings to acknowledge`,
  failure_acknowledged: (name: string) => `The failure of ${name} is acknowledged`,
  nothing_wrong: (name: string) => `The last run of ${name} did not fail and has no open warnings`,
  acknowledged_by: (name: string, email: string) => `${name} is acknowledged by ${email} already`,
  snoozed: (name: string) => `${name} is snoozed`,
  until_past: 'until must be in the future.',
  until_far: (days: number) => `until must be within ${formatted(days)} days.`,
  unmarked: (name: string) => `${name} is listed again`,
  not_marked: (name: string) => `${name} is neither acknowledged nor snoozed`,
  claimed: (name: string) => `You are on ${name}`,
  claimed_already: (name: string) => `You are on ${name} already`,
  claimed_by: (name: string, email: string) => `${email} is on ${name}`,
  released: (name: string) => `${name} is released`,
  not_claimed: (name: string) => `Nobody is on ${name}`,
  type_changed: (name: string, type: string) => `${name} is of the type ${type} now`,
  type_removed: (name: string) => `${name} has no type now`,
  type_same: (name: string) => `${name} is of this type already`,
  type_of_others: (type: string, category: 'sync' | 'source') =>
    `${type} is a type of ${categories[category]}`,
  type_required: 'A sync task needs a type',
  schedule_changed: (name: string) => `${name} has the new schedule`,
  schedule_same: (name: string) => `${name} has this schedule already`,
  schedule_of_type: 'A source task runs on the schedule of its type',
  account_changed: (name: string) => `${name} has the new account settings`,
  account_same: (name: string) => `${name} has these account settings already`,
  account_unused: (name: string) => `${name} reads no Google sheet`,
  owner_changed: (name: string, owner: string) => `${name} belongs to ${owner} now`,
  owner_removed: (name: string) => `${name} belongs to nobody now`,
  owner_same: (name: string) => `${name} has this owner already`,
  tag_added: (name: string, tag: string) => `${name} has the tag ${tag} now`,
  tag_present: (name: string) => `${name} has this tag already`,
  tag_removed: (name: string, tag: string) => `${name} does not have the tag ${tag} any more`,
  tag_absent: (name: string) => `${name} does not have this tag`,
  version_required: 'To run with your account, send the updated_at of the task that you have seen',

  // undo
  restored: (name: string) => `${name} is as before`,
  changed_since: (name: string) => `${name} was changed since, or is deleted, and stays as it is`,
  name_taken_since: 'Another task of the former type has this name now',
  type_gone_since: 'The former type was deleted',
  marks_changed_since: (name: string) => `The mark of ${name} was changed since`,
  undo_expired: 'This can no longer be undone.',

  // refused calls
  bulk_not_found: 'There is no such bulk call, or it is older than a day.',
  key_reused: 'This Idempotency-Key was used for another request.',
  key_invalid: (max: number) =>
    `Idempotency-Key must have 1 to ${formatted(max)} printable ASCII characters.`,
  too_many: (max: number) => `The filter matches more than ${formatted(max)} tasks.`,
} as const
