import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams, Ignored, Moment } from '../fields.ts'
import { limits } from '../limits.ts'
import { CellValue } from '../tables.ts'
import { connectionFieldMessages } from './field-messages.ts'
import { DelimiterSetting, EncodingSetting, FileFormat } from './file-formats.ts'
import { Identifier } from './identifier.ts'

/** What a connection reaches: an HTTP API or a database. */
const ConnectionKind = z.enum(['api', 'database'])

const Text = z.string().check(z.maxLength(limits.connection_text_characters))

/**
 * A value that may be kept secret. Where `is_secret` it is stored sealed and answered as null for ever; null sent back leaves what
 * is stored as it is.
 */
const SecretValue = { is_secret: z._default(z.boolean(), false), value: z.nullable(Text) }

/** A header or a parameter that each request carries. */
export const NamedValue = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(limits.header_name_characters)),
  ...SecretValue,
})
export type NamedValue = z.output<typeof NamedValue>

/**
 * How a list that comes in several replies is asked for. Paths are JSONPath (RFC 9535). `page`: counted from `first`; `offset`:
 * rows to leave out; `cursor`: what the reply says is sent with the next request; `next_url`: the reply holds the address of the
 * next page; `link`: the Link header of the reply does.
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

/** Whose certificates hold beside those of public authorities, as PEM. */
const Certificates = z._default(z.string().check(z.trim(), z.maxLength(limits.certificates_characters)), '')

/** An HTTP API: which request, and where its rows are in the reply. */
export const ApiSettings = z.strictObject({
  /** http or https, with whatever query is the same on each page. */
  url: z
    .string()
    .check(z.minLength(1, connectionFieldMessages.url_required), z.maxLength(limits.url_characters)),
  method: z._default(z.enum(['GET', 'POST']), 'GET'),
  headers: z._default(z.array(NamedValue).check(z.maxLength(limits.connection_values_max)), []),
  /** Query parameters beside those of the address. */
  params: z._default(z.array(NamedValue).check(z.maxLength(limits.connection_values_max)), []),
  /** JSON; with POST only. Where a page is asked for, its parameters go into this object instead of the address. */
  body: z._default(z.string().check(z.maxLength(limits.request_body_characters)), ''),
  /** `ndjson`: a JSON value on each line. */
  format: z._default(z.enum(['json', 'ndjson', 'csv']), 'json'),
  /** Of CSV. */
  delimiter: z._default(DelimiterSetting, 'auto'),
  encoding: z._default(EncodingSetting, 'auto'),
  /** JSONPath of the list in the reply; blank: the reply is the list. */
  list_path: z._default(Text, ''),
  /** JSONPath of the number of rows that there are in all; blank: the reply does not say. */
  total_path: z._default(Text, ''),
  /** Whether a JSON reply without a list, and without an error, is a page without rows instead of a failure. */
  missing_list_is_end: z._default(z.boolean(), false),
  paging: z._default(Paging, { style: 'none' }),
  ca_certificates: Certificates,
})
export type ApiSettings = z.output<typeof ApiSettings>

/** A database: where it is, and the one statement that reads from it. */
export const DatabaseSettings = z.strictObject({
  engine: z.enum(['postgresql', 'mysql', 'sqlite']),
  /** Of a server; blank for SQLite. */
  host: z._default(Text, ''),
  port: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(65_535))), null),
  database: z._default(Text, ''),
  user: z._default(Text, ''),
  password: z._default(z.nullable(Text), null),
  /** `verify`: only to a server whose certificate holds; `off`: unencrypted. */
  tls: z._default(z.enum(['verify', 'off']), 'verify'),
  ca_certificates: Certificates,
  /** Confirmed: the user may be one that can read files of the server, as a superuser can. */
  privileged_user: z._default(z.boolean(), false),
  /** Of a SQLite file, its name within SQLITE_FOLDER. */
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

/** What a connection says of itself, by its kind. */
export const ConnectionSettings = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('api'), ...ApiSettings.shape }),
  z.strictObject({ kind: z.literal('database'), ...DatabaseSettings.shape }),
])
export type ConnectionSettings = z.output<typeof ConnectionSettings>

