import { expect, test } from 'vitest'
import { exampleTask } from '../../../../../test/fixtures/example-task.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import {
  copyValues,
  EditTaskForm,
  editBody,
  editedName,
  NewTaskForm,
  newValues,
  valuesOf,
} from './task-form.ts'

const filled = valuesOf(exampleTask())
const none = new Set<string>()

test('an empty form marks each required field with its message', () => {
  expect(fieldErrors(NewTaskForm)(newValues(1000))).toEqual({
    sync_task_type_id: 'Choose a task type',
    name: 'Name is required',
    source_ss_id: 'Source Spreadsheet ID required',
    target_ss_id: 'Target Spreadsheet ID required',
    target_sheet_name: 'Target sheet name is required',
  })
})

test('a new task is sent with sort_order 0, an edited one without', () => {
  expect(NewTaskForm.parse(filled)).toMatchObject({ sort_order: 0 })
  expect(EditTaskForm.parse(filled)).not.toHaveProperty('sort_order')
})

test('chunk size and start row have a minimum of 1', () => {
  const marked = fieldErrors(NewTaskForm)({ ...filled, chunk_size: 0, start_row: '' })
  expect(Object.keys(marked)).toEqual(['start_row', 'chunk_size'])
})

test('source and target may not be the same sheet', () => {
  const same = {
    ...filled,
    target_ss_id: filled.source_ss_id,
    target_sheet_name: filled.source_sheet_name,
  }
  expect(fieldErrors(NewTaskForm)(same)).toEqual({
    target_sheet_name: 'Source and target are the same sheet.',
  })
})

test('an internal source needs a compiler configuration, and no spreadsheet', () => {
  const inside = { ...filled, source_type: 'internal' as const, source_ss_id: 'half typ' }
  expect(fieldErrors(NewTaskForm)(inside)).toEqual({
    source_compiler_config_id: 'Please select a Compiler Configuration for internal source tasks.',
  })
  expect(NewTaskForm.parse({ ...inside, source_compiler_config_id: '4' })).toMatchObject({
    source_type: 'internal',
    source_ss_id: '',
    source_sheet_name: '',
    source_compiler_config_id: 4,
  })
})

test('a configuration is not sent after the source type was changed to a sheet', () => {
  const sheet = NewTaskForm.parse({ ...filled, source_compiler_config_id: '4' })
  expect(sheet).toMatchObject({ source_type: 'sheet', source_compiler_config_id: null })
})

test('scheduled times start as 04:00, 23:00; an empty value is sent as ["None"]', () => {
  expect(newValues(1000).scheduled_times).toEqual(['04:00', '23:00'])
  expect(NewTaskForm.parse({ ...filled, scheduled_times: [] }).scheduled_times).toEqual(['None'])
  expect(NewTaskForm.parse({ ...filled, scheduled_times: ['05:30'] }).scheduled_times).toEqual(['05:30'])
})

test('a spreadsheet URL is sent as its id', () => {
  const address = 'https://docs.google.com/spreadsheets/d/1AbcDefGhiJklMnoPqrStu/edit#gid=0'
  expect(NewTaskForm.parse({ ...filled, source_ss_id: address }).source_ss_id).toBe('1AbcDefGhiJklMnoPqrStu')
})

const task = exampleTask({ id: 7, name: 'Nightly' })
const derived = exampleTask({ id: 7, name: 'Products' })

test('an edited name is sent unchanged', () => {
  expect(editedName(task, { ...task, name: 'Mine', source_sheet_name: 'New' }, none)).toBe('Mine')
  expect(editedName(task, { ...task, source_sheet_name: 'New' }, none)).toBe('Nightly')
})

test('a blank or unedited derived name is derived from the source sheet, else the target sheet, else the id', () => {
  expect(editedName(task, { ...task, name: '' }, none)).toBe('Products')
  expect(editedName(derived, { ...derived, source_sheet_name: 'New' }, none)).toBe('New')
  expect(editedName(task, { ...task, name: '', source_sheet_name: '' }, none)).toBe('Shop')
  const sheets = { source_sheet_name: '', target_sheet_name: '' }
  expect(editedName(task, { ...sheets, name: '' }, none)).toBe('Sync Task 7')
})

test('a derived name that already exists in the type gets a number, within a hundred characters', () => {
  expect(editedName(task, { ...task, name: '' }, new Set(['Products', 'Products (2)']))).toBe('Products (3)')
  const long = 'x'.repeat(100)
  const name = editedName(task, { ...task, name: '', source_sheet_name: long }, new Set([long]))
  expect(name).toBe(`${'x'.repeat(96)} (2)`)
})

test('an edit sends the version it is based on', () => {
  const body = editBody(task, EditTaskForm.parse({ ...valuesOf(task), name: '' }), none)
  expect(body).toMatchObject({ name: 'Products', updated_at: task.updated_at, sync_task_type_id: 1 })
})

test('a copy of a task keeps how its rows come into the target, and settings that do not go together are marked', () => {
  const task = exampleTask({
    write_mode: 'update',
    key_columns: ['SKU'],
    on_missing: 'mark',
    mark_column: 'State',
    on_cells_beside: null,
  })
  const copy = {
    ...copyValues(task, new Set()),
    target_ss_id: 't'.repeat(44),
    target_sheet_name: 'Other',
  }
  const parsed = NewTaskForm.parse(copy)
  expect(parsed).toMatchObject({ write_mode: 'update', key_columns: ['SKU'], mark_column: 'State' })
  // A person who saves it accepts what new tasks do.
  expect(parsed.on_cells_beside).toBe('fail')
  const fields = NewTaskForm.safeParse({ ...copy, key_columns: [], mark_column: null }).error?.issues
  expect(fields?.map(({ path }) => path[0])).toEqual(['key_columns', 'mark_column'])
})
