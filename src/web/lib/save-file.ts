import type { Call, Download } from '../../contract/calls.ts'
import { type DownloadedFile, download, type RequestOf } from './call.ts'

/** Downloads a declared file and saves it, by default under the server's file name. Throws CallError, or the signal's reason. */
export async function saveFile<C extends Call & { download: Download }>(
  declaration: C,
  request: RequestOf<C>,
  name?: string,
): Promise<DownloadedFile> {
  const file = await download(declaration, request)
  const address = URL.createObjectURL(file.blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name ?? file.filename
  link.click()
  URL.revokeObjectURL(address)
  return file
}
