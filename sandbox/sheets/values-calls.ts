import { z } from 'zod'
import type { Answer, Call } from './answer.ts'
import type { Update } from './changes/values.ts'
import type { Book } from './model/book.ts'
import { parseResponseOptions, renderingOf, responseRenderingOf } from './query.ts'
import { resolveRange } from './ranges/resolve.ts'
import { parseMessage, protoJson } from './requests/parse-json.ts'
import { Reader, type Rendering, type ValueRange } from './values/read.ts'

const BatchClear = z.strictObject({ ranges: z.array(z.string()).default([]) })

export function getValues(call: Call): Answer {
  const reader = new Reader(call.book)
  if (call.query.majorDimension === 'ROWS') {
    const { sheet, block } = resolveRange(call.book, call.range)
    const { reply, cells } = reader.rangeJson(call.book.id, sheet, block, renderingOf(call.query))
    return { reply, ranges: [reply.range], cells }
  }
  const value = readRange(reader, call, call.range)
  return { reply: value, ranges: [value.range], cells: cellsOf(value) }
}

export function batchGetValues(call: Call): Answer {
  const reader = new Reader(call.book)
  const values = call.query.ranges.map((range) => readRange(reader, call, range))
  return {
    reply: { spreadsheetId: call.book.id, ...(values.length > 0 && { valueRanges: values }) },
    ranges: values.map(({ range }) => range),
    cells: values.reduce((sum, value) => sum + cellsOf(value), 0),
  }
}

export function updateValues({ books, book, caller, range, query, body }: Call): Answer {
  const args = { range, input: query.valueInputOption, body }
  const update = books.change(book.id, 'values.update', args, caller)
  const rendering = query.includeValuesInResponse ? responseRenderingOf(query) : null
  return {
    reply: updateReply(book, update, rendering),
    ranges: [update.reply.updatedRange],
    cells: update.cells,
  }
}

export function batchUpdateValues({ books, book, caller, body }: Call): Answer {
  const { updates, totals } = books.change(book.id, 'values.batchUpdate', body ?? {}, caller)
  const { includeValuesInResponse, rendering } = parseResponseOptions(body)
  const responses = updates.map((update) =>
    updateReply(book, update, includeValuesInResponse ? rendering : null),
  )
  return {
    reply: { spreadsheetId: book.id, ...totals, ...(responses.length > 0 && { responses }) },
    ranges: updates.map(({ reply }) => reply.updatedRange),
    cells: updates.reduce((sum, { cells }) => sum + cells, 0),
  }
}

export function appendValues({ books, book, caller, range, query, body }: Call): Answer {
  const insertRows = query.insertDataOption === 'INSERT_ROWS'
  const args = { range, input: query.valueInputOption, body, insertRows }
  const { tableRange, ...update } = books.change(book.id, 'values.append', args, caller)
  const rendering = query.includeValuesInResponse ? responseRenderingOf(query) : null
  const updates = updateReply(book, update, rendering)
  return {
    reply: { spreadsheetId: book.id, ...(tableRange && { tableRange }), updates },
    ranges: [update.reply.updatedRange],
    cells: update.cells,
  }
}

export function clearValues({ books, book, caller, range }: Call): Answer {
  const ranges = books.change(book.id, 'values.clear', { ranges: [range] }, caller)
  return { reply: { spreadsheetId: book.id, clearedRange: ranges[0] }, ranges, cells: 0 }
}

export function batchClearValues({ books, book, caller, body }: Call): Answer {
  const { ranges } = parseMessage(BatchClear, protoJson(body ?? {}), '')
  const cleared = books.change(book.id, 'values.clear', { ranges }, caller)
  return {
    reply: { spreadsheetId: book.id, ...(cleared.length > 0 && { clearedRanges: cleared }) },
    ranges: cleared,
    cells: 0,
  }
}

function readRange(reader: Reader, { book, query }: Call, range: string): ValueRange {
  const { sheet, block } = resolveRange(book, range)
  return reader.valueRange(sheet, block, query.majorDimension, renderingOf(query))
}

function updateReply(book: Book, { reply, sheetId, asked, dimension }: Update, rendering: Rendering | null) {
  const sheet = book.sheet(sheetId)
  const updatedData = rendering && sheet && new Reader(book).valueRange(sheet, asked, dimension, rendering)
  return { spreadsheetId: book.id, ...reply, ...(updatedData && { updatedData }) }
}

function cellsOf({ values = [] }: ValueRange): number {
  return values.reduce((sum, list) => sum + list.length, 0)
}
