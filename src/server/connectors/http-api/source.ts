import type { ApiSettings } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure, type Source } from '../connector.ts'
import { allowedHost } from '../guarded/host-rules.ts'
import { trustedBy } from '../guarded/trusted-certificates.ts'
import type { SourceContext } from '../source-context.ts'
import { compilePaths } from './json-reply.ts'
import { firstPage, requestFor } from './pages.ts'
import { ApiReading, type ReadingOptions } from './reading.ts'
import { hostOf } from './send.ts'

/**
 * Opens an HTTP API for reading, without sending anything. Throws OriginFailure for invalid settings and hosts that
 * are not allowed.
 */
export async function openApi(
  { name, settings }: { name: string; settings: ApiSettings },
  context: SourceContext,
  options: ReadingOptions = {},
): Promise<Source> {
  checkSettings(settings, context)
  return {
    title: `‘${name}’`,
    warnings: [],
    read: (from = {}) => new ApiReading(settings, context, options, from),
    formats: async () => ({ columns: [], sample_rows: null }),
  }
}

/** Throws OriginFailure for invalid settings and hosts that are not allowed. */
export function checkSettings(settings: ApiSettings, { rules }: SourceContext): void {
  const { url } = requestFor(settings, firstPage(settings.paging))
  compilePaths(settings)
  trustedBy(settings)
  const { style } = settings.paging
  if (settings.format === 'csv' && (style === 'cursor' || style === 'next_url'))
    throw new OriginFailure('invalid', originMessages.paging_of_csv)
  const { host, port } = hostOf(url)
  allowedHost(rules, host, port)
}
