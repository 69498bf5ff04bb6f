import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { fileMessages } from '../../../../contract/files/server-messages.ts'
import { OriginFailure } from '../../connector.ts'

/** Content of a file, as a hash; '' if there is no file. */
export type FileVersion = string

export const NO_FILE: FileVersion = ''

const PIECE_BYTES = 1_048_576

/** The version of a file as it is now. Throws OriginFailure `unavailable` if it is changed meanwhile. */
export async function versionOf(path: string, name: string): Promise<FileVersion> {
  const file = await open(path).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return null
    throw error
  })
  if (file === null) return NO_FILE
  try {
    const before = await file.stat({ bigint: true })
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    for (let at = 0; ; ) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at)
      if (bytesRead === 0) break
      hash.update(piece.subarray(0, bytesRead))
      at += bytesRead
    }
    const after = await stat(path, { bigint: true }).catch(() => null)
    if (after === null || stateOf(after) !== stateOf(before))
      throw new OriginFailure('unavailable', fileMessages.changed_while_read(name))
    return hash.digest('base64')
  } finally {
    await file.close()
  }
}

const stateOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats) => `${ino} ${size} ${mtimeNs} ${ctimeNs}`

/** Whether an error of the file system has one of these codes. */
export const isCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))
