import type { Call, Download } from '../../contract/calls.ts'
import { download, type RequestOf } from './call.ts'

/** Fetches a declared download and hands it to the browser to save, by default under the declaration's name. Throws CallError. */
export async function saveFile<C extends Call & { download: Download }>(
  declaration: C,
  request: RequestOf<C>,
  name: string = declaration.download.filename,
): Promise<void> {
  const address = URL.createObjectURL(await download(declaration, request))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
