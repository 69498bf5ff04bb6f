import { OriginFailure } from '../connector.ts'
import { getFileName, listFileNames } from './client/drive.ts'
import type { GoogleSession } from './client/session.ts'

// So many are asked for one by one, which also finds what is merely open to anyone with its link.
const FEW = 20
// Of 1,000 spreadsheets each: somebody's whole Drive would take longer than a name is worth.
const MOST_PAGES = 20

/** A piece of what spreadsheets are called, by id. */
export type FoundNames = ReadonlyMap<string, string>

/**
 * What spreadsheets are called, piece by piece as they are found; those that the account cannot open are left out. Takes
 * nothing from the quota of Sheets. `open` starts a session, since one that was refused a file asks no more. Throws OriginFailure.
 */
export async function* findNames(
  open: () => GoogleSession,
  ids: readonly string[],
): AsyncGenerator<FoundNames> {
  const missing = new Set(ids)
  let pageToken: string | undefined
  for (let page = 0; missing.size > FEW && page < MOST_PAGES; page += 1) {
    const { files, nextPageToken } = await listFileNames(open(), pageToken)
    yield new Map(files.flatMap(({ id, name }) => (missing.delete(id) ? [[id, name]] : [])))
    if (nextPageToken === undefined) break
    pageToken = nextPageToken
  }
  if (missing.size > FEW) return
  for (const id of missing) {
    const name = await nameOrNull(open(), id)
    if (name !== null) yield new Map([[id, name]])
  }
}

async function nameOrNull(session: GoogleSession, id: string): Promise<string | null> {
  try {
    return await getFileName(session, id)
  } catch (error) {
    if (error instanceof OriginFailure && !['unavailable', 'reconnect'].includes(error.kind)) return null
    throw error
  }
}
