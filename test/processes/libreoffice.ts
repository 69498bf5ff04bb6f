import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { quickestFolder } from '../runner/quickest-folder.ts'

/** Path of the program in Debian's package libreoffice-calc-nogui. */
const soffice = (process.env.PATH ?? '')
  .split(delimiter)
  .concat('/usr/bin')
  .map((folder) => join(folder, 'soffice'))
  .find(existsSync)

/** Whether LibreOffice is installed. */
export const hasLibreOffice = soffice !== undefined

/** Content of a CSV file, and an edit of one of its cells. */
export type Edit = { content: string; from: string; to: string }

/** Opens CSV files in LibreOffice, edits them and saves them as CSV; returns their contents. */
export async function savedByLibreOffice(edits: readonly Edit[]): Promise<string[]> {
  const folder = await mkdtemp(join(await quickestFolder(), 'rowferry-libreoffice-'))
  const path = (place: number, extension: string) => join(folder, `${place}.${extension}`)
  const paths = (extension: string) => edits.map((_, place) => path(place, extension))
  try {
    for (const [place, { content }] of edits.entries()) await writeFile(path(place, 'csv'), content)
    await convert(paths('csv'), 'fods', folder)
    for (const [place, edit] of edits.entries()) {
      const document = await readFile(path(place, 'fods'), 'utf8')
      await writeFile(path(place, 'fods'), edited(document, edit))
      await rm(path(place, 'csv'))
    }
    await convert(paths('fods'), 'csv', folder)
    return await Promise.all(paths('csv').map((saved) => readFile(saved, 'utf8')))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// Commas, double quotes, UTF-8: the defaults of LibreOffice's dialogs.
const CSV = '44,34,76'

async function convert(paths: string[], format: 'fods' | 'csv', folder: string): Promise<void> {
  if (soffice === undefined) throw new Error('LibreOffice is not installed')
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const filters =
    format === 'csv'
      ? ['--convert-to', `csv:Text - txt - csv (StarCalc):${CSV}`]
      : [`--infilter=CSV:${CSV}`, '--convert-to', 'fods']
  await promisify(execFile)(soffice, [profile, ...filters, '--outdir', folder, ...paths])
}

// A cell contains a number twice: as its value and as its displayed text.
function edited(document: string, { from, to }: Edit): string {
  if (document.split(`<text:p>${from}</text:p>`).length !== 2)
    throw new Error(`There is not one cell that says ${from}`)
  return document
    .replace(`office:value="${from}"`, `office:value="${to}"`)
    .replace(`<text:p>${from}</text:p>`, `<text:p>${to}</text:p>`)
}
