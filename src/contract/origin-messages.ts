import { limits } from './limits.ts'
import { quoted } from './quoted.ts'

const said = (detail: string) => (detail === '' ? '' : `: ${quoted(detail)}`)

/** The part of the catalogue that is about connections and what source tasks fetch through them. */
export const originMessages = {
  identifier_invalid: 'Identifier must be 2–60 chars (alphanumeric, _, -)',
  url_required: 'The address is required',
  statement_required: 'The statement is required',

  // hosts that may be reached
  host_invalid: (host: string) => `“${host}” is not the name or address of a host.`,
  host_not_allowed: (host: string, port: number) =>
    `${host} (port ${port}) is not on the list of allowed hosts. An administrator can add it.`,
  address_not_allowed: (address: string, port: number, kind: string) =>
    `${address} (port ${port}) is ${kind ? `a ${kind}` : 'an'} address that is not on the list of allowed hosts.`,
  name_leads_inside: (name: string, address: string, kind: string) =>
    `${name} leads to ${address}, a ${kind} address that is not on the list of allowed hosts.`,
  name_unknown: (name: string) => `The name ${name} could not be resolved.`,

  // HTTP APIs: what the settings say
  url_invalid: 'The address is not a valid URL.',
  scheme_refused: (scheme: string) => `Only http and https addresses can be fetched, not ${scheme}.`,
  url_with_credentials: 'The address contains a user or password. Put them into a secret header instead.',
  header_refused: (name: string) => `The header “${quoted(name)}” cannot be sent.`,
  body_invalid: 'The body of the request is not a JSON object.',
  path_invalid: (label: string, path: string, reason: string) =>
    `The path to the ${label}, “${quoted(path)}”, is not a JSONPath: ${quoted(reason)}`,
  paging_of_csv: 'CSV replies can be paged by page, offset or Link header only.',

  // HTTP APIs: what came back
  api_refused: (status: number, detail: string) =>
    `The API refused the request (${status}${said(detail)}). Check its headers and secrets.`,
  api_not_found: (status: number, detail: string) =>
    `The API has nothing at this address (${status}${said(detail)}).`,
  api_rejected: (status: number, detail: string) =>
    `The API rejected the request (${status}${said(detail)}).`,
  api_busy: (status: number, detail: string) => `The API is busy or out of order (${status}${said(detail)}).`,
  api_wait_long: (seconds: number) =>
    `The API asks to wait another ${seconds.toLocaleString('en')} s, longer than one attempt waits.`,
  api_unreachable: (reason: string) => `The API could not be reached (${quoted(reason)}).`,
  reply_late: (seconds: number) => `The API did not answer within ${seconds} s.`,
  reply_slow: 'The API sends its reply too slowly.',
  reply_too_large: (bytes: number) =>
    `The reply is larger than ${Math.floor(bytes / 1_048_576).toLocaleString('en')} MB. Ask for it in pages.`,
  encoding_unknown: (encoding: string) =>
    `The reply is packed as ${quoted(encoding)}, which is not supported.`,
  charset_unknown: (charset: string) =>
    `The reply is in ${quoted(charset)}. Only UTF-8, UTF-16 and Latin-1 can be read.`,
  charset_missing: (likely: string) =>
    `The reply is not valid UTF-8 and does not say its charset; it is probably ${likely}.`,
  charset_broken: (charset: string) => `The reply is not valid ${charset}, which it says it is.`,
  redirects_many: 'The API redirects too many times.',
  web_page: (wanted: string, title: string) =>
    `The address answered a web page${title ? ` (“${quoted(title)}”)` : ''} instead of ${wanted}. It may need a sign-in.`,
  json_broken: (characters: number) =>
    `The reply is not valid JSON (${characters.toLocaleString('en')} characters).`,
  json_too_deep: 'The reply is nested too deeply.',
  list_missing: (has_path: boolean, fields: readonly string[]) =>
    `The reply ${has_path ? 'has no list at the given path' : 'is not a list'}. ${
      fields.length > 0 ? `It has: ${quoted(fields.join(', '))}.` : 'It has no fields.'
    }`,
  next_invalid: 'The address of the next page is not a valid URL.',
  link_invalid: 'The Link header of the reply cannot be read.',
  pages_repeat:
    'The API returned the same rows three times for different pages. Check the paging of the connection.',
  pages_empty: (pages: number) => `The API says that there is more, but ${pages} pages in a row were empty.`,
  ended_after_empty_pages: (pages: number) =>
    `Ended after ${pages} empty pages in a row, although the API named another one.`,
  rows_too_many: (rows: number) => `There are more than ${rows.toLocaleString('en')} rows.`,
  columns_too_many: (columns: number) => `There are more than ${columns.toLocaleString('en')} columns.`,
  csv_record_long: (row: number) =>
    `Row ${row.toLocaleString('en')} of the CSV has more than ${limits.csv_record_characters.toLocaleString('en')} characters. A quote may not close.`,
  csv_quote_open: (row: number) =>
    `Row ${row.toLocaleString('en')} of the CSV has a quote that does not close.`,
  csv_quote_stray: (row: number) =>
    `Row ${row.toLocaleString('en')} of the CSV has something behind a closing quote.`,
  csv_ragged: (count: number, first: number) =>
    `${count.toLocaleString('en')} rows have more or fewer cells than the header, first data row ${first.toLocaleString('en')}.`,
  test_read: (rows: number, pages: number, has_more: boolean) =>
    `Read ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} in ${pages} ${pages === 1 ? 'page' : 'pages'}${has_more ? '; there is more' : ''}.`,
  guess_link: 'The reply has a Link header that names the next page.',
  guess_field: (path: string) => `The reply has ${quoted(path)}.`,
  guess_param: (name: string) => `The request asks for “${quoted(name)}”.`,
  guess_none: 'The reply says nothing of further pages.',
  secret_in_data: 'The rows contained a secret of the connection. It was masked.',
} as const
