import {
  type Connection,
  ConnectionCreate,
  type ConnectionGuess,
  ConnectionSettings,
  fillIn,
  type NamedValue,
  type Paging,
} from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { limits } from '../../../../contract/limits.ts'

type Api = Extract<ConnectionSettings, { kind: 'api' }>
type Database = Extract<ConnectionSettings, { kind: 'database' }>

/** Values of the form for all kinds of connections. A cleared number is blank; a secret that stays unchanged is null. */
export type ConnectionValues = Pick<
  Api,
  | 'url'
  | 'method'
  | 'body'
  | 'format'
  | 'delimiter'
  | 'encoding'
  | 'list_path'
  | 'total_path'
  | 'missing_list_is_end'
  | 'ca_certificates'
> &
  Omit<Database, 'kind' | 'port' | 'timeout_seconds'> & {
    name: string
    kind: ConnectionSettings['kind']
    headers: NamedValue[]
    params: NamedValue[]
    style: Paging['style']
    param: string
    first: '0' | '1'
    size_param: string
    size: number | string
    cursor_path: string
    url_path: string
    port: number | string
    timeout_seconds: number | string
  }

/** Initial values of a new connection. */
export const newValues: ConnectionValues = {
  name: '',
  kind: 'api',
  url: '',
  method: 'GET',
  headers: [],
  params: [],
  body: '',
  format: 'json',
  delimiter: 'auto',
  encoding: 'auto',
  list_path: '',
  total_path: '',
  missing_list_is_end: false,
  style: 'none',
  param: '',
  first: '1',
  size_param: '',
  size: limits.page_rows_default,
  cursor_path: '',
  url_path: '',
  engine: 'postgresql',
  host: '',
  port: '',
  database: '',
  user: '',
  password: '',
  tls: 'verify',
  ca_certificates: '',
  privileged_user: false,
  file: '',
  statement: '',
  timeout_seconds: limits.statement_seconds_default,
}

/** Form values of a connection. */
export const valuesOf = ({ name, settings }: Pick<Connection, 'name' | 'settings'>): ConnectionValues => {
  if (settings.kind === 'database') return { ...newValues, ...settings, name, port: settings.port ?? '' }
  const { paging, ...rest } = settings
  return { ...newValues, ...rest, ...pagingValues(paging), name }
}

const pagingValues = (paging: Paging) => ({
  ...paging,
  first: paging.style === 'page' && paging.first === 0 ? ('0' as const) : ('1' as const),
})

const pagingOf = ({ style, first, param, size_param, size, cursor_path, url_path }: ConnectionValues) => {
  const sized = { param, size_param, size: size_param === '' ? limits.page_rows_default : size }
  switch (style) {
    case 'page':
      return { style, first: Number(first), ...sized }
    case 'offset':
      return { style, ...sized }
    case 'cursor':
      return { style, param, cursor_path }
    case 'next_url':
      return { style, url_path }
    default:
      return { style }
  }
}

/** Whether the URL of an API is https. */
export const isEncrypted = ({ url }: Pick<ConnectionValues, 'url'>): boolean => /^\s*https:/i.test(url)

const apiOf = (values: ConnectionValues) => {
  const { url, method, headers, params, body, format, list_path, total_path, ca_certificates } = values
  const { delimiter, encoding } = format === 'csv' ? values : newValues
  const isJson = format !== 'csv'
  return {
    kind: 'api',
    url: url.trim(),
    method,
    headers,
    params,
    body: method === 'POST' ? body : '',
    format,
    delimiter,
    encoding,
    list_path: isJson ? list_path.trim() : '',
    total_path: isJson ? total_path.trim() : '',
    missing_list_is_end: isJson && values.missing_list_is_end,
    paging: pagingOf(values),
    ca_certificates: isEncrypted(values) ? ca_certificates : '',
  }
}

const databaseOf = (values: ConnectionValues) => {
  const {
    engine,
    host,
    port,
    database,
    user,
    password,
    tls,
    file,
    statement,
    timeout_seconds,
    privileged_user,
  } = values
  const ca_certificates = tls === 'verify' ? values.ca_certificates : ''
  const common = { kind: 'database', engine, statement, timeout_seconds }
  if (engine === 'sqlite') return { ...common, file: file.trim() }
  const where = { host: host.trim(), port: port === '' ? null : port, database: database.trim() }
  return {
    ...common,
    ...where,
    user: user.trim(),
    password: password || null,
    tls,
    ca_certificates,
    privileged_user,
  }
}

const unparsed = (values: ConnectionValues) => (values.kind === 'api' ? apiOf(values) : databaseOf(values))

/** Settings in the body of the call. */
export const settingsOf = (values: ConnectionValues): ConnectionSettings =>
  ConnectionSettings.parse(unparsed(values))

/** Form field of a settings path such as `headers.0.value`. */
export const fieldOf = (path: string): string =>
  path
    .split('.')
    .filter((part) => part !== 'settings' && part !== 'paging')
    .join('.')

const named = new Set(['param', 'cursor_path', 'url_path'])
const numbers: Record<string, string> = {
  size: fieldMessages.whole_number(1, limits.page_rows_max),
  port: fieldMessages.whole_number(1, 65_535),
  timeout_seconds: fieldMessages.whole_number(1, limits.statement_seconds_max),
}

/** Validation errors by field; `settings` skips the name, for a test. */
export function formErrors(values: ConnectionValues, judged: 'all' | 'settings'): Record<string, string> {
  const errors: Record<string, string> = {}
  const settings = unparsed(values)
  const { error } = ConnectionCreate.safeParse({ name: judged === 'all' ? values.name : 'unnamed', settings })
  for (const { path, message } of error?.issues ?? []) {
    const field = fieldOf(path.join('.'))
    const text = field.endsWith('.name') ? connectionMessages.header_name_required : message
    errors[field] ??= numbers[field] ?? text
  }
  for (const list of ['headers', 'params'] as const)
    for (const [index, { is_secret, value }] of values[list].entries())
      if (is_secret && value === '')
        errors[`${list}.${index}.value`] = connectionMessages.secret_value_required
  if ('paging' in settings)
    for (const [field, value] of Object.entries(settings.paging))
      if (named.has(field) && value === '') errors[field] = connectionMessages.paging_name_required
  return errors
}

/** Values from a guess for fields that are still blank. */
export function guessed(values: ConnectionValues, guess: ConnectionGuess): Partial<ConnectionValues> {
  const settings = settingsOf(values)
  if (settings.kind !== 'api') return {}
  const { paging, format, list_path, total_path } = fillIn(settings, guess)
  const now = { format, list_path, total_path, ...pagingValues(paging) }
  const before = new Map<string, unknown>(Object.entries(values))
  return Object.fromEntries(Object.entries(now).filter(([field, value]) => before.get(field) !== value))
}

/** Allowed-hosts entry that the connection needs; null without a host. */
export function hostEntryOf(values: ConnectionValues): string | null {
  if (values.kind === 'api') return URL.parse(values.url.trim())?.host || null
  const host = values.host.trim()
  if (values.port === '') return host
  return `${host.includes(':') ? `[${host}]` : host}:${values.port}`
}
