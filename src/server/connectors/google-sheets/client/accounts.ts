import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type EntryLists, mayEnter } from '../../../platform/auth/admission.ts'
import { accountCleansUp, accountWorks, grantCleansUp, grantWorks } from '../../../platform/auth/grant-use.ts'
import { isAllowedServiceAccount } from '../../../platform/auth/service-account-use.ts'
import type { Database } from '../../../platform/schema.ts'
import { OriginFailure } from '../../connector.ts'
import { recentStarts } from './quota.ts'
import type { Account } from './tokens.ts'

/** Whose accounts a task uses: the one of whoever last changed what is copied, and those it names by address. */
export type AllowedAccounts = { account_user_id: number | null; relevant_user_accounts: string[] }

/** Work: what a task is for. Clean-up: taking back what its run left behind, for which any grant will do that still opens the target. */
export type Purpose = 'work' | 'clean_up'

/** Who may lend an account at all: people who may enter, and the service account of this address, if there is one. */
export type Lenders = { entry: EntryLists; service_account?: string | undefined }

/** In a query over `allowed (user_id, address)` left joined with `users` and `grants`: the accounts that may be used. */
export const usableFor = (purpose: Purpose, entry: EntryLists) =>
  purpose === 'work' ? accountWorks(entry) : accountCleansUp

/**
 * The accounts that a task may use now: its own one, those it names whose owners have opted in, and the service account
 * if it names that and an administrator allows it; none of somebody who is disabled, no longer admitted or without a
 * living grant. The least busy comes first. Throws OriginFailure `reconnect` when there is none.
 */
export async function accountsFor(
  db: Kysely<Database>,
  task: AllowedAccounts,
  busy: Lenders & { project: string; window_ms: number; purpose: Purpose },
): Promise<Account[]> {
  const allowed = allowedTo(task, await readLenders(db, [task], busy))
  const usable = allowed.filter(({ usable }) => usable)
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
  lenders: Lenders,
): Promise<Map<number, string>> {
  const people = await readLenders(db, tasks, { ...lenders, purpose: 'work' })
  return new Map(
    tasks.flatMap((task): [number, string][] => {
      const allowed = allowedTo(task, people)
      const lost = allowed.length > 0 && !allowed.some(({ usable }) => usable)
      return lost ? [[task.task_id, explain(allowed, lenders.entry)]] : []
    }),
  )
}

/** Those of the tasks that name a person's account, and whether they have another one that may be used. */
export async function tasksUsing(
  db: Kysely<Database>,
  tasks: readonly (AllowedAccounts & { task_id: number })[],
  { user_id, ...lenders }: Lenders & { user_id: number },
): Promise<{ task_id: number; has_other: boolean }[]> {
  const people = await readLenders(db, tasks, { ...lenders, purpose: 'work' })
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
): Promise<Pick<Account, 'user_id'> | null> {
  const { rows } = await sql<Pick<Account, 'user_id'>>`
    select allowed.user_id
    from unnest(${accounts.map(({ user_id }) => user_id)}::int[], ${accounts.map(({ email }) => email)}::text[])
        with ordinality as allowed (user_id, address, place)
      left join users on users.id = allowed.user_id left join grants on grants.user_id = users.id
    where ${usable} order by place limit 1`.execute(db)
  return rows[0] ?? null
}

/** Why none of the accounts may be used any more, as a sentence. */
export async function explainAccess(
  db: Kysely<Database>,
  accounts: readonly Account[],
  lenders: Lenders,
): Promise<string> {
  const tasks = accounts.map(({ user_id, email }) => ({
    account_user_id: user_id,
    relevant_user_accounts: user_id === null ? [email] : [],
  }))
  return explain(await readLenders(db, tasks, { ...lenders, purpose: 'work' }), lenders.entry)
}

/** A person, or the service account. */
type Lender = {
  /** Null: the service account. */
  id: number | null
  email: string
  shares_grant: boolean
  hosted_domain: string | null
  disabled_at: Date | null
  revoked_at: Date | null
  disconnecting_at: Date | null
  usable: boolean
}

type Question = Lenders & { purpose: Purpose }

const readLenders = async (
  db: Kysely<Database>,
  tasks: readonly AllowedAccounts[],
  question: Question,
): Promise<Lender[]> => [
  ...(await readPeople(db, tasks, question)),
  ...(await readServiceAccount(db, tasks, question)),
]

async function readServiceAccount(
  db: Kysely<Database>,
  tasks: readonly AllowedAccounts[],
  { service_account: email, purpose }: Question,
): Promise<Lender[]> {
  if (email === undefined || !tasks.some((task) => namedBy(task).includes(email))) return []
  const { allowed } = await db
    .selectNoFrom(isAllowedServiceAccount(sql`${email}`).as('allowed'))
    .executeTakeFirstOrThrow()
  const never = { hosted_domain: null, disabled_at: null, revoked_at: null, disconnecting_at: null }
  return [{ id: null, email, shares_grant: true, ...never, usable: allowed || purpose === 'clean_up' }]
}

const readPeople = (
  db: Kysely<Database>,
  tasks: readonly AllowedAccounts[],
  { entry, purpose }: Question,
): Promise<Lender[]> =>
  db
    .selectFrom('users')
    .leftJoin('grants', 'grants.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.shares_grant', 'users.hosted_domain', 'users.disabled_at'])
    .select(['grants.revoked_at', 'grants.disconnecting_at'])
    .select((purpose === 'work' ? grantWorks(entry) : grantCleansUp).as('usable'))
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

function allowedTo(task: AllowedAccounts, lenders: readonly Lender[]): Lender[] {
  const named = new Set(namedBy(task))
  return lenders.filter(
    ({ id, email, shares_grant }) =>
      (id !== null && id === task.account_user_id) || (shares_grant && named.has(email.toLowerCase())),
  )
}

function explain(allowed: readonly Lender[], entry: EntryLists): string {
  const emailsOf = (some: (lender: Lender) => unknown) =>
    allowed
      .filter(some)
      .map(({ email }) => email)
      .join(', ')
  const lost = emailsOf(({ revoked_at }) => revoked_at)
  if (lost) return `Google access of ${lost} was revoked or has ended. Sign in again to reconnect.`
  const barred = emailsOf((lender) => lender.id !== null && (lender.disabled_at || !mayEnter(lender, entry)))
  if (barred) return `${barred} may no longer use Rowferry, so the task has no Google account to run with.`
  const left = emailsOf(({ disconnecting_at }) => disconnecting_at)
  if (left) return `${left} has disconnected Google. Sign in again to reconnect.`
  const withdrawn = emailsOf(({ id, usable }) => id === null && !usable)
  if (withdrawn)
    return `Tasks may not use the service account ${withdrawn}: an administrator allows it under Settings.`
  return 'No account may be used: whoever last changed what the task copies, or a colleague it names who shares an account, has to sign in.'
}
