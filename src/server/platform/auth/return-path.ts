const BASE = 'http://local.invalid'

/** The path within this app that the text names, normalised; undefined for anything that could lead elsewhere or back into sign-in. */
export function localPath(text: string | undefined): string | undefined {
  if (!text?.startsWith('/') || !URL.canParse(text, BASE)) return undefined
  const { origin, pathname, search, hash } = new URL(text, BASE)
  // Browsers and proxies read a backslash, and some an encoded slash, as a slash: `//host` would be another site.
  const read = pathname.replaceAll(/%2f|%5c|\\/gi, '/')
  if (origin !== BASE || read.startsWith('//') || /^\/auth(\/|$)/i.test(read)) return undefined
  return pathname + search + hash
}
