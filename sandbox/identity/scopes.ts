const prefix = 'https://www.googleapis.com/auth/'

/** Sign-in scopes by requested name, with the name that Google reports for the grant. */
const signInScopes: Record<string, string> = {
  openid: 'openid',
  email: `${prefix}userinfo.email`,
  profile: `${prefix}userinfo.profile`,
  [`${prefix}userinfo.email`]: `${prefix}userinfo.email`,
  [`${prefix}userinfo.profile`]: `${prefix}userinfo.profile`,
}

/** Description of each optional scope on the consent page. */
const dataScopes: Record<string, string> = {
  [`${prefix}spreadsheets`]: 'See, edit, create and delete all your spreadsheets',
  [`${prefix}spreadsheets.readonly`]: 'See all your spreadsheets',
  [`${prefix}drive`]: 'See, edit, create and delete all your files',
  [`${prefix}drive.readonly`]: 'See and download all your files',
  [`${prefix}drive.file`]: 'See, edit, create and delete the files you use with this app',
  [`${prefix}drive.metadata`]: 'See and manage information about your files',
  [`${prefix}drive.metadata.readonly`]: 'See information about your files',
}

export const allScopes = [...new Set([...Object.values(signInScopes), ...Object.keys(dataScopes)])]

/** Parses space-separated scopes to distinct granted names in order. Unknown scopes are returned separately. */
export function parseScopes(text: string): { scopes: string[]; unknown: string[] } {
  const asked = [...new Set(text.split(/\s+/).filter((scope) => scope !== ''))]
  const unknown = asked.filter((scope) => !(scope in signInScopes) && !(scope in dataScopes))
  const scopes = asked
    .filter((scope) => !unknown.includes(scope))
    .map((scope) => signInScopes[scope] ?? scope)
  return { scopes: [...new Set(scopes)], unknown }
}

export function describeScope(scope: string): string | undefined {
  return dataScopes[scope]
}

/** True for scopes that the user can deselect. Sign-in scopes are required. */
export function isGranular(scope: string): boolean {
  return scope in dataScopes
}

export const sheetsReadScopes = [
  'spreadsheets',
  'spreadsheets.readonly',
  'drive',
  'drive.readonly',
  'drive.file',
].map((name) => prefix + name)
export const sheetsWriteScopes = ['spreadsheets', 'drive', 'drive.file'].map((name) => prefix + name)
export const driveReadScopes = [
  'drive',
  'drive.readonly',
  'drive.file',
  'drive.metadata',
  'drive.metadata.readonly',
].map((name) => prefix + name)
export const driveWriteScopes = ['drive', 'drive.file'].map((name) => prefix + name)
