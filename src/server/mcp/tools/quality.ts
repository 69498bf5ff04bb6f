import { z } from 'zod'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { moment } from '../marked-text.ts'
import { defineTool, idArgument, limitArgument, offsetArgument } from '../tool.ts'

// Fields and moves that a result holds: the first ones are the worst.
const FIRST = 30

const filters = {
  errors: { has_errors: 'true' },
  blanks: { has_blanks: 'true' },
  duplicates: { is_duplicate: 'true' },
  not_in_master: { not_in_master: 'true' },
} as const

export const quality = defineTool({
  name: 'quality',
  description: messages.quality,
  input: z.strictObject({
    config_id: idArgument(messages.config_id),
    finding: z
      .enum(['errors', 'blanks', 'duplicates', 'not_in_master'])
      .default('errors')
      .describe(messages.finding),
    limit: limitArgument(20, 100),
    offset: offsetArgument(),
  }),
  run: async ({ config_id, finding, limit, offset }, call) => {
    const query = { compiler_config_id: config_id }
    const [stats, found, page] = await Promise.all([
      call(compilerRecords.stats, { query }),
      call(compilerRecords.quality, { query }),
      call(compilerRecords.data, { query: { ...query, ...filters[finding], limit, offset } }),
    ])
    const { since_last } = found
    return {
      compiled_at: moment(stats.compiled_at),
      records: stats.total_records,
      clean: stats.clean_records,
      with_blanks: stats.records_with_blanks,
      with_errors: stats.records_with_errors,
      duplicates: stats.duplicate_records,
      blank_fields: found.fields
        .filter(({ blanks }) => blanks > 0)
        .toSorted((a, b) => b.blanks - a.blanks)
        .slice(0, FIRST)
        .map(({ name, blanks }) => ({ name, blanks })),
      since_last_compile: since_last && {
        added: since_last.added,
        changed: since_last.changed,
        gone: since_last.gone,
        moves: since_last.moves.slice(0, FIRST).map(({ source, field, sku, from, to }) => ({
          source: source.name,
          field,
          sku,
          from,
          to,
        })),
      },
      findings: page.data.map(({ sku, source_count, validation_notes }) => ({
        sku,
        sources: source_count,
        notes: validation_notes,
      })),
      findings_in_all: page.total_count,
      next_offset: page.has_next ? offset + limit : null,
    }
  },
})
