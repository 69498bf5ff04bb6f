import { randomBytes } from 'node:crypto'
import type { ClientBase } from 'pg'
import { z } from 'zod'
import { TaskCategory } from '../../../contract/tasks/schemas.ts'
import { migrateWithin, readMigrations } from '../migrate.ts'
import { queueOf } from '../queue-name.ts'
import { BackupError, printable } from './backup-error.ts'

const KINDS = ['view', 'table', 'sequence', 'function', 'type'] as const

/** A database object; `address` is its name in a statement. */
type Thing = { kind: string; schema: string; name: string; address: string }

const MAX_LISTED = 10
const QUEUE_SCHEMA = 'pgboss'
const QUEUES = TaskCategory.options.map(queueOf)
// A used installation has rows in one of these tables; migrations fill others.
const OF_USERS = ['users', 'tasks', 'runs', 'connections']

// Objects of extensions are removed with the extension.
const THINGS = `
  select kind, n.nspname::text as schema, name, address from (
    select case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
        when 'S' then 'sequence' when 'c' then 'type' else 'table' end as kind,
      relnamespace as namespace, relname::text as name, oid::regclass::text as address, 'pg_class'::regclass as catalog, oid
    from pg_class where relkind in ('r', 'p', 'v', 'm', 'f', 'S', 'c')
    union all
    select 'type', typnamespace, typname::text, oid::regtype::text, 'pg_type'::regclass, oid
    from pg_type where typtype in ('d', 'e', 'r') or (typtype = 'b' and typcategory <> 'A')
    union all
    select 'function', pronamespace, format('%s(%s)', proname, pg_get_function_identity_arguments(oid)),
      oid::regprocedure::text, 'pg_proc'::regclass, oid
    from pg_proc
  ) things join pg_namespace n on n.oid = namespace
  where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    and not exists (
      select from pg_depend d where d.classid = catalog and d.objid = things.oid and d.deptype = 'e')
  order by n.nspname <> 'public', n.nspname, kind <> 'table', kind, name`

/**
 * Removes the objects of an unused Rowferry installation by name, within the caller's transaction, which must hold
 * the migration lock. Throws BackupError with a list of the objects if any of them is not Rowferry's or the
 * installation has been used.
 */
export async function removeUnusedInstallation(client: ClientBase): Promise<void> {
  const { own, hasQueue } = await requireNothingForeign(client)
  await refuseUsed(client, own)
  for (const kind of KINDS) {
    const addresses = own.filter((thing) => thing.kind === kind).map(({ address }) => address)
    // Without cascade: a foreign object that depends on ours makes this fail. Sequences are removed with their
    // tables.
    if (addresses.length > 0) await client.query(`drop ${kind} if exists ${addresses.join(', ')}`)
  }
  if (hasQueue) await client.query(`delete from ${QUEUE_SCHEMA}.job where name = any ($1)`, [QUEUES])
}

/** Rowferry's objects in the database, and whether its queue exists. Throws BackupError with a list if there are others. */
export async function requireNothingForeign(
  client: ClientBase,
): Promise<{ own: Thing[]; hasQueue: boolean }> {
  const { rows: things } = await client.query<Thing>(THINGS)
  const names = await ownNames(client)
  const own = things.filter((thing) => thing.schema === 'public' && names.has(keyOf(thing)))
  const hasQueue = await isOwnQueue(client, things)
  const foreign = things.filter(
    (thing) => !own.includes(thing) && !(hasQueue && thing.schema === QUEUE_SCHEMA),
  )
  if (foreign.length === 0) return { own, hasQueue }
  throw new BackupError(
    `The database holds what is not Rowferry’s: ${listOf(foreign)}. Nothing was changed. Restore into a database of its own.`,
  )
}

const keyOf = ({ kind, name }: Thing) => `${kind} ${name}`

function listOf(things: readonly Thing[]): string {
  const named = things
    .slice(0, MAX_LISTED)
    .map(({ kind, schema, name }) => `${kind} ${printable(schema === 'public' ? name : `${schema}.${name}`)}`)
  const others = things.length - named.length
  return named.join(', ') + (others > 0 ? ` and ${others} more` : '')
}

/**
 * The objects that the applied migrations create. They are determined in a temporary schema, because later migrations
 * drop objects of earlier ones.
 */
async function ownNames(client: ClientBase): Promise<Set<string>> {
  const version = await installedVersion(client)
  if (version === undefined) return new Set()
  const schema = `rowferry_${randomBytes(8).toString('hex')}`
  await client.query('savepoint before_names')
  await client.query(`create schema ${schema}`)
  await client.query(`set local search_path to ${schema}`)
  await migrateWithin(client, { to: version })
  const { rows } = await client.query<Thing>(THINGS)
  await client.query('rollback to savepoint before_names')
  return new Set(rows.filter((thing) => thing.schema === schema).map(keyOf))
}

/** The newest applied migration; undefined if the list of migrations is another program's, or missing. */
async function installedVersion(client: ClientBase): Promise<number | undefined> {
  const known = await client.query(
    "select from pg_tables where schemaname = 'public' and tablename = 'schema_migrations'",
  )
  if (known.rowCount === 0) return undefined
  const { rows } = await client.query('select to_jsonb(m) as row from public.schema_migrations m limit 10000')
  const applied = z
    .array(z.object({ row: Applied }))
    .min(1)
    .safeParse(rows)
  if (!applied.success) return undefined
  const files = new Map((await readMigrations()).map((file) => [file.version, file]))
  const newest = Math.max(...files.keys())
  const versions = applied.data.map(({ row }) => row.version)
  const isOurs = applied.data.every(({ row: { version, name, checksum } }) => {
    const file = files.get(version)
    return file ? file.name === name && file.checksum === checksum : version > newest
  })
  if (!isOurs || !versions.some((version) => files.has(version))) return undefined
  const last = Math.max(...versions)
  if (last > newest)
    throw new BackupError(
      `The database was prepared by a newer version (schema ${last}); this one knows ${newest}. Restore with that version, or into an empty database.`,
    )
  return last
}

const Applied = z.object({ version: z.int(), name: z.string(), checksum: z.string() })

/** Whether the schema of pg-boss contains our queues only: other programs may use pg-boss, too. */
async function isOwnQueue(client: ClientBase, things: readonly Thing[]): Promise<boolean> {
  const has = (table: string) =>
    things.some(({ kind, schema, name }) => kind === 'table' && schema === QUEUE_SCHEMA && name === table)
  if (!['version', 'queue', 'job'].every(has)) return false
  // Prefix of pg-boss's own queues.
  const others = await client.query(
    `select from ${QUEUE_SCHEMA}.queue where name <> all ($1) and name !~ '^__pgboss__'`,
    [QUEUES],
  )
  return others.rowCount === 0
}

async function refuseUsed(client: ClientBase, own: readonly Thing[]): Promise<void> {
  const used: string[] = []
  for (const table of OF_USERS) {
    if (!own.some(({ kind, name }) => kind === 'table' && name === table)) continue
    const { rows } = await client.query(`select count(*)::int as count from public.${table}`)
    if (rows[0].count > 0) used.push(`${table}: ${rows[0].count}`)
  }
  if (used.length > 0)
    throw new BackupError(
      `The database has data already (${used.join(', ')}): restore into a new one, or into a new DATA_DIR.`,
    )
}
