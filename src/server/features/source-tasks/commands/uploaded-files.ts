import { createReadStream } from 'node:fs'
import { sql } from 'kysely'
import { isDelimited, isReadableFile, uploadedFileOf } from '../../../../contract/files/providers.ts'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import type { SpreadsheetTabs } from '../../../../contract/spreadsheets/calls.ts'
import { uploadMessages } from '../../../../contract/uploads/client-messages.ts'
import { uploadServerMessages } from '../../../../contract/uploads/server-messages.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { ReceivedFile } from '../../../platform/http/upload.ts'
import { notify } from '../../../platform/notify.ts'
import { writeUploadedFile } from '../../../platform/uploaded-file-parts.ts'
import { lockTask } from '../../../tasks/edit/lock-task.ts'
import { readOrigin } from './definition.ts'
import { setOrigin } from './origin.ts'

/** Reads the tables of a file on disk. Throws NamedError if it cannot be read. */
export type InspectFile = (
  file: { path: string; name: string; size: number },
  signal: AbortSignal,
) => Promise<Pick<SpreadsheetTabs, 'tabs' | 'format'>>

type Deps = { db: Db; inspectFile: InspectFile }
type Received = { actor: Actor; upload: ReceivedFile; signal: AbortSignal }
type Inspected = { name: string; size: number } & Awaited<ReturnType<InspectFile>>

/** Stores a file that no task reads yet. Throws NamedError if it cannot be read. */
export async function keepUpload(deps: Deps, { actor, upload, signal }: Received) {
  const inspected = await inspect(deps, upload, signal)
  const id = await deps.db.transaction().execute(async (trx) => {
    const file_id = await store(trx, actor, upload, inspected, null)
    await prune(trx, { user_id: actor.id })
    return idOf(file_id, inspected.name)
  })
  return { id, ...inspected }
}

/**
 * Stores a file and makes it the one that a source task reads; a live run continues with the former one. Returns its number, and
 * reasons why a run would fail. Throws NamedError `source_task_not_found`, and `invalid` for a task that reads no sheet or a file that
 * cannot be read.
 */
export async function addUpload(deps: Deps, task_id: number, { actor, upload, signal }: Received) {
  await readSheet(deps.db, task_id)
  const inspected = await inspect(deps, upload, signal)
  return deps.db.transaction().execute(async (trx) => {
    const { name: task } = await lockTask(trx, 'source', task_id)
    const file_id = await store(trx, actor, upload, inspected, task_id)
    const { name, size } = inspected
    const { sheet_name } = await setFile(trx, actor, task_id, { id: file_id, name })
    await prune(trx, { task_id })
    await audit(trx, actor, {
      action: 'upload',
      object_type: 'source_task',
      object_id: task_id,
      details: { name: task, file: name, size, spreadsheet_id: idOf(file_id, name) },
    })
    return { file_id, warnings: missingTab(inspected, sheet_name) }
  })
}

/** Makes a source task read one of its uploaded files. Throws NamedError `not_found`, and as `addUpload` does. */
export async function useUpload(db: Db, actor: Actor, { id, file_id }: { id: number; file_id: number }) {
  await db.transaction().execute(async (trx) => {
    const { name: task } = await lockTask(trx, 'source', id)
    const file = await trx
      .selectFrom('uploaded_files')
      .select(['id', 'name'])
      .where('id', '=', file_id)
      .where('task_id', '=', id)
      .executeTakeFirst()
    if (!file) throw new NamedError('not_found')
    await setFile(trx, actor, id, file)
    await audit(trx, actor, {
      action: 'use_file',
      object_type: 'source_task',
      object_id: id,
      details: { name: task, file: file.name, spreadsheet_id: idOf(file_id, file.name) },
    })
  })
  return { file_id, warnings: [] }
}

/**
 * Gives tasks the uploaded files that they were just saved with. A file of another task is copied, so that each task has its own: a
 * duplicate keeps its file when the original is deleted. Files that are gone stay as they are named.
 */
export async function ownUploads(trx: Trx, task_ids: readonly number[]): Promise<void> {
  const tasks = await trx
    .selectFrom('source_tasks')
    .select(['task_id', 'spreadsheet_id'])
    .where(sql<boolean>`task_id = any (${[...task_ids]}::int[])`)
    .where('spreadsheet_id', 'like', 'Uploads/%')
    .orderBy('task_id')
    .execute()
  for (const { task_id, spreadsheet_id } of tasks) {
    const named = uploadedFileOf(spreadsheet_id)
    if (!named) continue
    const file = await trx
      .selectFrom('uploaded_files')
      .select(['id', 'name', 'task_id'])
      .where('id', '=', named.file_id)
      .where('name', '=', named.name)
      .forUpdate()
      .executeTakeFirst()
    if (!file || file.task_id === task_id) continue
    if (file.task_id === null)
      await trx.updateTable('uploaded_files').set({ task_id }).where('id', '=', file.id).execute()
    else {
      const copy = await copyFile(trx, file.id, task_id)
      await trx
        .updateTable('source_tasks')
        .set({ spreadsheet_id: idOf(copy, file.name) })
        .where('task_id', '=', task_id)
        .execute()
    }
    await prune(trx, { task_id })
  }
}

