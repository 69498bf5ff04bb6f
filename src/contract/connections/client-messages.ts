import { formatted } from '../counted.ts'

/** Texts of the connection screens. */
export const connectionMessages = {
  // the list
  title: 'Connections',
  hint: 'HTTP APIs and databases that source tasks read from',
  admins_only: 'Administrators manage the connections. Every source task can use them by their names.',
  none_yet: 'No connections yet',
  none_yet_hint: 'A connection says where rows come from, and keeps the key or password for it.',
  search: 'Search connections',
  search_hint: 'Search by name or address',
  any_kind: 'All kinds',
  nothing_matches: 'No connection matches these filters',
  add: 'Add connection',
  new_title: 'New Connection',
  edit_title: 'Edit Connection',
  fetch_failed: 'Failed to load connections',
  added: 'Connection added',
  updated: 'Connection updated',
  deleted: 'Connection deleted',
  save_failed: 'Failed to save the connection',
  gone: 'Connection not found.',
  delete_failed: 'Failed to delete the connection',
  confirm_delete: (name: string) =>
    `Delete the connection “${name}”? Its address, its settings and its secrets are lost. Rows that were already read remain.`,
  test_failed: 'The test could not be carried out',

  // allowed hosts
  hosts: 'Allowed hosts',
  hosts_hint:
    'Connections reach these hosts and no others. A name that resolves to a private address needs that address here, too.',
  hosts_none: 'No host is allowed yet, so no API and no database server can be reached.',
  host_label: 'Host',
  host_placeholder: 'api.example.com',
  host_form:
    'A name, *.example.com for all below it, an address or a range of addresses, each with a :port or without',
  host_required: 'Enter a host',
  fetch_hosts_failed: 'Failed to load the allowed hosts',
  allow_failed: 'Failed to allow the host',
  refuse_failed: 'Failed to remove the host',
  allow: (host: string) => `Allow ${host}`,
  allowed: (host: string) => `${host} is allowed`,
  removed: (host: string) => `${host} is not allowed any more`,
  confirm_refuse: (host: string) =>
    `Remove ${host} from the allowed hosts? Source tasks whose connections reach it fail from then on.`,

  // the form
  name_hint: 'The name source tasks use: letters, digits, _ and -',
  url_hint: 'Include query parameters common to all pages',
  headers_hint: 'Such as Authorization or X-Api-Key. A secret is kept sealed and never shown again.',
  params_hint: 'Query parameters in addition to those of the URL',
  stored_secret: 'Stored. Enter another one to replace it.',
  unchanged: 'Unchanged',
  header_name_required: 'Enter a name',
  secret_value_required: 'Enter a value',
  list_hint: 'JSONPath, such as $.data. Blank: the reply is the list, or the test finds it.',
  missing_list: 'A missing list is the end',
  missing_list_hint:
    'Only for an API that leaves out the list, or answers null, where there are no rows. Otherwise a reply without a list is a failure.',
  total_hint: 'JSONPath of the total number of rows, to detect an incomplete read',
  delimiter_hint: 'Between the cells of a row. Automatic: by the first 100 lines.',
  encoding_hint: 'Automatic: as the reply says, else UTF-8',
  paging_hint: 'The test finds the usual ones.',
  paging_name_required: 'Enter its name',
  size_hint: 'Blank: the API decides',
  cursor_hint: 'JSONPath of what the next request sends',
  next_url_hint: 'JSONPath of the address of the next page',
  body_hint: 'A JSON object. What asks for a page is put into it.',
  certificates_hint:
    'PEM. Only where no public authority signed the server’s certificate: that of the authority that did.',
  statement_hint: 'One SELECT. It runs in a read-only transaction.',
  database_user_hint: 'One that may read what the statement needs, and nothing else',
  privileged_user: 'This user may read files of the server',
  privileged_user_hint:
    'A superuser, or a user with pg_read_server_files or FILE, is refused unless this is set: a statement could then read files of that server, such as its keys, into rows that all users see. A user of its own that may only read the tables is better.',
  file_hint: 'Within the folder that SQLITE_FOLDER names on the server',
  tls_off: 'Unencrypted: password and rows can be read on the way',

  // the test
  test: 'Test',
  test_hint:
    'A test reads up to five pages, shows what was asked and what came back, and fills in where the list is and how its pages follow.',
  testing: 'Reading the first pages…',
  filled_in: (fields: string) => `Filled in: ${fields}.`,
  not_up_to_date: 'The form has changed since this test.',
  total: (rows: number) => `The origin counts ${formatted(rows)} in all.`,
  no_rows: 'No rows came back.',
  first_rows: (shown: number, read: string) =>
    shown < 2 ? read : `The first ${formatted(shown)} of ${read}`,
  no_reply: 'no reply',
  save_and_add: 'Save and add a source task',
} as const
