import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { uploadedFileOf } from '../../../contract/files/providers.ts'
import { fileMessages } from '../../../contract/files/server-messages.ts'
import type { Db } from '../../platform/db.ts'
import { readUploadedFile } from '../../platform/uploaded-file-parts.ts'
import { OriginFailure } from '../connector.ts'
import type { FoundFile } from './folders.ts'

/** Finds an uploaded file by its id, such as Uploads/12/prices.xlsx. Throws OriginFailure. */
export async function findUpload(db: Db, id: string): Promise<FoundFile> {
  const { file_id, name } = uploadedFileOf(id) ?? { file_id: 0, name: '' }
  const file = await db
    .selectFrom('uploaded_files')
    .select(['size', 'uploaded_at'])
    .where('id', '=', file_id)
    .where('name', '=', name)
    .executeTakeFirst()
  if (!file) throw new OriginFailure('not_found', fileMessages.upload_unknown(id))
  return {
    path: '',
    name,
    version: String(file_id),
    size: file.size,
    changed: file.uploaded_at.getTime(),
    writeInto: async (folder) => {
      // Messages about the file name it by its path.
      const path = join(folder, name)
      await pipeline(readUploadedFile(db, file_id), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      return path
    },
  }
}
