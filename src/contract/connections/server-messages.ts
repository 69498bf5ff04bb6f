import { formatted } from '../counted.ts'
import { limits } from '../limits.ts'
import { quoted } from '../quoted.ts'

/** Maximum length of an API's own error message. */
const DETAIL_CHARACTERS = 300

/** A reply without the expected list. `says`: message in the reply; `is_first`: it is the first page. */
type MissingList = { has_path: boolean; fields: readonly string[]; says: string; is_first: boolean }

const megabytes = (bytes: number) => Math.floor(bytes / 1_048_576).toLocaleString('en')

const said = (detail: string) => (detail === '' ? '' : `: ${quoted(detail)}`)

const rowsHave = (count: number) => (count === 1 ? '1 row has' : `${formatted(count)} rows have`)

/** Messages of connectors and connection tests. */
export const originMessages = {
  identifier_invalid: 'Identifier must be 2–60 chars (alphanumeric, _, -)',

  // allowed hosts
  host_invalid: (host: string) => `“${host}” is not the name or address of a host.`,
  host_not_allowed: (host: string, port: number) =>
    `${host} (port ${port}) is not on the list of allowed hosts. An administrator can add it.`,
  address_not_allowed: (address: string, port: number, kind: string) =>
    `${address} (port ${port}) is ${kind ? `a ${kind}` : 'an'} address that is not on the list of allowed hosts.`,
  name_leads_inside: (name: string, address: string, kind: string) =>
    `${name} leads to ${address}, a ${kind} address that is not on the list of allowed hosts.`,
  name_unknown: (name: string) => `The name ${name} could not be resolved.`,

  // HTTP APIs: settings
  url_invalid: 'The address is not a valid URL.',
  scheme_refused: (scheme: string) => `Only http and https addresses can be read, not ${scheme}.`,
  url_with_credentials: 'The address contains a user or password. Put them into a secret header instead.',
  header_refused: (name: string) => `The header “${quoted(name)}” cannot be sent.`,
  body_invalid: 'The body of the request is not a JSON object.',
  path_invalid: (label: string, path: string, at: number) =>
    `The path to the ${label}, “${quoted(path)}”, is not a JSONPath: it cannot be read from character ${at + 1} on. Write it like $.data.items.`,
  path_unusable: (label: string, path: string) =>
    `The path to the ${label}, “${quoted(path)}”, cannot be applied to the reply, which is nested too deeply for it.`,
  paging_of_csv: 'CSV replies can be paged by page, offset or Link header only.',

  // HTTP APIs: replies
  api_refused: (status: number, detail: string) =>
    `The API refused the request (${status}${said(detail)}). Check its headers and secrets.`,
  api_not_found: (status: number, detail: string) =>
    `The API has nothing at this address (${status}${said(detail)}).`,
  api_rejected: (status: number, detail: string) =>
    `The API rejected the request (${status}${said(detail)}).`,
  api_busy: (status: number, detail: string) => `The API is busy or out of order (${status}${said(detail)}).`,
  api_limited: (detail: string) => `The API’s limit of requests is used up (403${said(detail)}).`,
  past_end_hint:
    'If the list ends before this page, enter the path of the number of all rows in the connection: then its end is known.',
  api_wait_long: (seconds: number) =>
    `The API asks to wait another ${seconds.toLocaleString('en')} s, longer than one attempt waits.`,
  api_unreachable: (reason: string) => `The API could not be reached (${quoted(reason)}).`,
  api_certificate: (reason: string) =>
    `The API’s certificate does not hold (${quoted(reason)}). If your own authority signed it, paste that authority’s certificate into the connection.`,
  certificates_invalid: 'The trusted certificates are no certificates in PEM form.',
  reply_late: (seconds: number) => `The API did not answer within ${seconds} s.`,
  reply_reset: (bytes: number) =>
    `The connection was reset after ${bytes.toLocaleString('en')} bytes of a reply that does not say how long it is.`,
  reply_open_ended:
    'The reply does not say how long it is, and its last row has no line end: it may have been cut within that row.',
  total_changed: (before: number, after: number) =>
    `The list changed while it was read: the API counted ${before.toLocaleString('en')} rows, then ${after.toLocaleString('en')}.`,
  first_page_changed: 'The list changed while it was read: its first page has other rows now.',
  reply_slow: 'The API sends its reply too slowly.',
  reply_too_large: (bytes: number) =>
    `The reply is larger than ${megabytes(bytes)} MB. Ask for it in pages.${
      bytes === limits.test_reply_bytes_max
        ? ` A test reads no more; a run takes up to ${megabytes(limits.reply_bytes_max)} MB.`
        : ''
    }`,
  encoding_unknown: (encoding: string) =>
    `The reply is packed as ${quoted(encoding)}, which is not supported.`,
  charset_unknown: (charset: string) =>
    `The reply is in ${quoted(charset)}, which is not supported. Set its encoding in the connection.`,
  charset_missing: (likely: string) =>
    `The reply is not valid UTF-8 and does not say its charset; it is probably ${likely}. Set its encoding in the connection.`,
  charset_broken: (charset: string) =>
    `The reply is not valid ${charset}, which it or the connection says it is.`,
  charset_declared_wrong: (charset: string) =>
    `The reply says that it is in ${charset}, but it is in UTF-8 and was read as that. If letters are wrong, set the encoding in the connection.`,
  charset_set_wrong: (charset: string) =>
    `The connection says that the reply is in ${charset}, but it looks like UTF-8. If letters are wrong, change the encoding in the connection.`,
  charset_mixed: (charset: string) =>
    `The reply says that it is in ${charset} and begins as UTF-8, but is not valid UTF-8 throughout. Set its encoding in the connection.`,
  gzip_broken: 'The gzip file is damaged or incomplete.',
  other_file: (kind: string, wanted: string) => `The reply is ${kind}, not ${wanted}.`,
  csv_web_page: (row: number) =>
    `An HTML page follows in the CSV instead of row ${row.toLocaleString('en')}: the reply broke off with an error.`,
  names_replaced: (names: string) =>
    `Names of columns have characters that cannot be stored, each of which became \uFFFD: ${names}.`,
  redirects_many: 'The API redirects too many times.',
  web_page: (wanted: string, title: string) =>
    `The address answered a web page${title ? ` (“${quoted(title)}”)` : ''} instead of ${wanted}. It may need a sign-in.`,
  json_ended: (characters: number) =>
    `The reply ended after ${formatted(characters)} characters, before its JSON was complete.`,
  json_invalid: (at: number, excerpt: string) =>
    `The reply is not valid JSON from character ${at.toLocaleString('en')} on: “${excerpt}”.`,
  json_lines: 'The reply is not one JSON value but one on each line. Choose JSON lines as the format.',
  json_too_deep: 'The reply is nested too deeply.',
  /** prefix of an error */
  page: (page: number) => `Page ${page.toLocaleString('en')}: `,
  api_reported: (detail: string) => `The API reported an error: “${quoted(detail, DETAIL_CHARACTERS)}”.`,
  api_error_beside_rows: (detail: string) =>
    `The API sent rows, and reported an error beside them: “${quoted(detail, DETAIL_CHARACTERS)}”.`,
  list_missing: ({ has_path, fields, says, is_first }: MissingList) =>
    [
      `The reply ${has_path ? 'has no list at the given path' : 'is not a list'}.`,
      fields.length > 0 ? `It has: ${quoted(fields.join(', '))}.` : 'It has no fields.',
      says === '' ? '' : `It says: “${quoted(says, DETAIL_CHARACTERS)}”.`,
      is_first
        ? ''
        : 'If this API leaves out the list behind its last page, say so in the connection: “A missing list is the end”.',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  next_invalid: 'The address of the next page is not a valid URL.',
  link_invalid: 'The Link header of the reply cannot be read.',
  pages_repeat:
    'The API returned the same rows three times for different pages. Check the paging of the connection.',
  pages_empty: (pages: number) =>
    `The API says that there is more, but ${formatted(pages)} pages in a row were empty.`,
  ended_after_empty_pages: (pages: number) =>
    `Ended after ${formatted(pages)} empty pages in a row, although the API named another one.`,
  rows_too_many: (rows: number) => `There are more than ${formatted(rows)} rows.`,
  columns_too_many: (columns: number) => `There are more than ${formatted(columns)} columns.`,
  csv_record_long: (row: number) =>
    `Row ${row.toLocaleString('en')} of the CSV has more than ${formatted(limits.csv_record_characters)} characters. A quote may not close.`,
  csv_quote_open: (row: number) =>
    `Row ${row.toLocaleString('en')} of the CSV has a quote that does not close.`,
  csv_quotes_stray: (count: number, first: number) =>
    `${rowsHave(count)} a quote inside a cell that is not quoted, which was read as text, first data row ${first.toLocaleString('en')}.`,
  csv_ragged: (count: number, first: number) =>
    `${rowsHave(count)} more or fewer cells than the header, first data row ${first.toLocaleString('en')}.`,
  test_read: (rows: number, pages: number, has_more: boolean) =>
    `Read ${formatted(rows)} ${rows === 1 ? 'row' : 'rows'} in ${formatted(pages)} ${pages === 1 ? 'page' : 'pages'}${has_more ? '; there is more' : ''}.`,
  guess_link: 'The reply has a Link header that names the next page.',
  guess_field: (path: string) => `The reply has ${quoted(path)}.`,
  guess_param: (name: string) => `The request asks for “${quoted(name)}”.`,
  guess_none: 'The reply says nothing of further pages.',
  secret_in_data: 'The rows contained a secret of the connection. It was masked.',

  // databases
  database_title: (name: string, where: string) => `‘${name}’ (${where})`,
  database_field_missing: (field: 'host' | 'database' | 'user' | 'file') =>
    `The connection does not say which ${field} it means.`,
  database_unreachable: (where: string, reason: string) =>
    `The database at ${where} could not be reached, or the connection broke: ${reason}`,
  database_tls: (where: string, reason: string) =>
    `There is no encrypted connection to ${where} whose certificate holds: ${reason}. If your own authority signed it, paste that authority’s certificate into the connection.`,
  database_tls_by_name: (where: string) =>
    `The certificate of ${where} can only be verified by a name: enter the server’s name as the host.`,
  database_user_refused: (where: string, user: string) =>
    `The database at ${where} does not let ‘${user}’ in. Check user, password and database.`,
  database_unknown: (where: string, database: string) => `There is no database ‘${database}’ at ${where}.`,
  database_own: 'This is Rowferry’s own database, which no connection may read.',
  database_answered: (where: string, message: string) => `The database at ${where} answered: ${message}`,
  user_privileged: (user: string, where: string, rights: readonly string[]) =>
    `The user ‘${quoted(user)}’ can do more at ${where} than read tables (${rights.join(', ')}): a statement could read files of that server. Use a user that may only read what is needed, or confirm in the connection that this one is meant.`,
  statement_not_reading: (word: string) =>
    `The statement begins with ${word === '' ? 'none of these' : `‘${quoted(word)}’`}: only SELECT, WITH, VALUES and TABLE can be read.`,
  statement_answers_nothing: 'The statement answers no rows: enter a SELECT.',
  statement_single: 'Only a single statement can be read: remove what follows its semicolon.',
  statement_writes: (message: string) =>
    `The database refused the statement, as it does more than read: ${message}`,
  statement_forbidden: (where: string, message: string) =>
    `The connection’s user may not do this at ${where}: ${message}`,
  statement_failed: (where: string, message: string, position: { line: number; column: number } | null) =>
    `The statement fails at ${where}${position ? ` (line ${position.line}, column ${position.column})` : ''}: ${message}`,
  statement_too_slow: (seconds: number) => `The statement was ended: it took longer than ${seconds} s.`,
  sqlite_off: 'SQLite files can be read once SQLITE_FOLDER is set in the server’s configuration.',
  sqlite_file_outside: (file: string) => `‘${file}’ is not the name of a file within SQLITE_FOLDER.`,
  sqlite_file_unknown: (file: string) => `There is no file ‘${file}’ in SQLITE_FOLDER.`,
  values_long_numbers: (columns: string, times: number) =>
    `${formatted(times)} numbers have more digits than a sheet’s numbers can hold and are kept as text: ${columns}.`,
  values_bytes: (columns: string) =>
    `Bytes are kept as text, \\x and two hexadecimal digits for each: ${columns}.`,
  values_nul: (columns: string, times: number) =>
    `${formatted(times)} texts hold characters that cannot be stored (NUL), each of which became \uFFFD: ${columns}.`,
  values_not_utf8: (times: number) =>
    `${formatted(times)} rows hold bytes that are not UTF-8, each of which became \uFFFD.`,
  values_short_floats: (columns: string) =>
    `This database writes six digits of a FLOAT; CAST(… AS DOUBLE) gives all of them: ${columns}.`,
  database_tested: (rows: number, has_more: boolean, seconds: string) =>
    `${has_more ? `The first ${formatted(rows)} rows` : `All ${formatted(rows)} rows`} were read in ${seconds} s.`,

  // child processes for foreign data
  isolated_memory: (megabytes: number) =>
    `Reading was ended: it took more than ${megabytes.toLocaleString('en')} MB of memory.`,
  isolated_time: (seconds: number) =>
    `Reading was ended: it took more than ${seconds.toLocaleString('en')} s of processor time.`,
  tests_many: (tests: number) =>
    `${tests} other tests of connections are under way. Try again once one of them has ended.`,
  isolated_ended: 'The process that reads ended unexpectedly.',

  // internal sources
  internal_title: (task: string) => `‘${task}’`,
  internal_gone: 'The task whose rows are to be read is not there any more.',
  internal_empty: (task: string) => `‘${task}’ has no rows yet: run it first.`,
  internal_replaced: 'The rows that were being read have been replaced: they are read again.',

  // connections
  name_taken: 'Another connection has this name',
  kind_fixed: 'A connection stays what it is: add another one.',
  secret_required: (names: readonly string[]) =>
    `Enter ${names.join(', ')}: a secret is kept only as long as the connection leads to the same host.`,
  value_required: (name: string) => `${name} needs a value.`,
  connection_in_use: (names: readonly string[], more: number) =>
    `Source tasks use this connection: ${names.join(', ')}${more > 0 ? ` and ${formatted(more)} more` : ''}.`,
  host_entry_invalid:
    'This is no host: enter a name (*.example.com for all below it), an address or a range such as 10.0.0.0/8, each with a :port or without. No range may hold private addresses beside others, or IPv4 addresses within IPv6.',
  secrets_unreadable: (name: string) =>
    `The secrets of ‘${name}’ cannot be opened with this SECRET_KEY. Enter them again.`,
  connection_gone: 'The connection is gone.',
} as const
