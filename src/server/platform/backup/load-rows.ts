import { pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { isInvalidData } from '../postgres/errors.ts'
import { BackupError, printable } from './backup-error.ts'
import type { BackupFile, Sequence, Table } from './backup-file.ts'
import { LEFT_OUT, quoted, statementOf, tablesOf } from './write-backup.ts'

/** `rows`: rows loaded per table. `left_out`: rows of the file that were not loaded, per table. */
export type Loaded = { rows: Record<string, number>; left_out: Record<string, number> }

/**
 * Fills the tables of a freshly migrated database within the caller's transaction. Skips sessions, tokens unless they
 * are kept, and tables that are not Rowferry's. Throws BackupError for a damaged file, so that the caller rolls back.
 */
export async function loadRows(
  client: ClientBase,
  file: BackupFile,
  { key, keepTokens, onTable }: { key: Buffer; keepTokens: boolean; onTable: (table: string) => void },
): Promise<Loaded> {
  const tables = new Map((await tablesOf(client)).map(({ table, columns }) => [table, columns]))
  const skipped = new Set(keepTokens ? LEFT_OUT : [...LEFT_OUT, 'api_tokens'])
  const seen = new Set<string>()
  const rules = await suspendRules(client, [...tables.keys()])
  const { rows: counts } = await file.read(key, {
    table: async ({ table, columns }, rows) => {
      if (seen.has(table)) throw new BackupError(`${file.name} holds the table ${printable(table)} twice.`)
      seen.add(table)
      const known = tables.get(table)
      if (known === undefined || skipped.has(table)) {
        for await (const _ of rows);
        return
      }
      const unknown = columns.find((column) => !known.includes(column))
      if (unknown !== undefined)
        throw new BackupError(
          `${file.name} holds a column ${printable(unknown)} of ${table}, which has none in schema ${file.header.schema_version}.`,
        )
      onTable(table)
      await copyInto(client, file, { table, columns }, rows)
    },
    sequences: (sequences) => setSequences(client, sequences),
  })
  for (const statement of rules) await client.query(statement)
  const isLoaded = (table: string) => tables.has(table) && !skipped.has(table)
  const entries = Object.entries(counts)
  const loaded = Object.fromEntries(entries.filter(([table]) => isLoaded(table)))
  await compareCounts(client, file, loaded)
  return { rows: loaded, left_out: Object.fromEntries(entries.filter(([table]) => !isLoaded(table))) }
}

async function copyInto(
  client: ClientBase,
  file: BackupFile,
  table: Table,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  try {
    await pipeline(rows, client.query(copyFrom(`copy ${statementOf(table)} from stdin`)))
  } catch (error) {
    if (!isInvalidData(error)) throw error
    throw new BackupError(
      `The rows of ${table.table} in ${file.name} do not fit their table: ${error.message}.`,
      {
        cause: error,
      },
    )
  }
}

async function setSequences(client: ClientBase, sequences: readonly Sequence[]): Promise<void> {
  const { rows } = await client.query(
    "select sequencename::text as name from pg_sequences where schemaname = 'public'",
  )
  const known = new Set(rows.map(({ name }) => name))
  for (const { name, value } of sequences)
    if (known.has(name)) await client.query('select setval($1, $2)', [`public.${quoted(name)}`, value])
}

/** Empties the tables and suspends foreign keys and triggers; returns the statements that restore them. */
async function suspendRules(client: ClientBase, tables: readonly string[]): Promise<string[]> {
  const references = await client.query<{ name: string; holder: string; definition: string }>(`
    select conname as name, conrelid::regclass::text as holder, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  for (const { name, holder } of references.rows)
    await client.query(`alter table ${holder} drop constraint ${quoted(name)}`)
  for (const table of tables) await client.query(`alter table ${quoted(table)} disable trigger user`)
  // Rows inserted by migrations are in the backup, too.
  await client.query(`truncate ${tables.map(quoted).join(', ')}`)
  return [
    ...references.rows.map(
      ({ name, holder, definition }) => `alter table ${holder} add constraint ${quoted(name)} ${definition}`,
    ),
    ...tables.map((table) => `alter table ${quoted(table)} enable trigger user`),
  ]
}

async function compareCounts(client: ClientBase, file: BackupFile, counts: Loaded['rows']): Promise<void> {
  for (const [table, count] of Object.entries(counts)) {
    const found = await client.query(`select count(*)::int as count from ${quoted(table)}`)
    if (found.rows[0].count !== count)
      throw new BackupError(`${file.name} holds ${found.rows[0].count} rows of ${table} instead of ${count}.`)
  }
}