const idOf = (file_id: number, name: string) => `Uploads/${file_id}/${name}`

async function readSheet(db: Db, task_id: number): Promise<void> {
  const task = await db
    .selectFrom('source_tasks')
    .select('source_type')
    .where('task_id', '=', task_id)
    .executeTakeFirst()
  if (!task) throw new NamedError('source_task_not_found')
  if (task.source_type !== 'sheet')
    throw new NamedError('invalid', { message: uploadServerMessages.other_source, field: 'file' })
}

async function inspect({ inspectFile }: Deps, upload: ReceivedFile, signal: AbortSignal): Promise<Inspected> {
  const name = upload.filename.normalize('NFC')
  const refuse = (message: string) => new NamedError('invalid', { message, field: 'file' })
  if (!isReadableFile(name)) throw refuse(uploadMessages.not_readable(name))
  if (/[\\/:*?"<>|\p{Cc}\p{Cf}]|^[. ]/u.test(name)) throw refuse(uploadServerMessages.name_invalid(name))
  if (name.length > limits.uploaded_name_characters)
    throw refuse(uploadServerMessages.name_long(limits.uploaded_name_characters))
  const { path, bytes: size } = upload
  if (size === 0) throw refuse(fileMessages.empty_file(name))
  return { name, size, ...(await inspectFile({ path, name, size }, signal)) }
}

async function store(
  trx: Trx,
  { id: user_id }: Actor,
  { path }: ReceivedFile,
  { name, size }: Inspected,
  task_id: number | null,
): Promise<number> {
  const { id } = await trx
    .insertInto('uploaded_files')
    .values({ task_id, name, size, user_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeUploadedFile(trx, id, createReadStream(path))
  return id
}

async function copyFile(trx: Trx, file_id: number, task_id: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into uploaded_files (task_id, name, size, user_id, uploaded_at)
    select ${task_id}, name, size, user_id, uploaded_at from uploaded_files where id = ${file_id}
    returning id`.execute(trx)
  const id = rows[0]?.id ?? 0
  await sql`insert into uploaded_file_parts (file_id, part_no, content)
    select ${id}, part_no, content from uploaded_file_parts where file_id = ${file_id}`.execute(trx)
  return id
}

async function setFile(trx: Trx, actor: Actor, task_id: number, { id, name }: { id: number; name: string }) {
  await readSheet(trx, task_id)
  const spreadsheet_id = idOf(id, name)
  const former = await readOrigin(trx, task_id)
  // A CSV file has one table, whose name no task needs.
  const origin = { ...former, spreadsheet_id, ...(isDelimited(name) && { sheet_name: '' }) }
  await setOrigin(trx, actor, task_id, origin, new Map([[spreadsheet_id, name]]))
  await notify(trx, { kind: 'tasks', task_ids: [task_id] })
  return origin
}

function missingTab({ name, tabs }: Inspected, sheet_name: string): string[] {
  const titles = tabs.map(({ title }) => title)
  const isThere = titles.some((title) => title.toLowerCase() === sheet_name.toLowerCase())
  return sheet_name === '' || isThere ? [] : [uploadServerMessages.no_such_tab(name, sheet_name, titles)]
}

/**
 * Deletes all but the newest files of a task, except those that the task or a live run reads; or of a user those that no task reads:
 * all but the newest, and all of former days.
 */
async function prune(trx: Trx, of: { task_id: number } | { user_id: number }): Promise<void> {
  const own =
    'task_id' in of ? sql`task_id = ${of.task_id}` : sql`task_id is null and user_id = ${of.user_id}`
  await sql`
    delete from uploaded_files f where ${own} and f.id not in (
        select id from uploaded_files where ${own} order by id desc limit ${limits.uploaded_files_kept})
      and not exists (select from source_tasks s
        where s.task_id = f.task_id and split_part(s.spreadsheet_id, '/', 2) = f.id::text and s.spreadsheet_id like 'Uploads/%')
      and not exists (select from runs r
        where r.task_id = f.task_id and r.state in ('queued', 'running', 'stopping')
          and r.definition -> 'origin' ->> 'spreadsheet_id' like 'Uploads/' || f.id || '/%')`.execute(trx)
  await sql`delete from uploaded_files where task_id is null and uploaded_at < now() - interval '1 day'`.execute(
    trx,
  )
}
