import { drive } from '@googleapis/drive'
import type { z } from 'zod'
import { answerOf, options, parsed } from './api.ts'
import { FileReply, FilesReply } from './replies.ts'
import type { GoogleSession } from './session.ts'

const driveClient = drive('v3')

/** Reads the name of a file. */
export async function getFileName(session: GoogleSession, fileId: string): Promise<string> {
  const { name } = await session.request({
    kind: null,
    spreadsheet_id: fileId,
    unanswered: 'repeat',
    send: async (attempt) =>
      answerOf(
        await driveClient.files.get(
          { fileId, fields: 'name', supportsAllDrives: true },
          options(session, attempt),
        ),
      ),
    receive: parsed(FileReply),
  })
  return name
}

/** Lists ids and names of 1,000 spreadsheets of the account, last changed first, and the token of the next page. */
export function listFileNames(
  session: GoogleSession,
  pageToken?: string,
): Promise<z.infer<typeof FilesReply>> {
  return session.request({
    kind: null,
    unanswered: 'repeat',
    send: async (attempt) =>
      answerOf(
        await driveClient.files.list(
          {
            q: "mimeType = 'application/vnd.google-apps.spreadsheet'",
            orderBy: 'modifiedTime desc',
            pageSize: 1000,
            ...(pageToken !== undefined && { pageToken }),
            fields: 'nextPageToken,files(id,name)',
            supportsAllDrives: true,
            includeItemsFromAllDrives: true,
          },
          options(session, attempt),
        ),
      ),
    receive: parsed(FilesReply),
  })
}

/** Lists up to 100 spreadsheets that the account can open, last changed first. `search` filters by name. */
export async function listFiles(
  session: GoogleSession,
  search: string,
): Promise<z.infer<typeof FilesReply>['files']> {
  const quoted = search.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  const terms = ["mimeType = 'application/vnd.google-apps.spreadsheet'", 'trashed = false']
  if (search) terms.push(`name contains '${quoted}'`)
  const { files } = await session.request({
    kind: null,
    unanswered: 'repeat',
    send: async (attempt) =>
      answerOf(
        await driveClient.files.list(
          {
            q: terms.join(' and '),
            orderBy: 'modifiedTime desc',
            pageSize: 100,
            fields: 'nextPageToken,files(id,name,modifiedTime,owners(emailAddress))',
            supportsAllDrives: true,
            includeItemsFromAllDrives: true,
          },
          options(session, attempt),
        ),
      ),
    receive: parsed(FilesReply),
  })
  return files
}
