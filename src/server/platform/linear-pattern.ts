import { RE2JS } from 're2js'

/** Tests whole texts against an RE2 expression in linear time; null: the expression is invalid. */
export function linearPattern(pattern: string): ((text: string) => boolean) | null {
  try {
    const compiled = RE2JS.compile(pattern)
    return (text) => compiled.testExact(text)
  } catch {
    return null
  }
}
