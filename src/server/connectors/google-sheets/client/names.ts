import { OriginFailure } from '../../connector.ts'
import { getFileName, listFileNames } from './drive.ts'
import type { GoogleSession } from './session.ts'

// Up to this number, files are requested individually, which also finds files that are shared by link.
const FEW = 20
// Pages of 1,000 spreadsheets. Listing all of a large Drive is not worth the names.
const MAX_PAGES = 20

/** Names by spreadsheet id. */
export type FoundNames = ReadonlyMap<string, string>

/**
 * Looks up names of spreadsheets in several parts; spreadsheets that the account cannot open are left out. Uses no
 * Sheets quota. `open` creates a session for each request, because a session stops after one refusal. Throws
 * OriginFailure.
 */
export async function* findNames(
  open: () => GoogleSession,
  ids: readonly string[],
): AsyncGenerator<FoundNames> {
  const missing = new Set(ids)
  let pageToken: string | undefined
  for (let page = 0; missing.size > FEW && page < MAX_PAGES; page += 1) {
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
