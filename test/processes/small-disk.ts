import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testFolder } from '../fixtures/folders.ts'

const run = promisify(execFile)
const MB = 1024 * 1024

/** A tmpfs of `megabytes`, which a test can fill. Requires root on Linux. */
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

  /** Fills the remaining space until `free` is called. */
  async fill(): Promise<{ free: () => Promise<void> }> {
    const path = join(this.folder, 'filler')
    const file = await open(path, 'w')
    const block = Buffer.alloc(MB, 1)
    try {
      // Others write, too, so that the free space cannot be known beforehand.
      for (;;) await file.write(block)
    } catch (error) {
      if (!isFull(error)) throw error
    } finally {
      await file.close()
    }
    return { free: () => rm(path) }
  }

  unmount = async (): Promise<void> => {
    await run('umount', ['--lazy', this.folder])
  }
}

const isFull = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOSPC'
