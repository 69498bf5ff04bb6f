const BASE = 'http://local.invalid'
// Legitimate paths are not encoded more often.
const MAX_ENCODINGS = 3

/** The normalised path within this app; undefined for a path that could lead to another site or back into sign-in. */
export function localPath(text: string | undefined): string | undefined {
  if (!text?.startsWith('/') || !URL.canParse(text, BASE)) return undefined
  const { origin, pathname, search, hash } = new URL(text, BASE)
  const meant = decoded(pathname)
  // Browsers and proxies treat a backslash as a slash: `//host` would be another site.
  const read = meant?.replaceAll('\\', '/')
  if (origin !== BASE || read === undefined || /\p{Cc}/u.test(read)) return undefined
  const led = URL.canParse(read, BASE) ? new URL(read, BASE) : undefined
  if (led?.origin !== BASE || read.startsWith('//') || led.pathname.startsWith('//')) return undefined
  return /^\/auth(\/|$)/i.test(led.pathname) ? undefined : pathname + search + hash
}

/** Decodes a path until it no longer changes; undefined if that takes too many steps or fails. */
function decoded(path: string): string | undefined {
  let meant = path
  for (let round = 0; round < MAX_ENCODINGS; round += 1) {
    if (!meant.includes('%')) return meant
    try {
      meant = decodeURIComponent(meant)
    } catch {
      return undefined
    }
  }
  return meant.includes('%') ? undefined : meant
}
