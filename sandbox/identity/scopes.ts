const prefix = 'https://www.googleapis.com/auth/'

/** Sign-in scopes as asked for, and the names under which Google reports them as granted. */
const signInScopes: Record<string, string> = {
  openid: 'openid',
  email: `${prefix}userinfo.email`,
  profile: `${prefix}userinfo.profile`,
  [`${prefix}userinfo.email`]: `${prefix}userinfo.email`,
  [`${prefix}userinfo.profile`]: `${prefix}userinfo.profile`,
}

/** What a person reads beside the tick box of each scope that may be withheld. */
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

/** The scopes of a space-separated request under their granted names, in order, each once; unknown ones apart. */
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

/** Scopes that a person may withhold on the consent page; sign-in itself is all or nothing. */
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
