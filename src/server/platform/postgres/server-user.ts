import { lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Account, systemAccount } from '../system-account.ts'

/** The account that the server's programs run as; undefined: the one we run as ourselves. */
export type ServerUser = Account | undefined

// On every Linux in use; shared with other services. initdb looks the account up, so it has to exist.
const NOBODY = { uid: 65_534, gid: 65_534 }

/**
 * PostgreSQL refuses to run as root: root starts it as the owner of the data folder, or as Rowferry's system account where
 * there is no such folder yet or `nobody` owns it, which earlier versions used; `nobody` where no account can be made.
 */
export function serverUser(dataFolder: string): ServerUser {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(dataFolder, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0 && owner.uid !== NOBODY.uid) return { uid: owner.uid, gid: owner.gid }
  return systemAccount() ?? NOBODY
}

/** Makes a folder and all that is in it an account's own; nothing to do where it is already. Links are not followed. */
export function chownRecursive(path: string, { uid, gid }: Account): void {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found || found.uid === uid) return
  if (found.isDirectory())
    for (const name of readdirSync(path)) chownRecursive(join(path, name), { uid, gid })
  // The folder last, so that an interrupted start goes on here.
  lchownSync(path, uid, gid)
}

/** Whether accounts other than the owner's can reach what lies in a folder: each folder on the way lets others pass. */
export function othersCanEnter(folder: string): boolean {
  const passable = (statSync(folder).mode & 0o001) !== 0
  const parent = dirname(folder)
  return passable && (parent === folder || othersCanEnter(parent))
}
