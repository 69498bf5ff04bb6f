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

// This file and drive.ts are the only ones that send requests to Google. The client's own retries are off;
// GoogleSession retries.

const sheetsClient = sheets('v4')

/**
 * Options for one request of Google's client. The response comes as a stream for any status. `body` is JSON that is
 * sent unchanged, because the client would copy it cell by cell.
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

/** Converts a response of Google's client for GoogleSession. */
export function answerOf(response: { status: number; data: AsyncIterable<Uint8Array> }): Answer {
  return { status: response.status, body: response.data }
}

/** Parses a complete response with a schema. */
export const parsed = <T>(schema: z.ZodType<T>) => {
  return async (body: AsyncIterable<Uint8Array>): Promise<T> => schema.parse(JSON.parse(await readText(body)))
}

/** Reads name, tabs, grid sizes and filters of a spreadsheet. `signal` replaces the caller's. */
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

/** Reads the number formats of rows, each given as one range. Cells without a format may be missing at the ends. */
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

/** Finds the formulas in some ranges of one tab. Rows and columns count from 0. */
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

/** Reads ranges with the fields of the mask `fields`. `unanswered`: see Request in session.ts. */
type GridRequest = {
  spreadsheet_id: string
  ranges: string[]
  fields: string
  unanswered: 'throw' | 'repeat'
}

/**
 * Sends a grid request and passes the body to `receive` while it arrives. Throws OriginFailure `unavailable` if there
 * is no response.
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

/** Whether formulas are read as their results or as they were entered. */
export type Rendering = 'UNFORMATTED_VALUE' | 'FORMULA'

/**
 * Reads the typed values of a range; the result is the JSON body while it arrives. Throws OriginFailure `unavailable`
 * without retrying if there is no response, because a smaller range may succeed.
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

/** Rows of one range, each as JSON. */
export type RangeOfRows = { range: string; rows: Uint8Array[] }

/** Writes values unchanged (RAW). Retried until there is a response, so it may be applied twice. */
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

/** One request of a batch, or the serialised form of several consecutive requests that are too many for objects. */
export type BatchRequest = sheets_v4.Schema$Request | JsonWriter

const jsonOf = (request: BatchRequest) =>
  'mostBytes' in request ? request : Buffer.from(JSON.stringify(request))

/**
 * Applies all requests or none and returns the spreadsheet as it is afterwards. Throws AmbiguousOutcome if the
 * outcome is unknown. `signal` replaces the caller's, for requests that must not be cut off.
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

/** The same, but the response contains the cells of some ranges and no other tabs. `fields` is its mask. */
export async function batchUpdateAndRead<T>(
  session: GoogleSession,
  spreadsheetId: string,
  requests: BatchRequest[],
  { ranges, signal, ...answer }: BatchAnswer<T> & { ranges: string[]; signal: AbortSignal },
): Promise<T> {
  const wanted = { includeSpreadsheetInResponse: true, responseRanges: ranges }
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
