import { sql } from 'kysely'
import { sourceServerMessages } from '../../../../contract/source-tasks/server-messages.ts'

import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { Origin } from './definition.ts'

/** The target of an identifier: a connection or another task. */
export type Reference = { connection_id: number | null; origin_task_id: number | null }

type Identified = Pick<Origin, 'source_type' | 'source_identifier'>

const NOTHING: Reference = { connection_id: null, origin_task_id: null }
const INTERNAL = /^(?:task|config)-[1-9]\d{0,8}$/

/** Resolves an identifier and locks the result until the transaction ends. Throws NamedError `origin_gone`. */
export async function referenceOf(trx: Trx, origin: Identified): Promise<Reference> {
  const [found] = await referencesOf(trx, [origin])
  if (found instanceof NamedError) throw found
  return found ?? NOTHING
}

/** Resolves many identifiers in order. An unknown name gives the error instead. */
export async function referencesOf(
  trx: Trx,
  origins: readonly Identified[],
): Promise<(Reference | NamedError)[]> {
  const named = origins.filter(isNamed)
  const internal = named.filter(({ source_type }) => source_type === 'internal')
  const found = new Map([
    ...(await holdConnections(trx, identifiersOf(named.filter((one) => one.source_type !== 'internal')))),
    ...(await holdTasks(
      trx,
      identifiersOf(internal).filter((name) => INTERNAL.test(name)),
    )),
  ])
  return origins.map((origin) => (isNamed(origin) ? (found.get(keyOf(origin)) ?? missing(origin)) : NOTHING))
}

// The identifier of a sheet has no meaning for references.
const isNamed = ({ source_type, source_identifier }: Identified) =>
  source_type !== 'sheet' && source_identifier !== ''

const identifiersOf = (origins: readonly Identified[]) => [
  ...new Set(origins.map(({ source_identifier }) => source_identifier)),
]

const keyOf = ({ source_type, source_identifier }: Identified) => `${source_type} ${source_identifier}`

function missing({ source_type, source_identifier }: Identified): NamedError {
  const message =
    source_type === 'api' || source_type === 'database'
      ? sourceServerMessages.connection_gone(source_type, source_identifier)
      : INTERNAL.test(source_identifier)
        ? sourceServerMessages.origin_gone(source_identifier)
        : sourceServerMessages.origin_form
  return new NamedError('origin_gone', { message, field: 'source_identifier' })
}

type Found = [key: string, reference: Reference][]

async function holdConnections(trx: Trx, names: readonly string[]): Promise<Found> {
  if (names.length === 0) return []
  const rows = await trx
    .selectFrom('connections')
    .select(['id', 'kind', 'name'])
    .where('name', 'in', names)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id, kind, name }) => [`${kind} ${name}`, { connection_id: id, origin_task_id: null }])
}

// A configuration is identified by its own id and resolves to its task.
async function holdTasks(trx: Trx, identifiers: readonly string[]): Promise<Found> {
  if (identifiers.length === 0) return []
  const numbers = (prefix: string) =>
    identifiers.flatMap((name) => (name.startsWith(prefix) ? Number(name.slice(prefix.length)) : []))
  const { rows } = await sql<{ id: number; config_id: number | null }>`
    select t.id, c.id as config_id
    from tasks t left join compiler_configs c on c.task_id = t.id
    where (t.category = 'source' and t.id = any(${numbers('task-')}::int[]))
      or c.id = any(${numbers('config-')}::int[])
    order by t.id for key share of t`.execute(trx)
  return rows.map(({ id, config_id }) => [
    `internal ${config_id === null ? `task-${id}` : `config-${config_id}`}`,
    { connection_id: null, origin_task_id: id },
  ])
}