/** A named origin of source tasks. Its secrets are null. */
export const Connection = z.object({
  id: Id,
  name: z.string(),
  kind: ConnectionKind,
  settings: ConnectionSettings,
  /** Source tasks that name it. */
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

/** A change: fields left out keep their value; a stale `updated_at` is a conflict. Where the host changes, each secret has to come again. */
export const ConnectionUpdate = z.strictObject({
  ...readOnly,
  updated_at: z.optional(Moment),
  name: z.optional(Identifier),
  settings: z.optional(ConnectionSettings),
})

/** A request that a test made, and what came back, without its secrets. */
const Exchange = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  body: z.string(),
  /** Null: there was no reply. */
  status: z.nullable(z.int()),
  reply_headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The beginning of it. */
  reply: z.string(),
  reply_bytes: z.int(),
  duration_ms: z.int(),
})
export type Exchange = z.infer<typeof Exchange>

/** What the first reply of an API looks like, to be filled into the form where that does not say it. */
export const ConnectionGuess = z.object({
  format: z.enum(['json', 'ndjson', 'csv']),
  list_path: z.string(),
  total_path: z.string(),
  paging: Paging,
  /** Why, in a sentence. */
  reason: z.string(),
})
export type ConnectionGuess = z.infer<typeof ConnectionGuess>

/** What a test found: at most five pages, read by what reads in a run. */
export const ConnectionTest = z.object({
  ok: z.boolean(),
  /** What was found, or why it failed. */
  message: z.string(),
  /** The requests of an API; none of a database. */
  exchanges: z.array(Exchange),
  columns: z.array(
    z.object({ name: z.string(), type: z.enum(['text', 'number', 'boolean', 'mixed', 'blank']) }),
  ),
  /** The first of them. */
  rows: z.array(z.array(CellValue)),
  rows_read: z.int(),
  pages_read: z.int(),
  /** Rows in all, where the origin says so. */
  total: z.nullable(z.int()),
  /** Whether there is more than what was read. */
  has_more: z.boolean(),
  warnings: z.array(z.string()),
  /** Of an API. */
  guess: z.nullable(ConnectionGuess),
  /** How CSV was read; null: it was none. */
  file_format: z.nullable(FileFormat),
})
export type ConnectionTest = z.infer<typeof ConnectionTest>

/** A host that connections may reach: a name (`*.example.com` with all below it), an address, or a range of addresses, each with a port or without. */
export const AllowedHost = z.object({ host: z.string(), added_by: z.string(), created_at: Moment })
export type AllowedHost = z.infer<typeof AllowedHost>

type Guessed = Pick<ApiSettings, 'format' | 'list_path' | 'total_path' | 'paging'>

/** Settings with what is guessed in place of what they do not say. */
export const fillIn = <Settings extends Guessed>(settings: Settings, guess: ConnectionGuess): Settings => ({
  ...settings,
  format: settings.list_path === '' ? guess.format : settings.format,
  list_path: settings.list_path || guess.list_path,
  total_path: settings.total_path || guess.total_path,
  paging: settings.paging.style === 'none' ? guess.paging : settings.paging,
})

/** The calls on connections. Administrators manage them; every user may name one in a source task. */
export const connections = {
  names: {
    method: 'GET',
    path: '/api/connections/names',
    summary: 'Names of all connections, for source tasks to choose from',
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
    summary: 'Change a connection; runs that are under way keep it as it was',
    params: IdParams,
    body: ConnectionUpdate,
    reply: Connection,
  },
  delete: {
    method: 'DELETE',
    path: '/api/connections/:id',
    access: 'admin',
    summary: 'Delete a connection that no source task names',
    params: IdParams,
    status: 204,
  },
  test: {
    method: 'POST',
    path: '/api/connections/test',
    commits_first: true,
    access: 'admin',
    summary:
      'Read at most five pages by these settings; with an id its stored secrets stand in for those left out',
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
    summary: 'Take a host off the list; connections that reach it fail from then on',
    body: z.strictObject({ host: z.string().check(z.maxLength(255)) }),
    status: 204,
  },
} satisfies Calls
