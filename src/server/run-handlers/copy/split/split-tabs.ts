import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db.ts'
import type { TabRows } from './tab-names.ts'

/** A tab of a split task. */
export type SplitTab = {
  id: number
  value: string
  target_sheet_name: string
  target_place: string | null
  snapshot_id: number | null
}

/** All tabs that the task has in a spreadsheet, in the order in which they were added. */
export const readSplitTabs = (db: Db, task_id: number, target_ss_id: string): Promise<SplitTab[]> =>
  db
    .selectFrom('split_tabs')
    .select(['id', 'value', 'target_sheet_name', 'target_place', 'snapshot_id'])
    .where('task_id', '=', task_id)
    .where('target_ss_id', '=', target_ss_id)
    .orderBy('id')
    .execute()

/** Adds tabs of values that the task has none for yet. */
export const addSplitTabs = (
  trx: Trx,
  task_id: number,
  target_ss_id: string,
  tabs: readonly Pick<TabRows, 'value' | 'name'>[],
): Promise<unknown> =>
  sql`
    insert into split_tabs (task_id, target_ss_id, value, target_sheet_name)
    select ${task_id}, ${target_ss_id}, value, name
    from jsonb_to_recordset(${JSON.stringify(tabs.map(({ value, name }) => ({ value, name })))}::jsonb) as tab (value text, name text)
    on conflict on constraint split_tabs_value_key do nothing`.execute(trx)
