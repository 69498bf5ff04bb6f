import { z } from 'zod'
import { badField, badRequest } from '../google-error.ts'
import type { SheetsMethod } from './call.ts'
import { isJson } from './model/json.ts'
import { camelCase, camelKeys, snakeCase } from './requests/parse-json.ts'
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

/** Query parameters of all Sheets calls. */
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

/** Standard parameters of all Google APIs. */
const COMMON = [
  '$.xgafv',
  'access_token',
  'alt',
  'callback',
  'fields',
  'key',
  'oauth_token',
  'prettyPrint',
  'quotaUser',
  'uploadType',
  'upload_protocol',
]
const READ = ['majorDimension', 'valueRenderOption', 'dateTimeRenderOption']
const WRITE = [
  'valueInputOption',
  'includeValuesInResponse',
  'responseValueRenderOption',
  'responseDateTimeRenderOption',
]
const OWN: Readonly<Partial<Record<SheetsMethod, readonly string[]>>> = {
  'spreadsheets.get': ['ranges', 'includeGridData', 'excludeTablesInBandedRanges'],
  'spreadsheets.values.get': READ,
  'spreadsheets.values.batchGet': ['ranges', ...READ],
  'spreadsheets.values.update': WRITE,
  'spreadsheets.values.append': ['insertDataOption', ...WRITE],
}

/** Parses the query of a method. Throws Google's 400 for unknown parameters or values. */
export function parseQuery(query: unknown, method: SheetsMethod): Query {
  const given = isJson(query) ? query : {}
  checkNames(Object.keys(given), method)
  const named = camelKeys(given)
  const result = Query.safeParse(named)
  if (result.success) return result.data
  const name = String(result.error.issues[0]?.path[0] ?? '')
  const path = snakeCase(name)
  throw badField(
    path,
    `Invalid value at '${path}' (${TYPES[name] ?? 'TYPE_BOOL'}), ${JSON.stringify(named[name])}`,
  )
}

function checkNames(names: readonly string[], method: SheetsMethod): void {
  const own = OWN[method] ?? []
  const violations = names
    .filter((name) => !COMMON.includes(name) && !own.includes(camelCase(name)))
    .map((name) => ({
      description:
        `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. ` +
        `Field '${name}' could not be found in request message.`,
    }))
  if (violations.length > 0) throw badRequest(violations)
}

export function renderingOf({ valueRenderOption, dateTimeRenderOption }: Query): Rendering {
  return { values: valueRenderOption, dates: dateTimeRenderOption }
}

/** Rendering options of the values in a write's reply. */
export function responseRenderingOf(query: {
  responseValueRenderOption: Rendering['values']
  responseDateTimeRenderOption: Rendering['dates']
}): Rendering {
  return { values: query.responseValueRenderOption, dates: query.responseDateTimeRenderOption }
}

/** The same options in the body of values.batchUpdate. */
export function parseResponseOptions(body: unknown) {
  const { includeValuesInResponse = false, ...rest } = z
    .looseObject({
      includeValuesInResponse: z.boolean().nullish(),
      responseValueRenderOption: Render.default('FORMATTED_VALUE').catch('FORMATTED_VALUE'),
      responseDateTimeRenderOption: Dates.default('SERIAL_NUMBER').catch('SERIAL_NUMBER'),
    })
    .parse(isJson(body) ? camelKeys(body) : {})
  return { includeValuesInResponse: includeValuesInResponse === true, rendering: responseRenderingOf(rest) }
}
