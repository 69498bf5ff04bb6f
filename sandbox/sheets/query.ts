import { z } from 'zod'
import { badField } from '../google-error.ts'
import type { Rendering } from './values/read.ts'

const Flag = z
  .enum(['true', 'false', 'True', 'False', '1', '0'])
  .default('false')
  .transform((text) => text === 'true' || text === 'True' || text === '1')

const Several = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((text) => (typeof text === 'string' ? [text] : text))

const Render = z.enum(['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA'])
const Dates = z.enum(['SERIAL_NUMBER', 'FORMATTED_STRING'])
const Major = z
  .enum(['ROWS', 'COLUMNS', 'DIMENSION_UNSPECIFIED'])
  .default('ROWS')
  .transform((dimension) => (dimension === 'COLUMNS' ? 'COLUMNS' : 'ROWS'))

/** The query parameters of all Sheets calls. */
const Query = z.object({
  fields: z.string().optional(),
  ranges: Several,
  includeGridData: Flag,
  majorDimension: Major,
  valueRenderOption: Render.default('FORMATTED_VALUE'),
  dateTimeRenderOption: Dates.default('SERIAL_NUMBER'),
  valueInputOption: z.string().default(''),
  insertDataOption: z.enum(['OVERWRITE', 'INSERT_ROWS']).default('OVERWRITE'),
  includeValuesInResponse: Flag,
  responseValueRenderOption: Render.default('FORMATTED_VALUE'),
  responseDateTimeRenderOption: Dates.default('SERIAL_NUMBER'),
})
export type Query = z.infer<typeof Query>

const TYPES: Readonly<Record<string, string>> = {
  majorDimension: 'type.googleapis.com/google.apps.sheets.v4.Dimension',
  valueRenderOption: 'type.googleapis.com/google.apps.sheets.v4.ValueRenderOption',
  responseValueRenderOption: 'type.googleapis.com/google.apps.sheets.v4.ValueRenderOption',
  dateTimeRenderOption: 'type.googleapis.com/google.apps.sheets.v4.DateTimeRenderOption',
  responseDateTimeRenderOption: 'type.googleapis.com/google.apps.sheets.v4.DateTimeRenderOption',
  insertDataOption: 'type.googleapis.com/google.apps.sheets.v4.InsertDataOption',
}

/** Reads a query. Throws 400 in Google's words for a value that an option does not have. */
export function parseQuery(query: unknown): Query {
  const result = Query.safeParse(query)
  if (result.success) return result.data
  const name = String(result.error.issues[0]?.path[0] ?? '')
  const path = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const value = typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined
  throw badField(path, `Invalid value at '${path}' (${TYPES[name] ?? 'TYPE_BOOL'}), ${JSON.stringify(value)}`)
}

export function renderingOf({ valueRenderOption, dateTimeRenderOption }: Query): Rendering {
  return { values: valueRenderOption, dates: dateTimeRenderOption }
}

/** How a write shows what it wrote, where it is asked to. */
export function responseRenderingOf(query: {
  responseValueRenderOption: Rendering['values']
  responseDateTimeRenderOption: Rendering['dates']
}): Rendering {
  return { values: query.responseValueRenderOption, dates: query.responseDateTimeRenderOption }
}

/** The same options where values.batchUpdate has them, in its body. */
export function parseResponseOptions(body: unknown) {
  const { includeValuesInResponse = false, ...rest } = z
    .looseObject({
      includeValuesInResponse: z.boolean().nullish(),
      responseValueRenderOption: Render.default('FORMATTED_VALUE').catch('FORMATTED_VALUE'),
      responseDateTimeRenderOption: Dates.default('SERIAL_NUMBER').catch('SERIAL_NUMBER'),
    })
    .parse(body ?? {})
  return { includeValuesInResponse: includeValuesInResponse === true, rendering: responseRenderingOf(rest) }
}
