import type { Page } from '@playwright/test'
import { z } from 'zod'
import { send } from './as-ada.ts'

const Id = z.object({ id: z.number() })

/** Adds a type of source tasks; returns its id. */
export const addSourceType = async (page: Page, name: string) =>
  Id.parse(await send(page, 'POST', '/api/source_task_types', { name })).id

/** Adds a source task, by default on a sheet that does not exist; returns its id. */
export const addSourceTask = async (
  page: Page,
  source_task_type_id: number | null,
  name: string,
  fields = {},
) =>
  Id.parse(
    await send(page, 'POST', '/api/source_tasks', {
      name,
      source_task_type_id,
      source_type: 'sheet',
      spreadsheet_id: `missing-${crypto.randomUUID()}`,
      sheet_name: 'Products',
      ...fields,
    }),
  ).id
