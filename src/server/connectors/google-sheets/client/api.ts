import { sheets, type sheets_v4 } from '@googleapis/sheets'
import type { z } from 'zod'
import type { CellPlace } from '../../connector.ts'
import { type JsonWriter, jsonBody, listItems } from './json-body.ts'
import {
  BatchReply,
  batchFields,
  type FormatCell,
  FormatsReply,
  FormulasReply,
  formatFields,
  formulaFields,
  type Spreadsheet,
  SpreadsheetReply,
  spreadsheetFields,
  WriteReply,
} from './replies.ts'
import { type Answer, type Attempt, type GoogleSession, readText } from './session.ts'
import { fetchWith } from './transport.ts'

// With drive.ts the one place that talks to Google. Retries of the client are off: the session owns them.

const sheetsClient = sheets('v4')

/**
 * Options of one request to Google's client: its answer comes back as a stream, whatever its status. `body` is JSON
 * that is sent as it is; handed to the client it would be copied cell by cell.
 */
export function options({ settings, caller }: GoogleSession, { token, signal }: Attempt, body?: Uint8Array) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return {
    ...(settings.apiRoot === undefined ? {} : { rootUrl: settings.apiRoot }),
    headers: { authorization: `Bearer ${token}`, ...type },
    signal,
    retry: false,
    responseType: 'stream' as const,
    validateStatus: () => true,
    userAgentDirectives: [{ product: 'rowferry', version: '1', comment: caller.label }],
    fetchImplementation: fetchWith(body),
  }
}

/** What Google's client answers, as a session takes it. */
export function answerOf(response: { status: number; data: AsyncIterable<Uint8Array> }): Answer {
  return { status: response.status, body: response.data }
}

/** Reads a whole answer by its schema. */
export const parsed = <T>(schema: z.ZodType<T>) => {
  return async (body: AsyncIterable<Uint8Array>): Promise<T> => schema.parse(JSON.parse(await readText(body)))
}

/** Name, tabs, grid sizes and filters of a spreadsheet. `signal`: in place of the caller's. */
export function getSpreadsheet(
  session: GoogleSession,
  spreadsheetId: string,
  signal?: AbortSignal,
): Promise<Spreadsheet> {
  return session.request({
    kind: 'read',
    spreadsheet_id: spreadsheetId,
    unanswered: 'repeat',
    ...(signal && { signal }),
    send: async (attempt) =>
      answerOf(
        await sheetsClient.spreadsheets.get(
          { spreadsheetId, fields: spreadsheetFields },
          options(session, attempt),
        ),
      ),
    receive: async (body) => {
      const spreadsheet = await parsed(SpreadsheetReply)(body)
      session.titles.set(spreadsheetId, spreadsheet.title)
      return spreadsheet
    },
  })
}

/** Number formats of the cells of rows that are given as one range each; cells without any may be missing at the ends. */
export function getFormats(
  session: GoogleSession,
  spreadsheetId: string,
  ranges: string[],
): Promise<FormatCell[][]> {
  return session.request({
    kind: 'read',
    spreadsheet_id: spreadsheetId,
    unanswered: 'repeat',
    send: async (attempt) =>
      answerOf(
        await sheetsClient.spreadsheets.get(
          { spreadsheetId, ranges, fields: formatFields },
          options(session, attempt),
        ),
      ),
    receive: parsed(FormatsReply),
  })
}

/** Which cells of some ranges of one tab are formulas; rows and columns count from 0. */
export function getFormulas(
  session: GoogleSession,
  spreadsheetId: string,
  ranges: string[],
): Promise<CellPlace[]> {
  return session.request({
    kind: 'read',
    spreadsheet_id: spreadsheetId,
    unanswered: 'repeat',
    send: async (attempt) =>
      answerOf(
        await sheetsClient.spreadsheets.get(
          { spreadsheetId, ranges, fields: formulaFields },
          options(session, attempt),
        ),
      ),
    receive: parsed(FormulasReply),
  })
}

/** Cells of ranges, and what else `fields`, its mask, names; `unanswered`: what becomes of a request that gets no answer. */
type GridRequest = {
  spreadsheet_id: string
  ranges: string[]
  fields: string
  unanswered: 'throw' | 'repeat'
}

/**
 * What a grid request names as the JSON of Google's answer, while it arrives. Throws OriginFailure of the kind `unavailable` when
 * there is no answer.
 */
