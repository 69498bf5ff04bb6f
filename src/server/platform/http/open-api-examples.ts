type Schema = Record<string, unknown>

/** What fields are filled with by their names, where their schema alone would not say it. */
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
  field_groups: [['Cost', 'Purchase price']],
  source_task_ids: [7, 8],
  master_source_id: 7,
  warning_ids: ['a1'],
  cron_expression: '0 4 * * *',
  host: 'api.example.com',
  url: 'https://api.example.com/items',
  updated_at: '2026-01-31T04:00:00.000Z',
}

const BY_FORMAT: Record<string, unknown> = { 'date-time': BY_NAME.updated_at, date: '2026-01-31' }

/** A value that a JSON schema takes: of an object what it requires and what is known by its name. */
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
      return isSchema(schema.items) ? [exampleOf(schema.items, name)] : []
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

function exampleObject({ properties, required, additionalProperties: others }: Schema): Schema {
  const of = isSchema(properties) ? properties : {}
  const named = Object.keys(of).filter((name) => name in BY_NAME)
  const names = new Set([...(Array.isArray(required) ? required.map(String) : []), ...named])
  return Object.fromEntries(
    [...names].map((name) => {
      const schema = of[name] ?? others
      return [name, isSchema(schema) ? exampleOf(schema, name) : null]
    }),
  )
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null
