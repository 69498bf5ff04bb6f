import { z } from 'zod'
import type { SignedIn, TestApp } from './app.ts'
import { accessToken, control } from './sandbox.ts'
import { uploadsTo } from './uploads.ts'

/** Spreadsheets that have names, and tasks that are imported with them. */
export function namedSpreadsheets(app: TestApp) {
  return {
    /** A spreadsheet of that name in somebody's Drive; returns its id. */
    called: async (title: string, owner = 'ada@example.com'): Promise<string> => {
      const reply = await fetch(`${app.sandbox.root}/v4/spreadsheets`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await accessToken(app.sandbox.root, owner)}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ properties: { title } }),
      })
      return z.object({ spreadsheetId: z.string() }).parse(await reply.json()).spreadsheetId
    },
    /** How often Rowferry asked Sheets, whose quota the runs need. */
    requests: async (): Promise<number> => {
      const ledger = z.object({ entries: z.array(z.object({ user_agent: z.string() })) })
      const { entries } = ledger.parse(await control(app.sandbox.root, 'GET', 'ledger'))
      return entries.filter(({ user_agent }) => user_agent.includes('rowferry')).length
    },
    /** Imports sync tasks of the type with these spreadsheets, as somebody. */
    imported: async (by: SignedIn, type: string, spreadsheets: [source: string, target: string][]) => {
      const rows = spreadsheets.map(
        ([source, target], at) => `${type},Import ${at},${source},${target},Sheet\n`,
      )
      const header = 'task_type,name,source_ss_id,target_ss_id,target_sheet_name\n'
      await uploadsTo('/api/sync_tasks/import', app, by).imported(header + rows.join(''))
    },
  }
}
