import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, systemAccount } from '../system-account.ts'

/** The account of the server's programs; undefined: our own. */
export type ServerUser = Account | undefined

// Exists on every Linux; shared with other services. initdb requires an existing account.
const NOBODY = { uid: 65_534, gid: 65_534 }

/**
 * PostgreSQL refuses to run as root, so root starts it as the owner of the data folder. Without such a folder, or if
 * `nobody` owns it as in earlier versions, it is Rowferry's system account, or `nobody` if no account can be created.
 */
export function serverUser(dataFolder: string): ServerUser {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(dataFolder, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0 && owner.uid !== NOBODY.uid) return { uid: owner.uid, gid: owner.gid }
  return systemAccount() ?? NOBODY
}

/** Changes the owner of a folder and its contents, unless it is right already. Links are not followed. */
export function chownRecursive(path: string, { uid, gid }: Account): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found || found.uid === uid) return
  if (found.isDirectory())
    for (const name of readdirSync(path)) chownRecursive(join(path, name), { uid, gid })
  // The folder last, so that an interrupted start is repeated.
  lchownSync(path, uid, gid)
}

/** Whether other accounts can reach a folder: every parent allows access. */
export function othersCanEnter(folder: string): boolean {
  const passable = (statSync(folder).mode & 0o001) !== 0
  const parent = dirname(folder)
  return passable && (parent === folder || othersCanEnter(parent))
}
