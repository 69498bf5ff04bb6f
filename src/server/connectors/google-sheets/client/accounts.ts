import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type EntryLists, mayEnter } from '../../../platform/auth/admission.ts'
import { accountCleansUp, accountWorks, grantCleansUp, grantWorks } from '../../../platform/auth/grant-use.ts'
import { isAllowedServiceAccount } from '../../../platform/auth/service-account-use.ts'
import type { Database } from '../../../platform/schema.ts'
import { OriginFailure } from '../../connector.ts'
import { recentStarts } from './quota.ts'
import type { Account } from './tokens.ts'

/**
 * Accounts that a task may use: that of the user who last changed what the task copies, and those listed by address.
 */
export type AllowedAccounts = { account_user_id: number | null; relevant_user_accounts: string[] }

/**
 * `work`: reading and writing for a run. `clean_up`: removing staging tabs, for which any grant is allowed that can
 * still open the target.
 */
export type Purpose = 'work' | 'clean_up'

/**
 * Accounts that may be used at all: of users who may sign in, and the service account with this address, if there is
 * one.
 */
export type AccountRules = { entry: EntryLists; service_account?: string | undefined }

/**
 * SQL condition over `allowed (user_id, address)` left joined with `users` and `grants`: whether the account may be
 * used.
 */
export const usableFor = (purpose: Purpose, entry: EntryLists) =>
  purpose === 'work' ? accountWorks(entry) : accountCleansUp

/**
 * The accounts that a task may use now, the least busy first: its own account, listed accounts whose owners share
 * them, and the service account if it is listed and an administrator allows it. Accounts that are disabled, no longer
 * admitted or without a valid grant are left out. Throws OriginFailure `reconnect` if none remains.
 */
export async function accountsFor(
  db: Kysely<Database>,
  task: AllowedAccounts,
  busy: AccountRules & { project: string; window_ms: number; purpose: Purpose },
): Promise<Account[]> {
  const allowed = allowedTo(task, await readCandidates(db, [task], busy))
  const usable = allowed.filter(({ usable }) => usable)
  if (usable.length === 0) throw new OriginFailure('reconnect', explain(allowed, busy.entry))
  const starts = await recentStarts(db, busy.project, busy.window_ms)
  return usable
    .map(({ id, email }) => ({ user_id: id, email }))
    .sort((one, other) => (starts.get(one.email) ?? 0) - (starts.get(other.email) ?? 0))
}

/** Tasks of which no account may be used any more, each with a message that gives the reason. */
export async function lostAccess(
  db: Kysely<Database>,
  tasks: readonly (AllowedAccounts & { task_id: number })[],
  rules: AccountRules,
): Promise<Map<number, string>> {
  const people = await readCandidates(db, tasks, { ...rules, purpose: 'work' })
  return new Map(
    tasks.flatMap((task): [number, string][] => {
      const allowed = allowedTo(task, people)
      const lost = allowed.length > 0 && !allowed.some(({ usable }) => usable)
      return lost ? [[task.task_id, explain(allowed, rules.entry)]] : []
    }),
  )
}

/** Tasks that use a user's account, and whether each has another account that may be used. */
export async function tasksUsing(
  db: Kysely<Database>,
  tasks: readonly (AllowedAccounts & { task_id: number })[],
  { user_id, ...rules }: AccountRules & { user_id: number },
): Promise<{ task_id: number; has_other: boolean }[]> {
  const people = await readCandidates(db, tasks, { ...rules, purpose: 'work' })
  return tasks.flatMap((task) => {
    const allowed = allowedTo(task, people)
    const named = allowed.some(({ id }) => id === user_id)
    const has_other = allowed.some(({ id, usable }) => usable && id !== user_id)
    return named ? [{ task_id: task.task_id, has_other }] : []
  })
}

/**
 * The first account that may be used now, for requests that do not count against the quota; null if there is none.
 */
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

/** A message that explains why none of the accounts may be used. */
export async function explainAccess(
  db: Kysely<Database>,
  accounts: readonly Account[],
  rules: AccountRules,
): Promise<string> {
  const tasks = accounts.map(({ user_id, email }) => ({
    account_user_id: user_id,
    relevant_user_accounts: user_id === null ? [email] : [],
  }))
  return explain(await readCandidates(db, tasks, { ...rules, purpose: 'work' }), rules.entry)
}

/** A user's account, or the service account. */
type CandidateAccount = {
  /** Null for the service account. */
  id: number | null
  email: string
  shares_grant: boolean
  hosted_domain: string | null
  disabled_at: Date | null
  revoked_at: Date | null
  disconnecting_at: Date | null
  usable: boolean
}

type Question = AccountRules & { purpose: Purpose }

const readCandidates = async (
  db: Kysely<Database>,
  tasks: readonly AllowedAccounts[],
  question: Question,
): Promise<CandidateAccount[]> => [
  ...(await readPeople(db, tasks, question)),
  ...(await readServiceAccount(db, tasks, question)),
]

async function readServiceAccount(
  db: Kysely<Database>,
  tasks: readonly AllowedAccounts[],
  { service_account: email, purpose }: Question,
): Promise<CandidateAccount[]> {
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
): Promise<CandidateAccount[]> =>
  db
    .selectFrom('users')
    .leftJoin('grants', 'grants.user_id', 'users.id')
    .select(['users.id', 'users.email', 'users.shares_grant', 'users.hosted_domain', 'users.disabled_at'])
    .select(['grants.revoked_at', 'grants.disconnecting_at'])
    .select((purpose === 'work' ? grantWorks(entry) : grantCleansUp).as('usable'))
    .where((eb) =>
      eb.or([
        // `in ()` is not valid SQL.
        eb('users.id', 'in', [0, ...tasks.flatMap(({ account_user_id }) => account_user_id ?? [])]),
        eb(eb.fn<string>('lower', ['users.email']), 'in', ['', ...tasks.flatMap(namedBy)]),
      ]),
    )
    .orderBy('users.id')
    .execute()

const namedBy = ({ relevant_user_accounts }: AllowedAccounts) =>
  relevant_user_accounts.map((email) => email.toLowerCase())

function allowedTo(task: AllowedAccounts, candidates: readonly CandidateAccount[]): CandidateAccount[] {
  const named = new Set(namedBy(task))
  return candidates.filter(
    ({ id, email, shares_grant }) =>
      (id !== null && id === task.account_user_id) || (shares_grant && named.has(email.toLowerCase())),
  )
}

function explain(allowed: readonly CandidateAccount[], entry: EntryLists): string {
  const emailsOf = (some: (candidate: CandidateAccount) => unknown) =>
    allowed
      .filter(some)
      .map(({ email }) => email)
      .join(', ')
  const lost = emailsOf(({ revoked_at }) => revoked_at)
  if (lost) return `Google access of ${lost} was revoked or has ended. Sign in again to reconnect.`
  const barred = emailsOf(
    (candidate) => candidate.id !== null && (candidate.disabled_at || !mayEnter(candidate, entry)),
  )
  if (barred) return `${barred} may no longer use Rowferry, so the task has no Google account to run with.`
  const left = emailsOf(({ disconnecting_at }) => disconnecting_at)
  if (left) return `${left} has disconnected Google. Sign in again to reconnect.`
  const withdrawn = emailsOf(({ id, usable }) => id === null && !usable)
  if (withdrawn)
    return `Tasks may not use the service account ${withdrawn}: an administrator allows it under Settings.`
  return 'No account may be used: the user who last changed what the task copies, or a user it names who shares an account, has to sign in.'
}
