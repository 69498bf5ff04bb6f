import { z } from 'zod'
import { GoogleError, invalid, notInSandbox } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import type { BookDraft } from '../model/book.ts'
import { appendCells, repeatCell, setDataValidation, updateCells } from './cell-requests.ts'
import { autoResizeDimensions, updateDimensionProperties } from './dimension-properties.ts'
import { appendDimension, deleteDimension, insertDimension } from './dimension-requests.ts'
import { deleteDuplicates } from './duplicate-requests.ts'
import {
  addFilterView,
  clearBasicFilter,
  deleteFilterView,
  duplicateFilterView,
  setBasicFilter,
  updateFilterView,
} from './filter-requests.ts'
import { mergeCells, unmergeCells } from './merge-requests.ts'
import { deleteRange, insertRange, moveDimension } from './move-requests.ts'
import { addNamedRange, deleteNamedRange, updateNamedRange } from './named-range-requests.ts'
import { listOf, parseMessage, protoJson, snakeCase } from './parse-json.ts'
import { copyPaste, cutPaste } from './paste-requests.ts'
import { addProtectedRange, deleteProtectedRange, updateProtectedRange } from './protection.ts'
import { ELSEWHERE, isRequestName, type RequestArgs, type RequestName, SHAPES } from './shapes.ts'
import {
  addSheet,
  deleteSheet,
  duplicateSheet,
  updateSheetProperties,
  updateSpreadsheetProperties,
} from './sheet-requests.ts'
import { sortRange } from './sort-requests.ts'

const MAX_REQUESTS = 100_000

const performers: {
  readonly [N in RequestName]: (draft: BookDraft, args: RequestArgs<N>, context: Context) => object
} = {
  updateSpreadsheetProperties,
  addSheet,
  deleteSheet,
  duplicateSheet,
  updateSheetProperties,
  appendDimension,
  insertDimension,
  deleteDimension,
  copyPaste,
  cutPaste,
  updateCells,
  repeatCell,
  appendCells,
  setDataValidation,
  mergeCells,
  unmergeCells,
  insertRange,
  deleteRange,
  moveDimension,
  sortRange,
  deleteDuplicates,
  updateDimensionProperties,
  autoResizeDimensions,
  addProtectedRange,
  updateProtectedRange,
  deleteProtectedRange,
  setBasicFilter,
  clearBasicFilter,
  addFilterView,
  updateFilterView,
  duplicateFilterView,
  deleteFilterView,
  addNamedRange,
  updateNamedRange,
  deleteNamedRange,
}

const shapes: { readonly [N in RequestName]: z.ZodType<RequestArgs<N>> } = SHAPES

const Body = z.looseObject({ requests: z.unknown() })

const Requests = z.array(z.record(z.string(), z.unknown()))

const Options = z.strictObject({
  includeSpreadsheetInResponse: z.boolean().default(false),
  responseRanges: z.array(z.string()).default([]),
  responseIncludeGridData: z.boolean().default(false),
})
/** Result of a batchUpdate, and its options for returning the spreadsheet. */
export interface Batch {
  readonly replies: object[]
  readonly options: z.infer<typeof Options>
  /** Number of cells in the requests. */
  readonly cells: number
}

/** Executes all requests in order. Throws Google's 400 for the first one that fails. */
export function batchUpdate(draft: BookDraft, json: unknown, context: Context): Batch {
  const { requests: given, ...others } = parseMessage(Body, json ?? {}, '')
  const options = parseMessage(Options, protoJson(others), '')
  const requests = parseMessage(Requests, listOf(protoJson(given ?? [])), 'requests')
  if (requests.length === 0) throw invalid('Must specify at least one request.')
  if (requests.length > MAX_REQUESTS)
    throw invalid(`Cannot exceed ${MAX_REQUESTS} requests in a single batch.`)
  // Parses all requests first, because Google's JSON parser refuses a malformed one before execution.
  const steps = requests.map((request, index) => parseRequest(request, `requests[${index}]`))
  const cells = steps.reduce((sum, step) => sum + step.cells, 0)
  return { replies: steps.map(({ act }) => act(draft, context)), options, cells }
}

interface Step {
  readonly act: (draft: BookDraft, context: Context) => object
  readonly cells: number
}

function parseRequest(request: Readonly<Record<string, unknown>>, path: string): Step {
  const [name, ...others] = Object.keys(request)
  if (name === undefined) throw invalid(`Invalid ${path}: No request set.`)
  if (others.length > 0) {
    throw invalid(
      `Invalid value at '${path}' (oneof), oneof field 'kind' is already set. Cannot set '${others[0]}'`,
    )
  }
  if (ELSEWHERE.has(name)) throw notInSandbox(`the request ${name}`)
  if (!isRequestName(name)) {
    parseMessage(z.strictObject({}), request, path)
    throw invalid(`Invalid ${path}: No request set.`)
  }
  return stepOf(name, request[name], path)
}

function stepOf<N extends RequestName>(name: N, json: unknown, path: string): Step {
  const args = parseMessage(shapes[name], json, `${path}.${snakeCase(name)}`)
  const act: Step['act'] = (draft, context) => {
    try {
      return performers[name](draft, args, context)
    } catch (error) {
      throw named(error, `Invalid ${path}.${name}: `)
    }
  }
  return { act, cells: 'rows' in args ? args.rows.reduce((sum, { values }) => sum + values.length, 0) : 0 }
}

/** Prefixes an error with the request that caused it. "Not in the sandbox" errors keep their prefix first. */
function named(error: unknown, prefix: string): unknown {
  if (!(error instanceof GoogleError) || error.message.startsWith('not in the sandbox')) return error
  return new GoogleError(error.code, error.status, prefix + error.message, error.details)
}
