import type { Area } from './owned-areas.ts'

/** Stored state of a task's target tab. `target_place` is its `tab_id`; `owned_rows` is 0 until a run has filled it. */
export type Binding = {
  target_place: string | null
  owned_columns: number
  owned_rows: number
  owned_start_row: number | null
  /** Areas recorded for writing since the last successful run. */
  intended: Area[]
}

/** Of a tab that no run has written. */
export const unwritten: Omit<Binding, 'target_place'> = {
  ...{ owned_columns: 0, owned_rows: 0, owned_start_row: null, intended: [] },
}
