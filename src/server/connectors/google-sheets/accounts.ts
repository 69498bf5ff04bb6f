import type { Kysely } from 'kysely'
import type { Database } from '../../platform/schema.ts'
import { OriginFailure } from '../connector.ts'
import { recentStarts } from './quota.ts'
import type { Account } from './tokens.ts'

/** Whose accounts a task names: the person who made it, and colleagues by address. */
export type AllowedAccounts = { created_by: number | null; relevant_user_accounts: string[] }

/**
 * The accounts that a task may use now: its creator's, and those it names whose owners have opted in; none that is
 * disabled or whose grant is revoked. The least busy comes first. Throws OriginFailure `reconnect` when there is none.
 */
export async function accountsFor(
  db: Kysely<Database>,
  task: AllowedAccounts,
  busy: { project: string; window_ms: number },
): Promise<Account[]> {
  const allowed = allowedTo(task, await readPeople(db, [task]))
  const usable = allowed.filter(isUsable)
  if (usable.length === 0) throw new OriginFailure('reconnect', explain(allowed))
  const starts = await recentStarts(db, busy.project, busy.window_ms)
  return usable
    .map(({ id, email }) => ({ user_id: id, email }))
    .sort((one, other) => (starts.get(one.email) ?? 0) - (starts.get(other.email) ?? 0))
}

/** Those of the tasks that have lost the last account they could use because access to it was revoked, each with a sentence that says so. */
export async function lostAccess(
  db: Kysely<Database>,
  tasks: readonly (AllowedAccounts & { task_id: number })[],
): Promise<Map<number, string>> {
  const people = await readPeople(db, tasks)
  return new Map(
    tasks.flatMap((task): [number, string][] => {
      const allowed = allowedTo(task, people)
      const lost = allowed.some(({ revoked_at }) => revoked_at) && !allowed.some(isUsable)
      return lost ? [[task.task_id, explain(allowed)]] : []
    }),
  )
}

type Person = {
  id: number
  email: string
  shares_grant: boolean
  disabled_at: Date | null
  connected: unknown
  revoked_at: Date | null
}

const readPeople = (db: Kysely<Database>, tasks: readonly AllowedAccounts[]): Promise<Person[]> =>
  db
    .selectFrom('users')
    .leftJoin('grants', 'grants.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.shares_grant', 'users.disabled_at', 'grants.revoked_at'])
    .select((eb) => eb('grants.user_id', 'is not', null).as('connected'))
    .where((eb) =>
      eb.or([
        // An empty list is no valid `in`.
        eb('users.id', 'in', [0, ...tasks.flatMap(({ created_by }) => created_by ?? [])]),
        eb(eb.fn<string>('lower', ['users.email']), 'in', ['', ...tasks.flatMap(namedBy)]),
      ]),
    )
    .orderBy('users.id')
    .execute()

const namedBy = ({ relevant_user_accounts }: AllowedAccounts) =>
  relevant_user_accounts.map((email) => email.toLowerCase())

function allowedTo(task: AllowedAccounts, people: readonly Person[]): Person[] {
  const named = new Set(namedBy(task))
  return people.filter(
    ({ id, email, shares_grant }) =>
      id === task.created_by || (shares_grant && named.has(email.toLowerCase())),
  )
}

const isUsable = ({ connected, revoked_at, disabled_at }: Person) => connected && !revoked_at && !disabled_at

function explain(allowed: readonly Person[]): string {
  const lost = allowed.filter(({ revoked_at }) => revoked_at).map(({ email }) => email)
  return lost.length > 0
    ? `Google access of ${lost.join(', ')} was revoked or has ended. Sign in again to reconnect.`
    : 'No account may be used: whoever made the task, or a colleague it names who has opted in, has to sign in once.'
}
