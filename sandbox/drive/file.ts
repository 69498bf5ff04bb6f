import type { Account } from '../identity/accounts.ts'
import type { Identity } from '../identity/identity.ts'
import type { Book } from '../sheets/model/book.ts'

export const spreadsheetType = 'application/vnd.google-apps.spreadsheet'
export const anyoneId = 'anyoneWithLink'

export type Role = 'owner' | 'writer' | 'reader'

/** Drive's file resource for a reader. Its link points to the sandbox page under `root`. */
export function fileOf(
  book: Book,
  viewer: Account,
  { identity, root }: { identity: Identity; root: string },
) {
  const owner = person(identity.account(book.owner), viewer)
  const writes = book.canWrite(viewer.email)
  const owns = book.owner === viewer.email
  return {
    kind: 'drive#file',
    id: book.id,
    name: book.title,
    mimeType: spreadsheetType,
    starred: false,
    trashed: book.trashed,
    explicitlyTrashed: book.trashed,
    spaces: ['drive'],
    parents: ['root'],
    webViewLink: `${root}/spreadsheets/d/${book.id}/edit`,
    createdTime: book.createdTime,
    modifiedTime: book.modifiedTime,
    ...(owns ? {} : { sharedWithMeTime: book.createdTime }),
    owners: [owner],
    ownedByMe: owns,
    shared: book.readers.length + book.writers.length > 0,
    capabilities: {
      canEdit: writes,
      canCopy: true,
      canDownload: true,
      canRename: writes,
      canShare: writes,
      canTrash: owns,
      canDelete: owns,
    },
    ...(writes ? { permissions: permissionsOf(book, identity) } : {}),
  }
}

/** Permissions of a book, owner first. */
export function permissionsOf(book: Book, identity: Identity) {
  const entries: [string, Role][] = [
    [book.owner, 'owner'],
    ...book.writers.map((email): [string, Role] => [email, 'writer']),
    ...book.readers.map((email): [string, Role] => [email, 'reader']),
  ]
  return entries.map(([email, role]) => permissionOf(email, role, identity))
}

export function permissionOf(email: string, role: Role, identity: Identity) {
  if (email === 'anyone') {
    return { kind: 'drive#permission', id: anyoneId, type: 'anyone', role, allowFileDiscovery: false }
  }
  const account = identity.account(email)
  return {
    kind: 'drive#permission',
    id: account.sub,
    type: 'user',
    emailAddress: email,
    displayName: account.name,
    role,
    deleted: false,
    pendingOwner: false,
  }
}

export function person(account: Account, viewer: Account) {
  return {
    kind: 'drive#user',
    displayName: account.name,
    me: account.email === viewer.email,
    permissionId: account.sub,
    emailAddress: account.email,
  }
}
