import { z } from 'zod'

const Fence = z.object({
  target: z.object({
    fence: z.object({ id: z.int(), rows: z.int(), seeded: z.boolean().default(false) }).nullable(),
  }),
})

/** The hidden tab that a run's checkpoint knows of, and how many rows are staged in it; null: none. */
export const fenceIn = (checkpoint: unknown): z.infer<typeof Fence>['target']['fence'] =>
  Fence.safeParse(checkpoint).data?.target.fence ?? null
