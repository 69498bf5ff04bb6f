import type { FastifyRequest } from 'fastify'
import { callerOf } from '../api-call.ts'
import { forbidden, type GoogleError, notFound, notInSandbox } from '../google-error.ts'
import type { Answer, Call } from './answer.ts'
import type { Books } from './books.ts'
import type { SheetsCall, SheetsMethod } from './call.ts'
import { createSpreadsheet } from './create-spreadsheet.ts'
import { type ReplyName, replyMask } from './fields/known-fields.ts'
import { select } from './fields/mask.ts'
import { parseQuery } from './query.ts'
import { batchUpdateSpreadsheet, copySheetTo, getByDataFilter, getSpreadsheet } from './spreadsheet-calls.ts'
import {
  appendValues,
  batchClearValues,
  batchGetValues,
  batchUpdateValues,
  clearValues,
  getValues,
  updateValues,
} from './values-calls.ts'

interface Handler {
  readonly kind: 'read' | 'write'
  readonly fields: ReplyName
  readonly handle: (call: Call) => Answer
}

const HANDLERS: Readonly<Record<Exclude<SheetsMethod, 'spreadsheets.create'>, Handler>> = {
  'spreadsheets.get': { kind: 'read', fields: 'spreadsheet', handle: getSpreadsheet },
  'spreadsheets.getByDataFilter': { kind: 'read', fields: 'spreadsheet', handle: getByDataFilter },
  'spreadsheets.batchUpdate': { kind: 'write', fields: 'batchUpdate', handle: batchUpdateSpreadsheet },
  'spreadsheets.sheets.copyTo': { kind: 'write', fields: 'sheetProperties', handle: copySheetTo },
  'spreadsheets.values.get': { kind: 'read', fields: 'valueRange', handle: getValues },
  'spreadsheets.values.batchGet': { kind: 'read', fields: 'valueRanges', handle: batchGetValues },
  'spreadsheets.values.update': { kind: 'write', fields: 'update', handle: updateValues },
  'spreadsheets.values.batchUpdate': { kind: 'write', fields: 'updates', handle: batchUpdateValues },
  'spreadsheets.values.append': { kind: 'write', fields: 'append', handle: appendValues },
  'spreadsheets.values.clear': { kind: 'write', fields: 'clear', handle: clearValues },
  'spreadsheets.values.batchClear': { kind: 'write', fields: 'batchClear', handle: batchClearValues },
}

/** Executes a Sheets call and records it in the ledger. Throws GoogleError. */
export function handleCall(books: Books, call: SheetsCall, request: FastifyRequest): unknown {
  const { email } = callerOf(request)
  const query = parseQuery(request.query, call.method)
  if (call.method === 'spreadsheets.create') {
    const mask = replyMask(query.fields, 'spreadsheet')
    const reply = createSpreadsheet(books, email, request.body)
    if (request.record) {
      request.record.spreadsheet_id = reply.spreadsheetId
      request.record.applied = true
    }
    return mask ? select(reply, mask) : reply
  }
  const handler = HANDLERS[call.method]
  const mask = replyMask(query.fields, handler.fields)
  const book = books.get(call.spreadsheetId ?? '')
  if (!book) throw notFound()
  if (!book.canRead(email) || (handler.kind === 'write' && !book.canWrite(email))) throw forbidden()
  const { reply, ranges, cells } = handler.handle({
    books,
    book,
    caller: email,
    query,
    mask,
    range: call.range ?? '',
    body: request.body,
  })
  if (request.record) {
    request.record.ranges = [...ranges]
    request.record.cells = cells
    request.record.applied = handler.kind === 'write'
  }
  return mask ? select(reply, mask) : reply
}

/** Error for an unknown or unsupported Sheets path. */
export function unknownCall(request: FastifyRequest): GoogleError {
  const path = (request.raw.url ?? '').split('?', 1)[0]
  return notInSandbox(`${request.method} ${path}`)
}
