import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams, Ignored, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { CellValue } from '../tables.ts'
import { connectionFieldMessages } from './field-messages.ts'
import { DelimiterSetting, EncodingSetting, FileFormat } from './file-formats.ts'
import { Identifier } from './identifier.ts'

const ConnectionKind = z.enum(['api', 'database'])

const Text = z.string().check(z.maxLength(limits.connection_text_characters))

/**
 * A value that can be secret. With `is_secret` it is stored encrypted and always null in replies; null in a request keeps the stored
 * value.
 */
const SecretValue = { is_secret: z._default(z.boolean(), false), value: z.nullable(Text) }

/** A header or query parameter of each request. */
export const NamedValue = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(limits.header_name_characters)),
  ...SecretValue,
})
export type NamedValue = z.output<typeof NamedValue>

/**
 * Paging of a list over several replies. Paths are JSONPath (RFC 9535). `page`: numbered from `first`; `offset`: number of rows to
 * skip; `cursor`: a value of the reply is sent with the next request; `next_url`: the reply contains the URL of the next page;
 * `link`: the Link header of the reply contains it.
 */
export const Paging = z.discriminatedUnion('style', [
  z.strictObject({ style: z.literal('none') }),
  z.strictObject({
    style: z.literal('page'),
    param: Text,
    first: z._default(z.int().check(z.minimum(0), z.maximum(1)), 1),
    size_param: z._default(Text, ''),
    size: z._default(z.int().check(z.minimum(1), z.maximum(limits.page_rows_max)), limits.page_rows_default),
  }),
  z.strictObject({
    style: z.literal('offset'),
    param: Text,
    size_param: z._default(Text, ''),
    size: z._default(z.int().check(z.minimum(1), z.maximum(limits.page_rows_max)), limits.page_rows_default),
  }),
  z.strictObject({ style: z.literal('cursor'), param: Text, cursor_path: Text }),
  z.strictObject({ style: z.literal('next_url'), url_path: Text }),
  z.strictObject({ style: z.literal('link') }),
])
export type Paging = z.output<typeof Paging>

/** Certificate authorities to trust in addition to the public ones, as PEM. */
const Certificates = z._default(z.string().check(z.trim(), z.maxLength(limits.certificates_characters)), '')

/** An HTTP API: its request, and the location of the rows in the reply. */
export const ApiSettings = z.strictObject({
  /** http or https URL, including query parameters that all pages share. */
  url: z
    .string()
    .check(z.minLength(1, connectionFieldMessages.url_required), z.maxLength(limits.url_characters)),
  method: z._default(z.enum(['GET', 'POST']), 'GET'),
  headers: z._default(z.array(NamedValue).check(z.maxLength(limits.connection_values_max)), []),
  /** Query parameters in addition to those of the URL. */
  params: z._default(z.array(NamedValue).check(z.maxLength(limits.connection_values_max)), []),
  /** JSON, only for POST. Paging parameters are added to this object instead of the URL. */
  body: z._default(z.string().check(z.maxLength(limits.request_body_characters)), ''),
  /** `ndjson`: one JSON value per line. */
  format: z._default(z.enum(['json', 'ndjson', 'csv']), 'json'),
  /** For CSV. */
  delimiter: z._default(DelimiterSetting, 'auto'),
  encoding: z._default(EncodingSetting, 'auto'),
  /** JSONPath of the list in the reply; blank if the reply is the list. */
  list_path: z._default(Text, ''),
  /** JSONPath of the total number of rows; blank if the reply does not contain it. */
  total_path: z._default(Text, ''),
  /** Whether a JSON reply without a list and without an error is the end of the rows instead of a failure. */
  missing_list_is_end: z._default(z.boolean(), false),
  paging: z._default(Paging, { style: 'none' }),
  ca_certificates: Certificates,
})
export type ApiSettings = z.output<typeof ApiSettings>

/** A database: its server or file, and the SQL statement that reads the rows. */
export const DatabaseSettings = z.strictObject({
  engine: z.enum(['postgresql', 'mysql', 'sqlite']),
  /** Blank for SQLite. */
  host: z._default(Text, ''),
  port: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(65_535))), null),
  database: z._default(Text, ''),
  user: z._default(Text, ''),
  password: z._default(z.nullable(Text), null),
  /** `verify`: TLS with a valid certificate; `off`: unencrypted. */
  tls: z._default(z.enum(['verify', 'off']), 'verify'),
  ca_certificates: Certificates,
  /** Confirms a privileged user, such as a superuser, who can read files of the database server. */
  privileged_user: z._default(z.boolean(), false),
  /** For SQLite: file name in SQLITE_FOLDER. */
  file: z._default(Text, ''),
  statement: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, connectionFieldMessages.statement_required),
      z.maxLength(limits.statement_characters),
    ),
  timeout_seconds: z._default(
    z.int().check(z.minimum(1), z.maximum(limits.statement_seconds_max)),
    limits.statement_seconds_default,
  ),
})
export type DatabaseSettings = z.output<typeof DatabaseSettings>

/** Settings of a connection by kind. */
export const ConnectionSettings = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('api'), ...ApiSettings.shape }),
  z.strictObject({ kind: z.literal('database'), ...DatabaseSettings.shape }),
])
export type ConnectionSettings = z.output<typeof ConnectionSettings>

/** A named origin of source tasks. Secrets are null. */
export const Connection = z.object({
  id: Id,
  name: z.string(),
  kind: ConnectionKind,
  settings: ConnectionSettings,
  /** Number of source tasks that use it. */
  tasks_count: z.int(),
  created_at: Moment,
  updated_at: Moment,
})
export type Connection = z.infer<typeof Connection>

