import { describe, expect, test } from 'vitest'
import { sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

/** Displayed values of formulas next to A1:B3 = 1, 2 / 3, "x" / blank, TRUE. */
async function shown(...formulas: string[]): Promise<unknown[]> {
  const id = await sandbox.book()
  await sandbox.put(id, 'A1', [
    [1, 2],
    [3, 'x'],
    [null, true],
  ])
  await sandbox.put(id, 'D1', [formulas], 'USER_ENTERED')
  expect(await sandbox.rows(id, 'D1:1', 'FORMULA')).toEqual([formulas])
  return (await sandbox.rows(id, 'D1:1', 'UNFORMATTED_VALUE'))[0] ?? []
}

describe('formulas', () => {
  test('do arithmetic in the order of Sheets', async () => {
    expect(
      await shown('=1+2*3', '=(1+2)*3', '=-2^2', '=2^3^2', '=10/4', '=50%', '=-A1+A2', '=1e3/.5'),
    ).toEqual([7, 9, -4, 64, 2.5, 0.5, 2, 2000])
  })

  test('follow references, blank ones counting as 0', async () => {
    expect(
      await shown('=A1', '=$B$1*2', '=A3', '=A3+1', '=B2', '=Sheet1!A2', "='Sheet1'!A2", '=B2&"-"&A1&B3'),
    ).toEqual([1, 4, 0, 1, 'x', 3, 3, 'x-1TRUE'])
  })

  test('sum ranges, skipping text and booleans', async () => {
    expect(
      await shown('=SUM(A1:B3)', '=sum(A:A)', '=SUM(A1,B1,10)', '=SUM(1:1)', '=SUM(A1:A)*2', '=SUM()'),
    ).toEqual([6, 4, 13, '#REF!', 8, 0])
  })

  test('compare', async () => {
    expect(await shown('=A1<B1', '=A1>=B1', '="a"="A"', '=1="1"', '=A3=0', '=A3=""', '="b"<>"a"')).toEqual([
      true,
      false,
      true,
      false,
      true,
      true,
      true,
    ])
  })

  test('show an error for anything unsupported', async () => {
    expect(
      await shown(
        '=1/0',
        '=B2+1',
        '=VLOOKUP(1,A1:B2,2)',
        '=1+',
        '=nobody',
        '=Nowhere!A1',
        '=A1:B2',
        '=#N/A',
        '=ZZZ1',
        '=(-8)^0.5',
        '=A1/0+1',
      ),
    ).toEqual([
      '#DIV/0!',
      '#VALUE!',
      '#NAME?',
      '#ERROR!',
      '#NAME?',
      '#REF!',
      '#VALUE!',
      '#N/A',
      '#REF!',
      '#NUM!',
      '#DIV/0!',
    ])
  })

  test('are recalculated when referenced cells change', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [[1, '=A1*2', '=B1*2']], 'USER_ENTERED')
    await sandbox.put(id, 'A1', [[5]])
    expect(await sandbox.rows(id, '1:1')).toEqual([['5', '10', '20']])
  })

  test('that refer to themselves show #REF!', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A1', [['=B1', '=C1+1', '=A1']], 'USER_ENTERED')
    const [row = []] = await sandbox.rows(id, '1:1')
    expect(row).toContain('#REF!')
  })

  test('are calculated in a chain of 5,000 rows', async () => {
    const id = await sandbox.book(5000, 1)
    const rows = Array.from({ length: 5000 }, (_, index) => [index === 0 ? 1 : `=A${index}+1`])
    await sandbox.put(id, 'A1', rows, 'USER_ENTERED')
    expect(await sandbox.rows(id, 'A5000')).toEqual([['5000']])
  })

  test('follow inserted and deleted rows and columns, and a renamed tab', async () => {
    const id = await sandbox.book()
    await sandbox.put(id, 'A5', [[1, '=A5', '=$A$5+SUM(A1:A9)', '=Sheet1!A5']], 'USER_ENTERED')
    const range = { sheetId: 0, dimension: 'ROWS', startIndex: 1, endIndex: 3 }
    await sandbox.batch(
      id,
      { insertDimension: { range } },
      { updateSheetProperties: { properties: { sheetId: 0, title: 'New one' }, fields: 'title' } },
    )
    expect(await sandbox.rows(id, 'A7:D7', 'FORMULA')).toEqual([
      [1, '=A7', '=$A$7+SUM(A1:A11)', "='New one'!A7"],
    ])
    await sandbox.batch(id, { deleteDimension: { range: { ...range, startIndex: 0, endIndex: 2 } } })
    expect(await sandbox.rows(id, 'A5:D5', 'FORMULA')).toEqual([
      [1, '=A5', '=$A$5+SUM(A1:A9)', "='New one'!A5"],
    ])
    await sandbox.batch(id, {
      deleteDimension: { range: { sheetId: 0, dimension: 'COLUMNS', startIndex: 0, endIndex: 1 } },
    })
    expect(await sandbox.rows(id, 'A5:C5', 'FORMULA')).toEqual([['=#REF!', '=#REF!+SUM(#REF!)', '=#REF!']])
  })
})
