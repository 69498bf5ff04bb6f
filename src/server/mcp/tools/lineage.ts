import { z } from 'zod'
import { limits } from '../../../contract/limits.ts'
import { type Lineage, lineage } from '../../../contract/lineage/calls.ts'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { moment, own, type Shown } from '../marked-text.ts'
import { defineTool, idArgument } from '../tool.ts'

const nameArgument = (description: string) =>
  z.string().max(limits.field_name_characters).optional().describe(description)

export const cellLineage = defineTool({
  name: 'cell_lineage',
  description: messages.cell_lineage,
  input: z.strictObject({
    link: z.string().max(limits.url_characters).optional().describe(messages.cell_link),
    config_id: idArgument(messages.config_id).optional(),
    sku: nameArgument(messages.sku),
    field: nameArgument(messages.field),
  }),
  run: async ({ link, config_id, sku, field }, call) => {
    const found = await call(lineage.find, {
      query: {
        ...(link !== undefined && { link }),
        ...(config_id !== undefined && { compiler_config_id: config_id }),
        ...(sku !== undefined && { sku }),
        ...(field !== undefined && { field }),
      },
    })
    const { title, notes, written, steps, uses, has_more_uses } = found
    return {
      cell: title,
      notes,
      target: written && {
        state: own(written.state),
        explanation: written.text,
        value: written.value_text,
        last_run: shownRun(written.run),
        value_since: written.since && {
          run: written.since.run_id,
          at: moment(written.since.at),
          is_exact: written.since.is_exact,
          value_before: written.since.former_text,
        },
      },
      comes_from: steps.map(shownStep),
      ends_up_in: uses.map(({ text, task }) => ({ where: text, task: task.name })),
      more_uses: has_more_uses,
    }
  },
})

const shownRun = (run: Lineage['steps'][number]['run']): Shown => run && { id: run.id, at: moment(run.at) }

const shownStep = ({ text, place, task, run, record, notes }: Lineage['steps'][number]): Shown => ({
  explanation: text,
  place: place?.text,
  task: task && { category: own(task.category), id: task.id, name: task.name },
  run: shownRun(run),
  rule: record?.rule,
  sources: record?.sources.map(({ name, state, value_text: value, place: at }) => ({
    name,
    state: own(state),
    value,
    place: at?.text,
  })),
  notes,
})
