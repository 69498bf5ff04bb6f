import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { UploadedFile } from '../../../../contract/uploads/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { jsonMoment } from '../../../platform/json-moment.ts'
import { readUploadedFile } from '../../../platform/uploaded-file-parts.ts'
import { taskName } from '../../../tasks/task-identity.ts'

/** The uploaded files of a source task, newest first. Throws NamedError `source_task_not_found`. */
export async function listUploads(db: Db, task_id: number): Promise<UploadedFile[]> {
  await taskName(db, 'source', task_id)
  const { rows } = await sql<UploadedFile>`
    select f.id, id_of.spreadsheet_id, f.name, f.size, ${jsonMoment(sql`f.uploaded_at`)} as uploaded_at,
      u.email as uploaded_by, s.spreadsheet_id = id_of.spreadsheet_id as is_current
    from uploaded_files f
    join source_tasks s on s.task_id = f.task_id
    cross join lateral (select 'Uploads/' || f.id || '/' || f.name as spreadsheet_id) as id_of
    left join users u on u.id = f.user_id
    where f.task_id = ${task_id}
    order by f.id desc`.execute(db)
  return rows
}

/** One of these files. Throws NamedError `not_found`. */
export async function readUpload(
  db: Db,
  { id, file_id }: { id: number; file_id: number },
): Promise<UploadedFile> {
  const file = (await listUploads(db, id)).find((one) => one.id === file_id)
  if (!file) throw new NamedError('not_found')
  return file
}

/** The content of one of these files. Throws NamedError `not_found`. */
export async function downloadUpload(db: Db, file: { id: number; file_id: number }) {
  const { name } = await readUpload(db, file)
  return { content: Readable.from(readUploadedFile(db, file.file_id)), filename: name }
}
