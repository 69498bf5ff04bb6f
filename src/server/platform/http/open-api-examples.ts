type Schema = Record<string, unknown>

/** Example values by field name, where the schema is not specific enough. */
const BY_NAME: Record<string, unknown> = {
  name: 'Prices',
  source_ss_id: '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
  target_ss_id: '1ZyXwVuTsRqPoNmLkJiHgFeDcBa9876543210',
  spreadsheet_id: '1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
  source_sheet_name: 'Products',
  target_sheet_name: 'Shop',
  sheet_name: 'Products',
  source_type: 'sheet',
  scheduled_times: ['04:00'],
  relevant_user_accounts: [],
  excluded_fields: ['Cost'],
  key_columns: ['SKU'],
  mark_text: 'Missing since {date}',
  split_tab_name: '{value}',
  field_groups: [['Cost', 'Purchase price']],
  ids: [7, 8],
  source_task_ids: [7, 8],
  master_source_id: 7,
  more_sources: [],
  warning_ids: ['a1'],
  cron_expression: '0 4 * * *',
  host: 'api.example.com',
  url: 'https://api.example.com/items',
  query: 'status=Error',
  key: 'alarm 7',
  keys: ['alarm 7'],
  updated_at: '2026-01-31T04:00:00.000Z',
}

const BY_FORMAT: Record<string, unknown> = { 'date-time': BY_NAME.updated_at, date: '2026-01-31' }

const SYNC_TYPE_COLUMNS =
  'name,description,group_name,priority,is_active,allowed_concurrent_tasks,timeout_minutes,max_retries,retry_delay_seconds,queue_delay_seconds,chunk_size,dependencies,ready_by'
const SOURCE_TASKS = [
  'source_task_type_name,name,source_type,source_identifier,spreadsheet_id,sheet_name,start_row,chunk_size,is_active,is_master_catalog,description,min_rows_percent,max_rows,csv_delimiter,csv_encoding,csv_quote,file_expected_hours,relevant_user_accounts,tags,notes,owner,ready_by',
  `Suppliers,Prices,sheet,,${BY_NAME.spreadsheet_id},Products,1,1000,true,false,,50,100000,auto,auto,auto,,,nightly,Ask the supplier on Mondays.,ada@example.com,`,
]

const FILES: Record<string, string[]> = {
  'sync_tasks_export.csv': [
    'task_type,name,source_type,source_ss_id,source_sheet_name,target_ss_id,target_sheet_name,source_compiler_config_id,sync_preset_id,chunk_size,start_row,scheduled_times,relevant_user_accounts,sort_order,is_active,tags,notes,limit_removed_percent,limit_emptied_percent,limit_from_rows,limit_changed_cells,required_columns,filled_columns,unique_column,owner,ready_by,columns,include_new_columns,filter,sort_by,max_rows,extra_columns,write_mode,key_columns,on_missing,mark_column,mark_text,on_bad_keys,find_columns_by_header,on_cells_beside,more_sources,split_by,split_tab_name,target_csv_delimiter,target_csv_encoding,source_csv_delimiter,source_csv_encoding,source_csv_quote,completeness',
    `Shops,Prices,sheet,${BY_NAME.source_ss_id},Products,${BY_NAME.target_ss_id},Shop,,,2000,1,"04:00, 16:00",,1,true,"nightly, shop",,25,,,,SKU,,SKU,ada@example.com,07:00,,false,,,,,update,SKU,keep,,Missing since {date},fail,false,fail,,,{value},,,,,,`,
  ],
  'source_tasks_export.csv': SOURCE_TASKS,
  'source_tasks_legacy_export.csv': SOURCE_TASKS,
  'sync_task_types_export.csv': [
    SYNC_TYPE_COLUMNS,
    'Shops,,,1,true,3,,3,60,0,2000,Suppliers | source | success,',
  ],
  'source_task_types.csv': [
    SYNC_TYPE_COLUMNS.replace('group_name,', 'group_name,cron_schedule,'),
    'Suppliers,,,0 4 * * *,1,true,1,30,3,300,0,1000,,06:00',
  ],
  'source_task_data_copy.csv': ['SKU,Price', 'A-1,9.90'],
  'sync_task_data_copy.csv': ['SKU,Price', 'A-1,9.90'],
  'compiled_data.csv': ['SKU,Name,Price', 'A-1,Lamp,9.90'],
  'compiled_changes.csv': ['sku,change,field,before,after,sources', 'A-1,changed,Price,9.90,8.50,Prices'],
  'compiler_configs.csv': [
    'name,description,is_active,sources,master_source,required_fields,field_groups,field_priorities,column_names,field_checks,field_rules,approval_percent,stale_days,sku_mappings,tags,notes,owner',
    'Catalogue,,true,"[""Shop"",""Prices""]",Shop,"[""Name""]",[],[],[],[],[],20,14,[],,,ada@example.com',
  ],
  'overrides.csv': ['sku,field,value,reason,ends_on', 'A-1,Price,8.50,Sale,2026-12-24'],
  'uploaded_file.csv': ['SKU,Price', 'A-1,9.90'],
  'csv_job.csv': ['name,priority', 'Shops,1'],
}

/** Example content of a file with this name. Throws if there is none. */
export function exampleFile(filename: string): string {
  const lines = FILES[filename]
  if (!lines) throw new Error(`No example of ${filename}`)
  return lines.map((line) => `${line}\r\n`).join('')
}

const LOCATIONS: Record<string, string> = {
  '/auth/login': 'https://accounts.google.com/o/oauth2/v2/auth?client_id=…&state=…',
  '/auth/callback': '/sync_tasks',
}

/** Example target of a redirect. Throws if there is none. */
export function exampleLocation(path: string): string {
  const location = LOCATIONS[path]
  if (location === undefined) throw new Error(`No example of where ${path} leads`)
  return location
}

/** A value that is valid for a JSON schema: of an object its required fields, its lists and those with an example. */
export function exampleOf(schema: Schema, name = ''): unknown {
  if (name in BY_NAME) return BY_NAME[name]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches))
    return branches.some(({ type }) => type === 'null') ? null : exampleOf(branches[0], name)
  switch (schema.type) {
    case 'object':
      return exampleObject(schema)
    case 'array':
      return exampleArray(schema, name)
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? Math.max(1, schema.minimum) : 1
    case 'string':
      return BY_FORMAT[String(schema.format)] ?? 'text'
    default:
      return null
  }
}

function exampleArray({ items, minItems }: Schema, name: string): unknown[] {
  return isSchema(items) ? Array.from({ length: Number(minItems ?? 1) }, () => exampleOf(items, name)) : []
}

function exampleObject({ properties, required, additionalProperties: others }: Schema): Schema {
  const of = isSchema(properties) ? properties : {}
  const named = Object.keys(of).filter((name) => name in BY_NAME)
  const needed = Array.isArray(required) ? required.map(String) : []
  const lists = Object.keys(of).filter((name) => isEmptyList(of[name]))
  const names = new Set([...needed, ...named, ...lists])
  return Object.fromEntries(
    [...names].map((name) => {
      const schema = of[name] ?? others
      return [name, isSchema(schema) ? exampleOf(schema, name) : null]
    }),
  )
}

const isEmptyList = (schema: unknown): boolean =>
  isSchema(schema) && Array.isArray(schema.default) && schema.default.length === 0

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
