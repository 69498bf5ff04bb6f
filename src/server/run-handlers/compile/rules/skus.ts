import { plainSku } from '../../../snapshots/sku.ts'

// A mapping replaces a source's SKU, as it is compared (snapshots/sku.ts), by the master's.

/** The mappings of a source, with both SKUs in the form in which they are compared. */
export const plainMappings = (sku_mappings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(sku_mappings).map(([sku, master]) => [plainSku(sku), plainSku(master)]))

/**
 * The SKU under which a row is merged. `padded`: the displayed form of a number that its format pads; null for other cells. A mapping of
 * the unpadded number applies too, because earlier releases saved mappings of unpadded numbers.
 */
export function matchedSku(
  mappings: ReadonlyMap<string, string>,
  { sku, padded }: { sku: string; padded: string | null },
): string {
  return (padded === null ? undefined : mappings.get(padded)) ?? mappings.get(sku) ?? padded ?? sku
}
