import { isJson, type Json } from './json.ts'

/** Colour as Google stores it: multiples of 1/255 (halves rounded down) as 32-bit floats, without zeros (alpha: without 1). */
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

/** A ColorStyle as stored; undefined if it has no colour. */
export function storedStyle(style: Json): Json | undefined {
  if (isJson(style.rgbColor)) return { rgbColor: storedColor(style.rgbColor) }
  return typeof style.themeColor === 'string' ? { themeColor: style.themeColor } : undefined
}

/**
 * Synchronizes `color` with `style` (such as tabColor and tabColorStyle). The style takes precedence; if both are missing, both are
 * removed.
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

/** Shortest decimal with the same 32-bit float. */
function shortestFloat(value: number): number {
  const digits = [6, 7, 8, 9].find(
    (count) => Math.fround(Number(value.toPrecision(count))) === Math.fround(value),
  )
  return Number(value.toPrecision(digits ?? 9))
}
