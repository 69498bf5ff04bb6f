import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The account that the server's programs run as; undefined: the one we run as ourselves. */
export type ServerUser = { uid: number; gid: number } | undefined

// `nobody` on every Linux in use. initdb looks the account up, so it has to exist.
const NOBODY = { uid: 65_534, gid: 65_534 }

/** PostgreSQL refuses to run as root: root starts it as the owner of the data folder, or as nobody when there is none yet. */
export function serverUser(dataFolder: string): ServerUser {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(dataFolder, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY
}

/** Whether accounts other than the owner's can reach what lies in a folder: each folder on the way lets others pass. */
export function othersCanEnter(folder: string): boolean {
  const passable = (statSync(folder).mode & 0o001) !== 0
  const parent = dirname(folder)
  return passable && (parent === folder || othersCanEnter(parent))
}
