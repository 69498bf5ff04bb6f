import { badField, invalid } from '../../google-error.ts'
import type { Scalar } from '../model/content.ts'
import { isJson } from '../model/json.ts'
import { camelKeys } from '../requests/parse-json.ts'
import { DIMENSIONS, type Dimension } from './read.ts'

/** A cell to write: `null` keeps it, "" clears it. */
export type Input = Scalar | null

/** A ValueRange to write. */
export interface Written {
  readonly range: string | undefined
  readonly majorDimension: Dimension
  readonly values: readonly (readonly Input[])[]
}

/**
 * Parses a ValueRange at `path`. Throws 400 with the messages of Google's JSON parser. Hand-written for speed: a request may have
 * hundreds of thousands of values.
 */
export function parseValueRange(json: unknown, path: string): Written {
  const body = json ?? {}
  if (!isJson(body)) throw badJson(path, 'google.apps.sheets.v4.ValueRange', body)
  const { range, majorDimension, values, ...others } = camelKeys(body)
  for (const key of Object.keys(others)) throw unknownName(key, path)
  if (range !== undefined && range !== null && typeof range !== 'string') {
    throw badField(
      `${path}.range`,
      `Invalid value at '${path}.range' (TYPE_STRING), ${JSON.stringify(range)}`,
    )
  }
  const rows = values ?? []
  checkValues(rows, `${path}.values`)
  return {
    range: range ?? undefined,
    majorDimension: parseDimension(majorDimension, `${path}.major_dimension`),
    values: rows,
  }
}

function parseDimension(value: unknown, path: string): Dimension {
  if (value === undefined || value === null || value === 'DIMENSION_UNSPECIFIED') return 'ROWS'
  const dimension = DIMENSIONS.find((known) => known === value)
  if (!dimension) throw badJson(path, 'google.apps.sheets.v4.Dimension', value)
  return dimension
}

/** 400 for an unknown field of the message at `path`. */
export function unknownName(key: string, path: string) {
  const at = path === '' ? '' : ` at '${path}'`
  return badField(path, `Invalid JSON payload received. Unknown name "${key}"${at}: Cannot find field.`)
}

/** 400 for a value of the wrong type at `path`. */
export function badJson(path: string, type: string, value: unknown) {
  return badField(path, `Invalid value at '${path}' (type.googleapis.com/${type}), ${JSON.stringify(value)}`)
}

function checkValues(values: unknown, path: string): asserts values is Input[][] {
  if (!Array.isArray(values)) throw badJson(path, 'google.protobuf.ListValue', values)
  values.forEach((row: unknown, y) => {
    if (!Array.isArray(row)) throw badJson(`${path}[${y}]`, 'google.protobuf.ListValue', row)
    row.forEach((cell: unknown, x) => {
      if (typeof cell !== 'object' || cell === null) return
      throw invalid(
        `Invalid values[${y}][${x}]: ${Array.isArray(cell) ? 'list_value' : 'struct_value'} {\n}\n`,
      )
    })
  })
}
