import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type EntryLists, mayEnter } from '../../platform/auth/admission.ts'
import { grantCleansUp, grantWorks } from '../../platform/auth/grant-use.ts'
import type { Database } from '../../platform/schema.ts'
import { OriginFailure } from '../connector.ts'
import { recentStarts } from './quota.ts'
import type { Account } from './tokens.ts'

/** Whose accounts a task uses: the one of whoever last changed what is copied, and those it names by address. */
export type AllowedAccounts = { account_user_id: number | null; relevant_user_accounts: string[] }

/** Work: what a task is for. Clean-up: taking back what its run left behind, for which any grant will do that still opens the target. */
export type Purpose = 'work' | 'clean_up'

/** In a query over `users` joined with `grants`: those whose account may be used. */
export const usableFor = (purpose: Purpose, entry: EntryLists) =>
  purpose === 'work' ? grantWorks(entry) : grantCleansUp

/**
 * The accounts that a task may use now: its own one, and those it names whose owners have opted in; none of somebody
 * who is disabled, no longer admitted or without a living grant. The least busy comes first. Throws OriginFailure
 * `reconnect` when there is none.
 */
export async function accountsFor(
  db: Kysely<Database>,
  task: AllowedAccounts,
  busy: { project: string; window_ms: number; entry: EntryLists; purpose: Purpose },
): Promise<Account[]> {
  const allowed = allowedTo(task, await readPeople(db, [task], busy))
  const usable = allowed.filter((person) => person.usable)
  if (usable.length === 0) throw new OriginFailure('reconnect', explain(allowed, busy.entry))
  const starts = await recentStarts(db, busy.project, busy.window_ms)
  return usable
    .map(({ id, email }) => ({ user_id: id, email }))
    .sort((one, other) => (starts.get(one.email) ?? 0) - (starts.get(other.email) ?? 0))
}

/** Those of the tasks whose people have all lost the access that they could use, each with a sentence that says how. */
export async function lostAccess(
  db: Kysely<Database>,
  tasks: readonly (AllowedAccounts & { task_id: number })[],
  entry: EntryLists,
): Promise<Map<number, string>> {
  const people = await readPeople(db, tasks, { entry, purpose: 'work' })
  return new Map(
    tasks.flatMap((task): [number, string][] => {
      const allowed = allowedTo(task, people)
      const lost = allowed.length > 0 && !allowed.some(({ usable }) => usable)
      return lost ? [[task.task_id, explain(allowed, entry)]] : []
    }),
  )
}

/** Those of the tasks that name a person's account, and whether they have another one that may be used. */
export async function tasksUsing(
  db: Kysely<Database>,
  tasks: readonly (AllowedAccounts & { task_id: number })[],
  { user_id, entry }: { user_id: number; entry: EntryLists },
): Promise<{ task_id: number; has_other: boolean }[]> {
  const people = await readPeople(db, tasks, { entry, purpose: 'work' })
  return tasks.flatMap((task) => {
    const allowed = allowedTo(task, people)
    const named = allowed.some(({ id }) => id === user_id)
    const has_other = allowed.some(({ id, usable }) => usable && id !== user_id)
    return named ? [{ task_id: task.task_id, has_other }] : []
  })
}

/** The first of the accounts that may be used at this moment, for requests that take no turn; null if none may. */
export async function firstUsable(
  db: Kysely<Database>,
  accounts: readonly Account[],
  usable: RawBuilder<boolean>,
): Promise<{ user_id: number } | null> {
  const ids = accounts.map(({ user_id }) => user_id)
  const { rows } = await sql<{ user_id: number }>`
    select users.id as user_id from users join grants on grants.user_id = users.id
    where users.id = any(${ids}::int[]) and ${usable}
    order by array_position(${ids}::int[], users.id) limit 1`.execute(db)
  return rows[0] ?? null
}

/** Why none of the accounts may be used any more, as a sentence. */
export async function explainAccess(
  db: Kysely<Database>,
  accounts: readonly Account[],
  entry: EntryLists,
): Promise<string> {
  const tasks = accounts.map(({ user_id }) => ({ account_user_id: user_id, relevant_user_accounts: [] }))
  return explain(await readPeople(db, tasks, { entry, purpose: 'work' }), entry)
}

type Person = {
  id: number
  email: string
  shares_grant: boolean
  hosted_domain: string | null
  disabled_at: Date | null
  revoked_at: Date | null
  disconnecting_at: Date | null
  usable: boolean
}

const readPeople = (
  db: Kysely<Database>,
  tasks: readonly AllowedAccounts[],
  { entry, purpose }: { entry: EntryLists; purpose: Purpose },
): Promise<Person[]> =>
  db
    .selectFrom('users')
    .leftJoin('grants', 'grants.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.shares_grant', 'users.hosted_domain', 'users.disabled_at'])
    .select(['grants.revoked_at', 'grants.disconnecting_at'])
    .select(usableFor(purpose, entry).as('usable'))
    .where((eb) =>
      eb.or([
        // An empty list is no valid `in`.
        eb('users.id', 'in', [0, ...tasks.flatMap(({ account_user_id }) => account_user_id ?? [])]),
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
      id === task.account_user_id || (shares_grant && named.has(email.toLowerCase())),
  )
}

function explain(allowed: readonly Person[], entry: EntryLists): string {
  const emailsOf = (some: (person: Person) => unknown) =>
    allowed
      .filter(some)
      .map(({ email }) => email)
      .join(', ')
  const lost = emailsOf(({ revoked_at }) => revoked_at)
  if (lost) return `Google access of ${lost} was revoked or has ended. Sign in again to reconnect.`
  const barred = emailsOf((person) => person.disabled_at || !mayEnter(person, entry))
  if (barred) return `${barred} may no longer use Rowferry, so the task has no Google account to run with.`
  const left = emailsOf(({ disconnecting_at }) => disconnecting_at)
  if (left) return `${left} has disconnected Google. Sign in again to reconnect.`
  return 'No account may be used: whoever last changed what the task copies, or a colleague it names who shares an account, has to sign in.'
}
