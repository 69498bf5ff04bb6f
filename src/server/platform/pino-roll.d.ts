declare module 'pino-roll' {
  import type { SonicBoom, SonicBoomOpts } from 'sonic-boom'

  /** The options that we use: the package has no types. */
  export default function roll(
    options: SonicBoomOpts & { file: string; extension: string; size: string; limit: { count: number } },
  ): Promise<SonicBoom>
}
