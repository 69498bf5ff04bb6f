import { sql } from 'kysely'
import type { Folder } from '../../../contract/folders/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { FilesFolder } from '../../platform/files-folders.ts'

/** The configured folders in their order, with the people to whom each is limited. */
export async function readFolders(db: Db, configured: readonly FilesFolder[]): Promise<Folder[]> {
  const { rows } = await sql<{ folder: string; people: Folder['people'] }>`
    select l.folder, coalesce((
      select jsonb_agg(jsonb_build_object('id', u.id, 'email', u.email) order by u.email)
      from users u where u.id = any (l.user_ids)), '[]') as people
    from limited_folders l`.execute(db)
  const limited = new Map(rows.map(({ folder, people }) => [folder, people]))
  return configured.map(({ name, writable }) => ({
    name,
    is_writable: writable,
    people: limited.get(name) ?? null,
  }))
}
