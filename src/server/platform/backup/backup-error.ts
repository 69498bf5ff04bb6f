import { getSystemErrorMessage } from 'node:util'

/** The backup cannot be created, read or restored; the message says why and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Why the system rejected a file operation: "no space left on device". Rethrows other errors. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number')
    return getSystemErrorMessage(error.errno)
  throw error
}

/** A name from a file or database, in quotes, without control characters. */
export const printable = (name: string): string =>
  `“${name.slice(0, 100).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')}”`
