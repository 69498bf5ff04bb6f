import type { Insertable, Kysely } from 'kysely'
import type { Database } from '../src/server/platform/schema.ts'

type Db = Kysely<Database>
type Cell = string | number | boolean | null

let serial = 0
const next = () => {
  serial += 1
  return serial
}

/** Somebody who has signed in before. */
export function aUser(db: Db, fields: Partial<Insertable<Database['users']>> = {}) {
  const n = next()
  return db
    .insertInto('users')
    .values({
      issuer: 'https://issuer.test',
      subject: `subject-${n}`,
      email: `person-${n}@example.com`,
      name: `Person ${n}`,
      ...fields,
    })
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow()
}

/** Somebody who has connected a Google account, whose refresh token opens nothing. */
export async function aConnectedUser(db: Db, fields: Partial<Insertable<Database['users']>> = {}) {
  const { id, email } = await aUser(db, fields)
  const sealed = { refresh_token: Buffer.from('unused'), key_id: 'test', scopes: [] }
  await db
    .insertInto('grants')
    .values({ user_id: id, ...sealed })
    .execute()
  return { user_id: id, email }
}

/** A task type; by default of sync tasks. */
export function aType(db: Db, fields: Partial<Insertable<Database['task_types']>> = {}) {
  return db
    .insertInto('task_types')
    .values({ category: 'sync', name: `Type ${next()}`, chunk_size: 2000, ...fields })
    .returning(['id', 'name', 'chunk_size', 'updated_at'])
    .executeTakeFirstOrThrow()
}

/** A spreadsheet id of its own. */
export const aSpreadsheetId = () => `spreadsheet-${String(next()).padStart(8, '0')}`

type TaskFields = Partial<Insertable<Database['tasks']>> & {
  definition?: Partial<Insertable<Database['sync_tasks']>>
}

/** A sync task between two spreadsheets of its own, by default in a type of its own. */
export async function aSyncTask(db: Db, { definition = {}, ...fields }: TaskFields = {}) {
  const task_type_id = fields.task_type_id ?? (await aType(db)).id
  const task = await db
    .insertInto('tasks')
    .values({
      category: 'sync',
      name: `Task ${next()}`,
      sort_order: next(),
      chunk_size: 1000,
      ...fields,
      task_type_id,
    })
    .returning(['id', 'name', 'task_type_id', 'updated_at'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('sync_tasks')
    .values({
      task_id: task.id,
      source_type: 'sheet',
      source_ss_id: aSpreadsheetId(),
      source_sheet_name: 'Source',
      target_ss_id: aSpreadsheetId(),
      target_sheet_name: 'Target',
      ...definition,
    })
    .execute()
  return task
}

/** A task that fetches the rows of a sheet of its own, by default without a type. */
export async function aSourceTask(
  db: Db,
  {
    definition = {},
    ...fields
  }: Partial<Insertable<Database['tasks']>> & {
    definition?: Partial<Insertable<Database['source_tasks']>>
  } = {},
) {
  const task = await db
    .insertInto('tasks')
    .values({ category: 'source', name: `Source ${next()}`, sort_order: next(), ...fields })
    .returning(['id', 'name', 'updated_at'])
    .executeTakeFirstOrThrow()
  const { source_type = 'sheet' } = definition
  const sheet = { spreadsheet_id: aSpreadsheetId(), sheet_name: 'Source' }
  await db
    .insertInto('source_tasks')
    .values({ task_id: task.id, source_type, ...(source_type === 'sheet' && sheet), ...definition })
    .execute()
  return task
}

/** A compiler configuration and the task that it is. */
export async function aConfig(
  db: Db,
  { description = '', ...fields }: Partial<Insertable<Database['tasks']>> & { description?: string } = {},
) {
  const task = await db
    .insertInto('tasks')
    .values({ category: 'compiler', name: `Config ${next()}`, sort_order: next(), ...fields })
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('compiler_configs')
    .values({ task_id: task.id, description })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, name: task.name, task_id: task.id }
}

/** A run of a task, which becomes its last one; by default queued. */
export async function aRun(db: Db, task_id: number, fields: Partial<Insertable<Database['runs']>> = {}) {
  const run = await db
    .insertInto('runs')
    .values({
      task_id,
      category: 'sync',
      task_name: 'Task',
      trigger: 'manual',
      trigger_label: 'ada@example.com',
      definition: '{}',
      // In the hands of a worker, unless a test says otherwise.
      ...(fields.state === 'running' && { job_retry: 0 }),
      ...fields,
    })
    .returning(['id', 'state'])
    .executeTakeFirstOrThrow()
  const ended_well = run.state === 'success' || run.state === 'warning'
  await db
    .updateTable('tasks')
    .set({ last_run_id: run.id, ...(ended_well ? { last_success_run_id: run.id } : {}) })
    .where('id', '=', task_id)
    .execute()
  return run
}

/** Copied data of a task, which becomes its current version. */
export async function aCopy(db: Db, task_id: number, columns: string[], rows: Cell[][]) {
  const snapshot = await db
    .insertInto('snapshots')
    .values({
      task_id,
      kind: 'copy',
      columns: JSON.stringify(columns),
      row_count: rows.length,
      completed_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (rows.length > 0)
    await db
      .insertInto('snapshot_rows')
      .values(
        rows.map((cells, index) => ({
          snapshot_id: snapshot.id,
          row_no: index + 1,
          cells: JSON.stringify(cells),
        })),
      )
      .execute()
  await db.updateTable('tasks').set({ snapshot_id: snapshot.id }).where('id', '=', task_id).execute()
  return snapshot
}

/** The body of a POST that adds a sync task between two spreadsheets of its own. */
export const aSyncTaskBody = (type_id: number, fields: object = {}) => ({
  sync_task_type_id: type_id,
  name: `Products ${next()}`,
  source_ss_id: aSpreadsheetId(),
  source_sheet_name: 'Products',
  target_ss_id: aSpreadsheetId(),
  target_sheet_name: 'Products',
  scheduled_times: ['04:00', '23:00'],
  relevant_user_accounts: [],
  chunk_size: 1000,
  start_row: 1,
  sort_order: 0,
  source_type: 'sheet',
  ...fields,
})
