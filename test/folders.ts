import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cleanUpAfterEachFile } from './clean-up.ts'
import { quickestFolder } from './quickest-folder.ts'

const made: string[] = []

/** An empty folder that other accounts may enter; removed after the test file. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(await quickestFolder(), 'rowferry-folder-'))
  await chmod(folder, 0o755)
  made.push(folder)
  return folder
}

cleanUpAfterEachFile(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
})
