import { isJson, type Json } from './json.ts'

/** The colour as the service stores it: parts of 255 (a half goes down) told as 32-bit floats, none that is 0 (alpha: 1). */
function storedColor(color: Json): Json {
  const stored: Record<string, number> = {}
  for (const part of ['red', 'green', 'blue', 'alpha']) {
    const value = color[part]
    if (typeof value !== 'number' || value === (part === 'alpha' ? 1 : 0)) continue
    const step = Math.ceil(Math.min(Math.max(value, 0), 1) * 255 - 0.5)
    if (step > 0 || part === 'alpha') stored[part] = shortestFloat(step / 255)
  }
  return stored
}

/** A ColorStyle as stored; undefined where it names no colour. */
export function storedStyle(style: Json): Json | undefined {
  if (isJson(style.rgbColor)) return { rgbColor: storedColor(style.rgbColor) }
  return typeof style.themeColor === 'string' ? { themeColor: style.themeColor } : undefined
}

/**
 * The message with `color` and its twin `style` (such as tabColor and tabColorStyle) saying the same. The style wins where both are
 * there; where neither is, both are removed.
 */
export function withTwinColors(message: Json, color: string, style: string): Json {
  const { [color]: plain, [style]: styled, ...rest } = message
  const stored = isJson(styled)
    ? storedStyle(styled)
    : isJson(plain)
      ? { rgbColor: storedColor(plain) }
      : undefined
  if (!stored) return rest
  return { ...rest, ...(isJson(stored.rgbColor) && { [color]: stored.rgbColor }), [style]: stored }
}

/** The number with the fewest digits that is the same 32-bit float. */
function shortestFloat(value: number): number {
  const digits = [6, 7, 8, 9].find(
    (count) => Math.fround(Number(value.toPrecision(count))) === Math.fround(value),
  )
  return Number(value.toPrecision(digits ?? 9))
}
