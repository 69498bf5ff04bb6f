import { expect, test } from 'vitest'
import { checkError, newCheck } from './check-form.ts'
import { bodyOf, formErrors, mergedFields, newValues, withSources } from './config-form.ts'

const values = { ...newValues, name: ' Shop ', source_task_ids: [3, 1, 2], master_source_id: 1 }

test('a configuration requires a name and a master source', () => {
  expect(formErrors(newValues)).toEqual({
    name: 'Name is required',
    master_source_id: 'Choose a master source',
  })
  expect(formErrors(values)).toEqual({})
})

test('the first source is the master by default; removing a source removes its settings', () => {
  const first = withSources(newValues, [5])
  expect(first.master_source_id).toBe(5)
  expect(withSources(first, [7, 5]).master_source_id).toBe(5)
  expect(withSources(first, [7]).master_source_id).toBe(7)
  expect(withSources(first, []).master_source_id).toBeNull()
  const said = {
    ...values,
    field_priorities: [{ field: 'Price', source_task_ids: [2, 3] }],
    column_names: [{ source_task_id: 2, column: 'Cost', field: 'Price' }],
  }
  expect(withSources(said, [1, 3])).toMatchObject({
    field_priorities: [{ field: 'Price', source_task_ids: [3] }],
    column_names: [],
  })
})

test('incomplete lines are not sent; complete ones keep their order', () => {
  const body = bodyOf({
    ...values,
    field_groups: [[], ['Price', 'Currency']],
    field_priorities: [
      { field: '', source_task_ids: [1] },
      { field: 'Name', source_task_ids: [] },
      { field: 'Name', source_task_ids: [2, 1] },
    ],
    column_names: [
      { source_task_id: 1, column: 'Cost', field: '' },
      { source_task_id: 2, column: 'Article', field: 'SKU' },
    ],
  })
  expect(body).toMatchObject({
    name: 'Shop',
    source_task_ids: [3, 1, 2],
    field_groups: [['Price', 'Currency']],
    field_priorities: [{ field: 'Name', source_task_ids: [2, 1] }],
    column_names: [{ source_task_id: 2, column: 'Article', field: 'SKU' }],
  })
})

test('suggested fields are those of the master, then additional ones of other sources, with renamed columns', () => {
  const columns = new Map([
    [3, ['Article', 'Cost', 'Weight']],
    [1, ['SKU', 'Name', 'Price']],
  ])
  const column_names = [
    { source_task_id: 3, column: 'Article', field: 'S K-U' },
    { source_task_id: 3, column: 'Cost', field: 'Price' },
  ]
  expect(mergedFields({ ...values, column_names }, columns)).toEqual(['Name', 'Price', 'Weight'])
})

test('a check that was added and not filled in is not sent; an incomplete one is refused', () => {
  const untouched = newCheck('required')
  const pattern = newCheck('pattern', { ...untouched, field: 'Name' })
  expect(bodyOf({ ...values, field_checks: [untouched] }).field_checks).toEqual([])
  expect(formErrors({ ...values, field_checks: [untouched, pattern] })).toEqual({
    field_checks: 'Enter a pattern',
  })
  expect([untouched, pattern, newCheck('unique')].map(checkError)).toEqual([
    null,
    'Enter a pattern',
    'A field needs a name',
  ])
})
