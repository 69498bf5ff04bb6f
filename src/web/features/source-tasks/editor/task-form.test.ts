import { expect, test } from 'vitest'
import { exampleSourceTask } from '../../../../../test/fixtures/example-task.ts'
import { editBody, formErrors, newBody, newValues, valuesOf, withOrigin, withType } from './task-form.ts'

const task = exampleSourceTask({ source_task_type_id: 4 })
const stored = valuesOf(task)

test('an empty form shows the specified messages', () => {
  expect(formErrors(null, { ...newValues, chunk_size: 0 })).toEqual({
    name: 'Name is required',
    source_task_type_id: 'Type is required',
    source_type: 'Source Type is required',
    chunk_size: 'Chunk Size must be ≥ 1',
  })
})

test.each([
  [{ spreadsheet_id: ' ' }, 'spreadsheet_id', 'Source Spreadsheet ID required'],
  [{ spreadsheet_id: 'a'.repeat(14) }, 'spreadsheet_id', 'Spreadsheet ID looks too short'],
  [{ sheet_name: '  ' }, 'sheet_name', 'Source Sheet Name required'],
  [{ source_identifier: 'a' }, 'source_identifier', 'Identifier must be 2–60 chars (alphanumeric, _, -)'],
  [{ source_identifier: 'a b' }, 'source_identifier', 'Identifier must be 2–60 chars (alphanumeric, _, -)'],
  [
    { source_identifier: 'x'.repeat(61) },
    'source_identifier',
    'Identifier must be 2–60 chars (alphanumeric, _, -)',
  ],
  [{ description: 'x'.repeat(513) }, 'description', 'Description must be 512 characters or less'],
  [{ chunk_size: '' }, 'chunk_size', 'Chunk Size must be ≥ 1'],
  [{ name: '' }, 'name', 'Name is required'],
])('%j is rejected with its message, in a new and in an edited task', (change, field, message) => {
  expect(formErrors(null, { ...stored, ...change })).toEqual({ [field]: message })
  expect(formErrors(stored, { ...stored, ...change })).toEqual({ [field]: message })
})

test('an identifier is optional, texts are trimmed, a spreadsheet URL is sent as its id', () => {
  const body = newBody({
    ...stored,
    name: ' Prices ',
    source_identifier: ' prices_1 ',
    description: ' Daily ',
    spreadsheet_id: 'https://docs.google.com/spreadsheets/d/1AbcDefGhiJklMnoPqrStu/edit#gid=0',
  })
  expect(body).toMatchObject({
    name: 'Prices',
    source_identifier: 'prices_1',
    description: 'Daily',
    spreadsheet_id: '1AbcDefGhiJklMnoPqrStu',
    source_task_type_id: 4,
  })
  expect(formErrors(null, { ...stored, source_identifier: '' })).toEqual({})
})

test('an edit sends the changed fields and the version it is based on', () => {
  expect(editBody(task, { ...stored, name: 'Other' })).toEqual({ name: 'Other', updated_at: task.updated_at })
})

test('stored values are validated only when they are changed', () => {
  const odd = { ...stored, source_task_type_id: null, chunk_size: 0 }
  expect(formErrors(odd, { ...odd, name: 'Other' })).toEqual({})
  expect(formErrors(odd, { ...odd, chunk_size: -1 })).toEqual({ chunk_size: 'Chunk Size must be ≥ 1' })
})

test('a change to type sheet requires spreadsheet and sheet name', () => {
  const api = { ...stored, source_type: 'api' as const, spreadsheet_id: '', sheet_name: '' }
  expect(formErrors(api, withOrigin(api, 'sheet'))).toEqual({
    spreadsheet_id: 'Source Spreadsheet ID required',
    sheet_name: 'Source Sheet Name required',
  })
})

test('changing the type away from sheet clears the sheet fields and the identifier, whose meaning differs', () => {
  const named = { ...stored, source_identifier: 'prices' }
  const changed = withOrigin(named, 'api')
  expect(changed).toMatchObject({ spreadsheet_id: '', sheet_name: '', source_identifier: '' })
  expect(formErrors(named, changed)).toEqual({
    source_identifier: 'Choose a connection, or add one under Settings',
  })
  const chosen = { ...changed, source_identifier: 'stock' }
  expect(editBody(exampleSourceTask({ source_identifier: 'prices' }), chosen)).toMatchObject({
    source_type: 'api',
    spreadsheet_id: '',
    sheet_name: '',
    source_identifier: 'stock',
  })
  expect(withOrigin(named, 'sheet')).toBe(named)
})

test.each([
  ['api', 'Choose a connection, or add one under Settings'],
  ['database', 'Choose a connection, or add one under Settings'],
  ['internal', 'Choose a source task or a compiler configuration to read from'],
] as const)(
  'a new task of type %s requires its source; a stored task without one is validated once its source changes',
  (source_type, message) => {
    const blank = { ...stored, source_type, source_identifier: '', spreadsheet_id: '', sheet_name: '' }
    expect(formErrors(null, blank)).toEqual({ source_identifier: message })
    expect(formErrors(blank, { ...blank, description: 'Other' })).toEqual({})
  },
)

test('the chunk size is 1 without a type, follows the type, and is unchanged once the user has set it', () => {
  const types = [
    { id: 4, chunk_size: 1000 },
    { id: 5, chunk_size: 2000 },
  ]
  expect(newValues.chunk_size).toBe(1)
  const typed = withType(newValues, '4', types)
  expect(typed).toMatchObject({ source_task_type_id: '4', chunk_size: 1000 })
  expect(withType(typed, '5', types).chunk_size).toBe(2000)
  expect(withType({ ...typed, chunk_size: 50 }, '5', types).chunk_size).toBe(50)
})
