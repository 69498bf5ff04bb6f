import { expect, test } from 'vitest'
import { exampleState } from '../../../../../test/fixtures/example-task.ts'
import type { CompilerConfig } from '../../../../contract/compiler/configs.ts'
import type { TaskState } from '../../../../contract/tasks/schemas.ts'
import { endedConfigs, statusOf, withStates, withWaits } from './compile-states.ts'
import { chooseConfig } from './selected-config.ts'

const config = (id: number, fields: Partial<CompilerConfig> = {}): CompilerConfig => ({
  id,
  task_id: id + 100,
  name: `Config ${id}`,
  description: '',
  is_active: true,
  source_task_ids: [],
  master_source_id: null,
  required_fields: [],
  field_groups: [],
  field_priorities: [],
  field_checks: [],
  field_rules: [],
  column_names: [],
  approval_percent: null,
  stale_days: null,
  waiting: null,
  source_names: [],
  task_type_name: null,
  owner: null,
  tags: [],
  has_notes: false,
  notes: '',
  task_type_schedule: null,
  created_at: '2026-11-20T04:00:00.000Z',
  updated_at: '2026-11-20T04:00:00.000Z',
  ...fields,
})

test('selects the configuration in the URL, else the stored one, else the first active one', () => {
  const configs = [config(1, { is_active: false }), config(2), config(3)]
  const chosen = (wanted: string | null, stored: string | null) => chooseConfig(configs, wanted, stored)?.id
  expect(chosen('3', '1')).toBe(3)
  expect(chosen(null, '1')).toBe(1)
  expect(chosen('99', '98')).toBe(2)
  expect(chooseConfig([config(1, { is_active: false })], null, null)?.id).toBe(1)
  expect(chooseConfig([], '1', '1')).toBeNull()
})

test('a compile has ended if it was live, or was triggered since, and is not live any more', () => {
  const asked = (time: string) => ({ time, triggered_by: 'Ada' })
  const known = [
    exampleState({ id: 101, state: 'running', last_triggered: asked('1') }),
    exampleState({ id: 102, state: 'success', last_triggered: asked('1') }),
    exampleState({ id: 103, state: 'queued', last_triggered: asked('1') }),
  ]
  const ended = (...newer: TaskState[]) =>
    endedConfigs([config(1), config(2), config(3)], known, newer).map(({ id }) => id)
  expect(ended(exampleState({ id: 101, state: 'success', last_triggered: asked('1') }))).toEqual([1])
  expect(ended(exampleState({ id: 102, state: 'success', last_triggered: asked('2') }))).toEqual([2])
  expect(
    ended(
      known[1] ?? exampleState({}),
      exampleState({ id: 103, state: 'running', last_triggered: asked('1') }),
    ),
  ).toEqual([])
  // acknowledged, not compiled
  expect(ended(exampleState({ id: 102, state: 'warning', last_triggered: asked('1') }))).toEqual([])
  // first known state
  expect(endedConfigs([config(1)], [], [exampleState({ id: 101, state: 'success' })])).toEqual([])
})

test('newer states replace older ones; only queued compiles wait', () => {
  const known = [exampleState({ id: 1, state: 'queued' }), exampleState({ id: 2, state: 'running' })]
  expect(
    withStates(known, [exampleState({ id: 2, state: 'success' }), exampleState({ id: 3 })]).map(
      (one) => one.state,
    ),
  ).toEqual(['queued', 'success', null])
  const wait = { for: 'pick_up' } as const
  const lines = [{ task_type_id: null, wait, is_ordered: true, task_ids: [1, 2] }]
  expect(withWaits(known, lines as never).map(({ waits_for }) => waits_for)).toEqual([wait, null])
})

test('every state of a run has a label', () => {
  expect(statusOf(undefined)).toMatchObject({ label: 'Never compiled' })
  expect(statusOf(exampleState({ state: 'running' }))).toMatchObject({ label: 'Compiling', is_live: true })
})