const readOnly = { id: Ignored, kind: Ignored, tasks_count: Ignored, created_at: Ignored }

export const ConnectionCreate = z.strictObject({
  ...readOnly,
  updated_at: Ignored,
  name: Identifier,
  settings: ConnectionSettings,
})

/** Body of an update: omitted fields keep their values; a stale `updated_at` is a conflict. A new host requires all secrets again. */
export const ConnectionUpdate = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  name: z.optional(Identifier),
  settings: z.optional(ConnectionSettings),
})

/** A request of a test and its reply, without secrets. */
const Exchange = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  body: z.string(),
  /** Null without a reply. */
  status: z.nullable(z.int()),
  reply_headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** First part of the reply body. */
  reply: z.string(),
  reply_bytes: z.int(),
  duration_ms: z.int(),
})
export type Exchange = z.infer<typeof Exchange>

/** Settings derived from the first reply of an API, for blank fields of the form. */
export const ConnectionGuess = z.object({
  format: z.enum(['json', 'ndjson', 'csv']),
  list_path: z.string(),
  total_path: z.string(),
  paging: Paging,
  /** Explanation in a sentence. */
  reason: z.string(),
})
export type ConnectionGuess = z.infer<typeof ConnectionGuess>

/** Result of a test, which reads at most five pages with the code of a run. */
export const ConnectionTest = z.object({
  ok: z.boolean(),
  /** Summary, or error. */
  message: z.string(),
  /** Requests to an API; empty for a database. */
  exchanges: z.array(Exchange),
  columns: z.array(
    z.object({ name: z.string(), type: z.enum(['text', 'number', 'boolean', 'mixed', 'blank']) }),
  ),
  /** First rows. */
  rows: z.array(z.array(CellValue)),
  rows_read: z.int(),
  pages_read: z.int(),
  /** Total number of rows, if the origin reports it. */
  total: z.nullable(z.int()),
  /** Whether there are more rows than were read. */
  has_more: z.boolean(),
  warnings: z.array(z.string()),
  /** For an API. */
  guess: z.nullable(ConnectionGuess),
  /** Detected CSV format; null for other formats. */
  file_format: z.nullable(FileFormat),
})
export type ConnectionTest = z.infer<typeof ConnectionTest>

/** An allowed host: a name (`*.example.com` includes subdomains), an address or an address range, each with an optional port. */
export const AllowedHost = z.object({ host: z.string(), added_by: z.string(), created_at: Moment })
export type AllowedHost = z.infer<typeof AllowedHost>

type Guessed = Pick<ApiSettings, 'format' | 'list_path' | 'total_path' | 'paging'>

/** Fills blank settings with guessed ones. */
export const fillIn = <Settings extends Guessed>(settings: Settings, guess: ConnectionGuess): Settings => ({
  ...settings,
  format: settings.list_path === '' ? guess.format : settings.format,
  list_path: settings.list_path || guess.list_path,
  total_path: settings.total_path || guess.total_path,
  paging: settings.paging.style === 'none' ? guess.paging : settings.paging,
})

/** API calls for connections. Administrators manage them; every user may select one in a source task. */
export const connections = {
  names: {
    method: 'GET',
    path: '/api/connections/names',
    summary: 'Names of all connections that source tasks can use',
    reply: z.array(z.object({ id: Id, name: z.string(), kind: ConnectionKind })),
  },
  list: {
    method: 'GET',
    path: '/api/connections',
    access: 'admin',
    summary: 'All connections by name, without their secrets',
    reply: z.array(Connection),
  },
  create: {
    method: 'POST',
    path: '/api/connections',
    access: 'admin',
    summary: 'Add a connection; its host must be allowed',
    body: ConnectionCreate,
    status: 201,
    reply: Connection,
  },
  update: {
    method: 'PUT',
    path: '/api/connections/:id',
    access: 'admin',
    summary: 'Change a connection; live runs keep the previous settings',
    params: IdParams,
    body: ConnectionUpdate,
    reply: Connection,
  },
  delete: {
    method: 'DELETE',
    path: '/api/connections/:id',
    access: 'admin',
    summary: 'Delete a connection that no source task uses',
    params: IdParams,
    status: 204,
  },
  test: {
    method: 'POST',
    path: '/api/connections/test',
    commits_first: true,
    access: 'admin',
    summary:
      'Read at most five pages with these settings; with an id, its stored secrets are used for omitted ones',
    rate_limit: 'strict',
    body: z.strictObject({ id: z.optional(Id), settings: ConnectionSettings }),
    reply: ConnectionTest,
  },
  hosts: {
    method: 'GET',
    path: '/api/allowed_hosts',
    access: 'admin',
    summary: 'Hosts that connections may reach',
    reply: z.array(AllowedHost),
  },
  allowHost: {
    method: 'POST',
    path: '/api/allowed_hosts',
    access: 'admin',
    summary: 'Allow a host',
    body: z.strictObject({
      host: z.string().check(z.trim(), z.toLowerCase(), z.minLength(1), z.maxLength(255)),
    }),
    status: 201,
    reply: AllowedHost,
  },
  refuseHost: {
    method: 'DELETE',
    path: '/api/allowed_hosts',
    access: 'admin',
    summary: 'Remove a host from the list; connections to it fail from then on',
    body: z.strictObject({ host: z.string().check(z.maxLength(255)) }),
    status: 204,
  },
} satisfies Calls
