import type { Client } from 'pg'

// PostgreSQL's REASSIGN OWNED does not work for the superuser that created the cluster. Dependent objects of a table
// (sequences, indexes, row type) follow it.
const STATEMENTS = `
  with mine as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
  select format('alter schema %I owner to %I', nspname, $2::text) as statement
  from pg_namespace where oid in (select oid from mine) and nspowner = $1::regrole
  union all
  select format('alter %s %s owner to %I',
    case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
    oid::regclass, $2::text)
  from pg_class c
  where relnamespace in (select oid from mine) and relowner = $1::regrole and relkind in ('r', 'p', 'v', 'm', 'S')
    and not (relkind = 'S' and exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('a', 'i')))
  union all
  select format('alter routine %s owner to %I', oid::regprocedure, $2::text)
  from pg_proc where pronamespace in (select oid from mine) and proowner = $1::regrole
  union all
  select format('alter type %s owner to %I', oid::regtype, $2::text)
  from pg_type where typnamespace in (select oid from mine) and typowner = $1::regrole and typtype in ('e', 'd', 'r')`

/**
 * Reassigns all objects of a role in this database, and the database itself. Must be called in a transaction, as a
 * superuser.
 */
export async function reassignOwnership(
  client: Client,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const database = await client.query<{ statement: string }>(
    `select format('alter database %I owner to %I', datname, $2::text) as statement
     from pg_database where datname = current_database() and datdba = $1::regrole and datname <> 'postgres'`,
    [from, to],
  )
  const { rows } = await client.query<{ statement: string }>(STATEMENTS, [from, to])
  for (const { statement } of [...database.rows, ...rows]) await client.query(statement)
}
