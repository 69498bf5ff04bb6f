import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { taskTitle, titleText } from './task-title.ts'

const title = (name: string, source_sheet_name = 'Products', target_sheet_name = 'Shop') =>
  titleText(taskTitle({ id: 7, name, sheets: { source_sheet_name, target_sheet_name } }))

test('a name that a person has chosen comes first, followed by the display name', () => {
  expect(title('Catalogue nightly')).toBe('Catalogue nightly (Shop)')
  expect(title('Catalogue nightly', 'Products', '')).toBe('Catalogue nightly (Products)')
  expect(title('Catalogue nightly', '', '')).toBe('Catalogue nightly (Sync Task 7)')
  expect(title('Products (new)')).toBe('Products (new) (Shop)')
  expect(title('Products (2) old')).toBe('Products (2) old (Shop)')
})

test('a derived name, also with a number, is replaced by the display name', () => {
  for (const name of ['Products', 'Products (2)', 'Products (13)', 'Shop']) expect(title(name)).toBe('Shop')
  expect(title('Sync Task 7', '', '')).toBe('Sync Task 7')
  const long = 'x'.repeat(limits.name_characters)
  expect(title(`${long.slice(0, -4)} (2)`, long)).toBe('Shop')
})

test('other tasks, and runs of deleted tasks, have their name alone', () => {
  expect(taskTitle({ id: 7, name: 'Feed', sheets: null })).toEqual({ title: 'Feed', detail: '' })
  const sheets = { source_sheet_name: 'Products', target_sheet_name: 'Shop' }
  expect(taskTitle({ id: null, name: 'Products', sheets })).toEqual({ title: 'Products', detail: '' })
})
