import { execFile } from 'node:child_process'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testFolder } from '../fixtures/folders.ts'

const run = promisify(execFile)
const MB = 1024 * 1024

/** A file system in memory of so many megabytes, which a test may fill. Only root on Linux may make one. */
export class SmallDisk {
  static readonly isPossible = process.platform === 'linux' && process.getuid?.() === 0
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async mount(megabytes: number): Promise<SmallDisk> {
    const folder = await testFolder()
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'rowferry-test', folder])
    return new SmallDisk(folder)
  }

  /** Takes all the room that is left, until `free` gives it back. */
  async fill(): Promise<{ free: () => Promise<void> }> {
    const path = join(this.folder, 'filler')
    const file = await open(path, 'w')
    const { bavail, bsize } = await statfs(this.folder)
    const block = Buffer.alloc(MB, 1)
    try {
      for (let left = bavail * bsize; left > 0; left -= MB) await file.write(block, 0, Math.min(MB, left))
    } finally {
      await file.close()
    }
    return { free: () => rm(path) }
  }

  unmount = async (): Promise<void> => {
    await run('umount', ['--lazy', this.folder])
  }
}