export function getGrid<T>(
  session: GoogleSession,
  { spreadsheet_id, ranges, fields, unanswered }: GridRequest,
  receive: (body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  return session.request({
    kind: 'read',
    spreadsheet_id,
    unanswered,
    send: async (attempt) =>
      answerOf(
        await sheetsClient.spreadsheets.get(
          { spreadsheetId: spreadsheet_id, ranges, fields, prettyPrint: false },
          options(session, attempt),
        ),
      ),
    receive,
  })
}

/** How formulas come: as what they come to, or as they were entered. */
export type Rendering = 'UNFORMATTED_VALUE' | 'FORMULA'

/**
 * The typed values of a range as the JSON text of Google's answer, while it arrives. Throws OriginFailure of the kind
 * `unavailable` at once when there is no answer: a smaller range may get one.
 */
export function getValues(
  session: GoogleSession,
  spreadsheetId: string,
  range: string,
  valueRenderOption: Rendering,
): Promise<AsyncIterable<Uint8Array>> {
  return session.request({
    kind: 'read',
    spreadsheet_id: spreadsheetId,
    unanswered: 'throw',
    send: async (attempt) =>
      answerOf(
        await sheetsClient.spreadsheets.values.get(
          {
            spreadsheetId,
            range,
            majorDimension: 'ROWS',
            valueRenderOption,
            dateTimeRenderOption: 'SERIAL_NUMBER',
            prettyPrint: false,
          },
          options(session, attempt),
        ),
      ),
    receive: async (body) => body,
  })
}

/** Rows of a range of values, each as JSON. */
export type RangeOfRows = { range: string; rows: Uint8Array[] }

/** Writes values as they are (RAW). Repeated until answered: it may happen twice. */
export async function putValues(
  session: GoogleSession,
  spreadsheetId: string,
  ranges: RangeOfRows[],
): Promise<void> {
  const body = jsonBody([
    '{"valueInputOption":"RAW","data":[',
    ...ranges.flatMap(({ range, rows }, index) => [
      `${index === 0 ? '' : ','}{"range":${JSON.stringify(range)},"values":[`,
      listItems(rows),
      ']}',
    ]),
    ']}',
  ])
  await session.request({
    kind: 'write',
    spreadsheet_id: spreadsheetId,
    unanswered: 'repeat',
    send: async (attempt) => {
      return answerOf(
        await sheetsClient.spreadsheets.values.batchUpdate(
          { spreadsheetId },
          options(session, attempt, body),
        ),
      )
    },
    receive: parsed(WriteReply),
  })
}

/** A request of a batch; or the JSON of some that follow each other, which are too many to be objects. */
export type BatchRequest = sheets_v4.Schema$Request | JsonWriter

const jsonOf = (request: BatchRequest) =>
  'mostBytes' in request ? request : Buffer.from(JSON.stringify(request))

/**
 * Applies all requests or none, and answers what the spreadsheet is after them. Throws AmbiguousOutcome when no answer
 * tells. `signal`: in place of the caller's, for what must not be cut off half-way.
 */
export async function batchUpdate(
  session: GoogleSession,
  spreadsheetId: string,
  requests: BatchRequest[],
  signal?: AbortSignal,
): Promise<Spreadsheet> {
  const answer = { fields: batchFields, receive: parsed(BatchReply) }
  return postBatch(session, spreadsheetId, requests, { includeSpreadsheetInResponse: true }, answer, signal)
}

/** The same, with an answer that has the cells of one range of one tab and no other tabs; `fields` is its mask. */
export async function batchUpdateAndRead<T>(
  session: GoogleSession,
  spreadsheetId: string,
  requests: BatchRequest[],
  { range, signal, ...answer }: BatchAnswer<T> & { range: string; signal: AbortSignal },
): Promise<T> {
  const wanted = { includeSpreadsheetInResponse: true, responseRanges: [range] }
  return postBatch(session, spreadsheetId, requests, wanted, answer, signal)
}

type BatchAnswer<T> = { fields: string; receive: (body: AsyncIterable<Uint8Array>) => Promise<T> }

async function postBatch<T>(
  session: GoogleSession,
  spreadsheetId: string,
  requests: BatchRequest[],
  wanted: Omit<sheets_v4.Schema$BatchUpdateSpreadsheetRequest, 'requests'>,
  { fields, receive }: BatchAnswer<T>,
  signal?: AbortSignal,
): Promise<T> {
  const body = jsonBody([
    '{"requests":[',
    listItems(requests.map(jsonOf)),
    `],${JSON.stringify(wanted).slice(1)}`,
  ])
  return session.request({
    kind: 'write',
    spreadsheet_id: spreadsheetId,
    unanswered: 'ambiguous',
    ...(signal && { signal }),
    send: async (attempt) =>
      answerOf(
        await sheetsClient.spreadsheets.batchUpdate(
          { spreadsheetId, fields, prettyPrint: false },
          options(session, attempt, body),
        ),
      ),
    receive,
  })
}
