import type { Page } from '@playwright/test'
import { z } from 'zod'
import { send } from './as-ada.ts'
import { type Cell, makeSpreadsheet } from './google-sheets.ts'

const Id = z.object({ id: z.number() })

export type AddedTask = { id: number; name: string; source_ss_id: string; target_ss_id: string }

/** Adds a type; returns its id. */
export async function addType(page: Page, name: string, fields: object = {}): Promise<number> {
  return Id.parse(await send(page, 'POST', '/api/sync_task_types', { name, ...fields })).id
}

/** Adds a task that copies `rows` from a new spreadsheet to another, empty one. */
export async function addTask(page: Page, type: number, name: string, rows: Cell[][]): Promise<AddedTask> {
  const source_ss_id = await makeSpreadsheet(`${name} source`, rows)
  const target_ss_id = await makeSpreadsheet(`${name} target`)
  const body = {
    sync_task_type_id: type,
    name,
    source_ss_id,
    target_ss_id,
    target_sheet_name: 'Data',
    chunk_size: 1000,
  }
  return {
    id: Id.parse(await send(page, 'POST', '/api/sync_tasks', body)).id,
    name,
    source_ss_id,
    target_ss_id,
  }
}
