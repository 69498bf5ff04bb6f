import { expect, test } from 'vitest'
import { file, SOURCE, typeFiles } from '../../../../test/fixtures/type-files.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { fieldMessages } from '../../../contract/field-messages.ts'
import { taskTypeMessages } from '../../../contract/task-types/client-messages.ts'

const { added, imported, typeOf, typesOf } = typeFiles()

const HEADER = `${SOURCE},dependencies`

test('dependencies are named with category and condition, and rows of one file depend on each other in any order', async () => {
  await added('sync', { name: 'Prices' })
  const job = await imported(
    'source',
    file(HEADER, 'Last,,,"First\nPrices | sync | completion"', 'First,,,', 'Middle,,,First | source'),
  )
  expect(job).toMatchObject({ status: 'completed', summary: { created: 3, failed: 0 } })
  expect((await typesOf('source')).map(({ name }) => name)).toEqual(['Last', 'First', 'Middle'])
  expect(await typeOf('source', 'Last')).toMatchObject({
    dependencies: [
      { name: 'First', task_category: 'source', condition_type: 'success' },
      { name: 'Prices', task_category: 'sync', condition_type: 'completion' },
    ],
  })
})

test('a cycle within the file is an error of the rows that close it, and the others are imported', async () => {
  await added('source', { name: 'Stays', depends_on_id: (await added('source', { name: 'Root' })).id })
  const job = await imported(
    'source',
    file(HEADER, 'A,,,B', 'B,,,C', 'C,,,A', 'Root,,,Stays', 'Fine,,,Stays', 'Needs A,,,A'),
  )
  const circular = 'Circular dependency detected. Please select a different dependency.'
  expect(job.summary).toMatchObject({ created: 1, updated: 0, failed: 5 })
  expect(job.errors).toEqual([
    ...[2, 3, 4, 5].map((row) => ({ row, field: 'dependencies', message: circular })),
    { row: 7, field: 'dependencies', message: csvJobServerMessages.csv_dependency_unknown('source', 'A') },
  ])
  expect(await typeOf('source', 'Root')).toMatchObject({ dependencies: [] })
  expect((await typesOf('source')).map(({ name }) => name).sort()).toEqual(['Fine', 'Root', 'Stays'])
})

test('a cycle across categories is refused, too', async () => {
  const { id } = await added('source', { name: 'Origin' })
  await added('sync', { name: 'Prices', depends_on_id: id })
  const job = await imported('source', file(HEADER, 'Origin,,,Prices | sync'))
  expect(job.errors).toMatchObject([{ row: 2, message: taskTypeMessages.circular_dependency }])
})

test('a file can reverse the dependency of two types', async () => {
  const { id } = await added('source', { name: 'A' })
  await added('source', { name: 'B', depends_on_id: id })
  const job = await imported('source', file(HEADER, 'A,,,B', 'B,,,'))
  expect(job.summary).toMatchObject({ updated: 2, failed: 0 })
  expect(await typeOf('source', 'A')).toMatchObject({ depends_on_name: 'B' })
  expect(await typeOf('source', 'B')).toMatchObject({ dependencies: [] })
})

test.each([
  ['Itself', taskTypeMessages.depends_on_itself],
  ['Nowhere', csvJobServerMessages.csv_dependency_unknown('source', 'Nowhere')],
  ['Nowhere | compiler', csvJobServerMessages.csv_dependency_unknown('compiler', 'Nowhere')],
  ['"There\nThere | source"', fieldMessages.dependency_twice],
  [`"${Array.from({ length: 11 }, (_, n) => `T${n}`).join('\n')}"`, fieldMessages.dependencies_many],
])('%j is refused with its reason', async (cell, message) => {
  await added('source', { name: 'There' })
  const job = await imported('source', file(HEADER, `Itself,,,${cell}`))
  expect(job.errors).toEqual([{ row: 2, field: 'dependencies', message }])
})
