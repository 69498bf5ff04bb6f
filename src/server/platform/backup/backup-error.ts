import { getSystemErrorMessage } from 'node:util'

/** The backup cannot be made, read or restored; the message says why, and what to do. */
export class BackupError extends Error {
  override name = 'BackupError'
}

/** Why the system refused a file: "no space left on device". Rethrows what no system says. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && 'errno' in error && typeof error.errno === 'number')
    return getSystemErrorMessage(error.errno)
  throw error
}

/** A name that comes from a file or a database, in quotes, without what would write elsewhere on a terminal. */
export const printable = (name: string): string =>
  `“${name.slice(0, 100).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')}”`
