import { fileMessages } from '../../../contract/files/server-messages.ts'
import type { Db } from '../../platform/db.ts'
import { OriginFailure } from '../connector.ts'

/** The folders that are limited to people among whom the user is not; null: no user. */
export async function foldersClosedTo(db: Db, user_id: number | null): Promise<ReadonlySet<string>> {
  const limited = await db.selectFrom('limited_folders').selectAll().execute()
  const closed = limited.filter(({ user_ids }) => user_id === null || !user_ids.includes(user_id))
  return new Set(closed.map(({ folder }) => folder))
}

/** Throws OriginFailure if the folder of a path is limited to other people; null: no user. */
export type RefuseFolder = (path: string, user_id: number | null) => Promise<void>

/** Throws OriginFailure if the folder of a path is limited to other people. */
export async function refuseFolder(db: Db, path: string, user_id: number | null): Promise<void> {
  const [folder = ''] = path.split('/')
  const closed = await foldersClosedTo(db, user_id)
  if (closed.has(folder)) throw new OriginFailure('forbidden', fileMessages.folder_limited(folder))
}
