import { open, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { type OpenXmlPackage, readPackage } from './open-xml-package.ts'
import { OpenXmlWorkbook } from './open-xml-workbook.ts'
import { refusal } from './refusal.ts'
import type { Workbook } from './workbook.ts'
import { openZip, type ZipArchive } from './zip-archive.ts'

/** Maximum size of a workbook that is read as a whole. */
const OLD_BYTES = 50 * 1_048_576

const ZIP = Buffer.from('PK')
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
/** Names of streams, which are UTF-16 in lower case here. The first is in workbooks with a password. */
const ENCRYPTED = 'encryptedpackage'
const SHEETS = ['workbook', 'book']

/** Opens a workbook of any kind. Throws OriginFailure if it is none, is protected, damaged, or beyond limits. */
export async function openWorkbook(path: string): Promise<Workbook> {
  const zip = await openIfZip(path)
  if (zip === null) return openCompound(path, basename(path))
  return closingOnFailure(zip, async () => {
    if (!(await isOpenDocument(zip))) return OpenXmlWorkbook.open(await readPackage(zip))
    const workbook = await openDocument(zip, path)
    await zip.close()
    return workbook
  })
}

/** Opens a workbook to write it. Throws OriginFailure for the same reasons, and for kinds that can only be read. */
export async function openForWriting(path: string): Promise<OpenXmlPackage> {
  const zip = await openIfZip(path)
  if (zip === null) return refuseReadOnly(path)
  return closingOnFailure(zip, async () =>
    (await isOpenDocument(zip)) ? refuseReadOnly(path) : readPackage(zip),
  )
}

async function refuseReadOnly(path: string): Promise<never> {
  const workbook = await openWorkbook(path)
  await workbook.close()
  throw refusal(fileMessages.read_only(workbook.file))
}

async function closingOnFailure<Result>(zip: ZipArchive, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    await zip.close()
    throw error
  }
}

async function openIfZip(path: string): Promise<ZipArchive | null> {
  const file = basename(path)
  const start = await firstBytes(path, COMPOUND.length)
  if (start.length === 0) throw refusal(fileMessages.empty_file(file))
  if (start.subarray(0, ZIP.length).equals(ZIP)) return openZip(path, file)
  if (!start.equals(COMPOUND)) throw refusal(fileMessages.not_a_workbook(file))
  return null
}

async function openCompound(path: string, file: string): Promise<Workbook> {
  const content = await smallFile(path, file)
  const names = content.toString('latin1').replaceAll('\0', '').toLowerCase()
  if (names.includes(ENCRYPTED)) throw refusal(fileMessages.encrypted(file))
  if (!SHEETS.some((name) => names.includes(name))) throw refusal(fileMessages.not_a_workbook(file))
  return openOld(content, file)
}

async function isOpenDocument(zip: ZipArchive): Promise<boolean> {
  const type = zip.entry('mimetype') ? (await zip.whole('mimetype')).toString('latin1') : ''
  return type.startsWith('application/vnd.oasis.opendocument.spreadsheet')
}

async function openDocument(zip: ZipArchive, path: string): Promise<Workbook> {
  const manifest = zip.entry('META-INF/manifest.xml') ? await zip.whole('META-INF/manifest.xml') : ''
  if (manifest.includes('encryption-data')) throw refusal(fileMessages.encrypted(zip.file))
  // The library unpacks without limits.
  for (const { filename } of zip.entries) await zip.whole(filename)
  return openOld(await smallFile(path, zip.file), zip.file)
}

// The library takes half a second to load.
const openOld = async (content: Buffer, file: string): Promise<Workbook> =>
  (await import('./old-formats.ts')).openOldWorkbook(content, file)

async function firstBytes(path: string, length: number): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function smallFile(path: string, file: string): Promise<Buffer> {
  const { size } = await stat(path)
  if (size > OLD_BYTES) throw refusal(fileMessages.legacy_too_large(file, size, OLD_BYTES), 'too_large')
  return readFile(path)
}
