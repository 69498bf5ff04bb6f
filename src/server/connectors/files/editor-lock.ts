import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** An open spreadsheet program: the name of its lock file, and who it says has the file open; '' if that is not known. */
export type EditorLock = { file: string; owner: string }

const MAX_NAME = 100

/** Excel's owner file: the user's name in the system's encoding, then at these places in UTF-16 with its length in front. */
const EXCEL_LENGTH = 55
const EXCEL_NAME = 57

/** Who has a file open in Excel or LibreOffice; null if no one has. A program that crashed may have left its lock file behind. */
export async function findEditorLock(path: string): Promise<EditorLock | null> {
  const [folder, name] = [dirname(path), basename(path)]
  const excel = `~$${name}`
  const owner = await contentOf(join(folder, excel))
  if (owner) return { file: excel, owner: excelOwner(owner) }
  const office = `.~lock.${name}#`
  const lock = await contentOf(join(folder, office))
  return lock && { file: office, owner: officeOwner(lock.toString('utf8')) }
}

function excelOwner(content: Buffer): string {
  const wide = content.length > EXCEL_NAME ? content.readUInt16LE(EXCEL_LENGTH) : 0
  const end = EXCEL_NAME + 2 * wide
  if (wide > 0 && end <= content.length) return plain(content.toString('utf16le', EXCEL_NAME, end))
  return plain(content.subarray(1, 1 + (content[0] ?? 0)).toString('latin1'))
}

/** The fields are name, login, machine, time and profile; a comma inside of one has a backslash in front. */
function officeOwner(content: string): string {
  const [name = '', login = '', machine = ''] = content.split(/(?<!\\),/).map(plain)
  const person = name || login
  return person && machine ? `${person}, ${machine}` : person || machine
}

const plain = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_NAME)

async function contentOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    // Excel on Windows does not share it: it exists, and names no one.
    return Buffer.alloc(0)
  }
}
