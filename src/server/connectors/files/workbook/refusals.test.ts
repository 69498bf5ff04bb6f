import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import { cellsOf, opened, type Parts, packed, workbookParts } from '../../../../../test/fixtures/workbooks.ts'
import { openZip } from './zip-archive.ts'

const parts = workbookParts({ tabs: { Prices: '<row r="1"><c r="A1"><v>1</v></c></row>' } })

async function refused(changes: Parts | Buffer, name = 'prices.xlsx') {
  const folder = await testFolder()
  if (Buffer.isBuffer(changes)) await writeFile(join(folder, name), changes)
  else await packed(folder, { ...parts, ...changes }, name)
  try {
    await cellsOf(await opened(join(folder, name)), 'Prices')
  } catch (error) {
    return error
  }
  return expect.fail('It was read')
}

const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
const SHEET = 'xl/worksheets/sheet1.xml'
const sheet = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`

test.each([
  ['text', Buffer.from('SKU,Price\n'), /^‘prices.xlsx’ is not a workbook/],
  ['an empty file', Buffer.alloc(0), /^‘prices.xlsx’ is empty/],
  ['a document of Word', { 'xl/workbook.xml': '<w:document xmlns:w="w"/>' }, /is not a workbook/],
  [
    'a ZIP file without a workbook',
    { '_rels/.rels': '<Relationships/>', 'xl/workbook.xml': '<a/>' },
    /is not a workbook/,
  ],
  [
    'a binary workbook',
    {
      '_rels/.rels':
        '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
    },
    /\.xlsb\), which cannot be read/,
  ],
  [
    'a password',
    Buffer.concat([COMPOUND, Buffer.from('EncryptedPackage', 'utf16le')]),
    /protected with a password/,
  ],
  [
    'a file that was cut off',
    Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(900)]),
    /damaged or was not written completely: it is not a complete ZIP file/,
  ],
  ['a missing sheet', { 'xl/_rels/workbook.xml.rels': '<Relationships/>' }, /the part Prices is missing/],
  [
    'tags that do not match',
    { [SHEET]: '<worksheet><sheetData></worksheet>' },
    /sheet1.xml is not valid XML/,
  ],
  [
    'a sheet that ends early',
    { [SHEET]: '<worksheet><sheetData><row r="1">' },
    /sheet1.xml is not valid XML/,
  ],
  [
    'an external entity',
    { [SHEET]: `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${sheet('')}` },
    /^‘prices.xlsx’ is refused: its part .*sheet1.xml has a document type definition/,
  ],
  ['an entity of its own', { [SHEET]: sheet('<row><c t="str"><v>&e;</v></c></row>') }, /not valid XML/],
  [
    'rows in another order',
    { [SHEET]: sheet('<row r="2"/><row r="1"/>') },
    /row 1 of ‘Prices’ is not below the row before it/,
  ],
  [
    'a column beyond XFD',
    { [SHEET]: sheet('<row r="1"><c r="XFE1"><v>1</v></c></row>') },
    /beyond row 1,048,576 or column XFD/,
  ],
  ['a row beyond the last', { [SHEET]: sheet('<row r="1048577"/>') }, /beyond row 1,048,576/],
  [
    'a text that is not there',
    { [SHEET]: sheet('<row r="1"><c r="A1" t="s"><v>4</v></c></row>') },
    /A1 in ‘Prices’ refers to a text/,
  ],
  [
    'a number that is none',
    { [SHEET]: sheet('<row r="1"><c r="A1"><v>1,5</v></c></row>') },
    /the value of A1 in ‘Prices’ cannot be read/,
  ],
] as [string, Parts | Buffer, RegExp][])('it is refused by name: %s', async (_name, changes, message) => {
  expect(await refused(changes)).toMatchObject({
    name: 'OriginFailure',
    kind: 'invalid',
    message: expect.stringMatching(message),
  })
})

test('a damaged part is refused, although it can be unpacked', async () => {
  const path = await packed(await testFolder(), parts)
  const zip = await openZip(path, 'prices.xlsx')
  const entry = zip.entry(SHEET) ?? expect.fail()
  Object.defineProperty(entry, 'crc32', { value: 1 })
  await expect(zip.whole(SHEET)).rejects.toMatchObject({
    message: expect.stringContaining('sheet1.xml cannot be unpacked'),
  })
  await zip.close()
})

const LIMITS = { parts: 10, part_bytes: 50_000, whole_bytes: 20_000, ratio: 20, ratio_from: 10_000 }

test.each([
  [
    'many parts',
    Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`a${n}`, ''])),
    /it has 11 parts, more than 10/,
  ],
  [
    'a large part',
    { [SHEET]: Buffer.from(Array.from({ length: 60_000 }, (_, n) => (n * 7919) % 251)) },
    /larger than 1 MB when it is unpacked/,
  ],
  [
    'a part that unpacks to far more than its size',
    { [SHEET]: Buffer.alloc(40_000) },
    /more than 20 times as large/,
  ],
] as [string, Parts, RegExp][])(
  'the file is refused before it fills the memory: %s',
  async (_name, changes, message) => {
    const path = await packed(await testFolder(), changes)
    const reading = async () => {
      const zip = await openZip(path, 'bomb.xlsx', LIMITS)
      try {
        for await (const piece of zip.pieces(SHEET)) expect(piece.length).toBeGreaterThan(0)
      } finally {
        await zip.close()
      }
    }
    await expect(reading()).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringMatching(message),
    })
  },
)

test('a file that is replaced while it is read is not mixed with its successor', async () => {
  const folder = await testFolder()
  const rows = Array.from(
    { length: 60_000 },
    (_, n) => `<row r="${n + 1}"><c r="A${n + 1}"><v>${Math.sin(n)}</v></c></row>`,
  )
  const path = await packed(folder, workbookParts({ tabs: { Prices: rows.join('') } }), 'prices.xlsx')
  const workbook = await opened(path)
  const reading = workbook.readTab(workbook.tabs[0] ?? expect.fail())[Symbol.asyncIterator]()
  await reading.next()
  await packed(folder, parts, 'prices.xlsx')
  const rest = async () => {
    for (let next = await reading.next(); !next.done; next = await reading.next());
  }
  await expect(rest()).rejects.toMatchObject({
    kind: 'unavailable',
    message: '‘prices.xlsx’ was changed while it was read.',
  })
})
