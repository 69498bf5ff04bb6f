import { z } from 'zod'
import { mcpMessages as messages } from '../../../contract/mcp/server-messages.ts'
import { uploads } from '../../../contract/uploads/calls.ts'
import { moment } from '../marked-text.ts'
import { defineTool, idArgument } from '../tool.ts'

export const sourceFile = defineTool({
  name: 'source_file',
  description: messages.source_file,
  input: z.strictObject({ id: idArgument(messages.source_id) }),
  run: async ({ id }, call) => {
    const params = { id }
    const [state, files] = await Promise.all([
      call(uploads.state, { params }),
      call(uploads.files, { params }),
    ])
    return {
      file: state.name,
      spreadsheet_id: state.spreadsheet_id,
      bytes: state.size,
      changed: moment(state.modified_at),
      open_by: state.locked_by,
      problem: state.problem,
      is_late: state.is_late,
      uploaded: files.map(({ name, size, uploaded_at, uploaded_by, is_current }) => ({
        name,
        bytes: size,
        uploaded: moment(uploaded_at),
        by: uploaded_by,
        is_current,
      })),
    }
  },
})
