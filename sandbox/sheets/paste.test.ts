import { describe, expect, test } from 'vitest'
import { gridRange, sheetsSandbox } from '../../test/fakes/google-sheets.ts'

const sandbox = sheetsSandbox()

describe('pasting', () => {
  async function filled() {
    const id = await sandbox.book(8, 6)
    await sandbox.put(
      id,
      'A1',
      [
        ['10%', '=A1*2'],
        ['', 'x'],
      ],
      'USER_ENTERED',
    )
    await sandbox.put(id, 'A5', [
      [1, 1],
      [1, 1],
    ])
    return id
  }
  const paste = (id: string, pasteType: string, destination: object, source = gridRange(0, 2, 0, 2)) =>
    sandbox.batch(id, { copyPaste: { source, destination, pasteType } })

  test('PASTE_VALUES pastes displayed values including blanks, without formats', async () => {
    const id = await filled()
    await paste(id, 'PASTE_VALUES', gridRange(4, 6, 0, 2))
    expect(await sandbox.rows(id, 'A5:B6')).toEqual([
      ['0.1', '0.2'],
      ['', 'x'],
    ])
    expect(await sandbox.rows(id, 'B5', 'FORMULA')).toEqual([[0.2]])
  })

  test('PASTE_NORMAL also pastes formats and shifts formulas', async () => {
    const id = await filled()
    await paste(id, 'PASTE_NORMAL', gridRange(4, 6, 0, 2))
    expect(await sandbox.rows(id, 'A5:B6')).toEqual([
      ['10%', '0.2'],
      ['', 'x'],
    ])
    expect(await sandbox.rows(id, 'B5', 'FORMULA')).toEqual([['=A5*2']])
  })

  test('pasted rows are independent of their source rows, also within the same batch', async () => {
    const id = await sandbox.book(4, 3)
    await sandbox.batch(id, { addSheet: { properties: { sheetId: 7, title: 'Other' } } })
    const was = [
      ['a', 'b', 'c'],
      ['d', 'e'],
    ]
    const ours = gridRange(0, 2, 0, 3)
    const theirs = { ...ours, sheetId: 7 }
    const set = (sheetId: number, rowIndex: number, columnIndex: number, stringValue: string) => ({
      updateCells: {
        start: { sheetId, rowIndex, columnIndex },
        rows: [{ values: [{ userEnteredValue: { stringValue } }] }],
        fields: 'userEnteredValue',
      },
    })
    await sandbox.put(id, 'A1', was)
    await sandbox.batch(
      id,
      // From a row that this batch has already changed, and from one that it has not.
      set(0, 0, 0, 'A'),
      { copyPaste: { source: ours, destination: theirs, pasteType: 'PASTE_VALUES' } },
      set(0, 0, 1, 'ours'),
      set(7, 0, 2, 'theirs'),
      set(7, 1, 0, 'theirs'),
      set(0, 1, 1, 'ours'),
    )
    expect(await sandbox.rows(id, 'Sheet1!A1:C2')).toEqual([
      ['A', 'ours', 'c'],
      ['d', 'ours'],
    ])
    const pasted = [
      ['A', 'b', 'theirs'],
      ['theirs', 'e'],
    ]
    expect(await sandbox.rows(id, 'Other!A1:C2')).toEqual(pasted)
    await sandbox.batch(id, { copyPaste: { source: theirs, destination: ours, pasteType: 'PASTE_VALUES' } })
    await sandbox.put(id, 'Other!A1', [['later', '', 'later']])
    expect(await sandbox.rows(id, 'Sheet1!A1:C2')).toEqual(pasted)
  })

  test('PASTE_FORMAT pastes formats only', async () => {
    const id = await filled()
    await paste(id, 'PASTE_FORMAT', gridRange(4, 6, 0, 2))
    expect(await sandbox.rows(id, 'A5:B6')).toEqual([
      ['100%', '1'],
      ['1', '1'],
    ])
  })

  test('repeats the source in a multiple of its size and pastes it completely into a smaller range', async () => {
    const id = await sandbox.book(6, 4)
    await sandbox.put(id, 'A1', [['a'], ['b']])
    await paste(id, 'PASTE_VALUES', gridRange(0, 6, 1, 3), gridRange(0, 2, 0, 1))
    expect(await sandbox.rows(id, 'B1:C6')).toEqual([
      ['a', 'a'],
      ['b', 'b'],
      ['a', 'a'],
      ['b', 'b'],
      ['a', 'a'],
      ['b', 'b'],
    ])
    await paste(id, 'PASTE_VALUES', gridRange(0, 1, 3, 4), gridRange(0, 2, 0, 1))
    expect(await sandbox.rows(id, 'D1:D6')).toEqual([['a'], ['b']])
  })

  test('transposes, also if source and destination overlap', async () => {
    const id = await sandbox.book(6, 4)
    await sandbox.put(id, 'A1', [['a', 'b', 'c']])
    const copyPaste = {
      source: gridRange(0, 1, 0, 3),
      destination: gridRange(0, 1, 0, 1),
      pasteOrientation: 'TRANSPOSE',
    }
    await sandbox.batch(id, { copyPaste })
    expect(await sandbox.rows(id, 'Sheet1')).toEqual([['a', 'b', 'c'], ['b'], ['c']])
    await sandbox.batch(id, {
      copyPaste: { source: gridRange(0, 3, 0, 1), destination: gridRange(1, 4, 0, 1) },
    })
    expect(await sandbox.rows(id, 'A:A')).toEqual([['a'], ['a'], ['b'], ['c']])
  })

  test('beyond the grid is refused', async () => {
    const id = await filled()
    const copyPaste = {
      source: gridRange(0, 2, 0, 2),
      destination: gridRange(7, 8, 0, 2),
      pasteType: 'PASTE_VALUES',
    }
    expect(await sandbox.refused(id, { copyPaste })).toBe(
      'Invalid requests[0].copyPaste: Range (Sheet1!A8:B9) exceeds grid limits. Max rows: 8, max columns: 6',
    )
  })

  test('cutPaste moves values and formats and keeps references', async () => {
    const id = await filled()
    const destination = { sheetId: 0, rowIndex: 2, columnIndex: 2 }
    await sandbox.batch(id, {
      cutPaste: { source: gridRange(0, 2, 0, 2), destination, pasteType: 'PASTE_NORMAL' },
    })
    expect(await sandbox.rows(id, 'A1:D4', 'FORMULA')).toEqual([
      [],
      [],
      ['', '', 0.1, '=A1*2'],
      ['', '', '', 'x'],
    ])
    expect(await sandbox.rows(id, 'C3')).toEqual([['10%']])
  })
})
