/**
 * Environment of processes that work through large tables and files row by row: most of what they allocate is dead at
 * once. A small space for that, a heap that V8 cleans before it has doubled (one of 2 GB or more may grow fourfold first), and
 * few pools of native memory keep them at less than half the size without making them slower. What is larger than 128 kB, as rows on
 * their way are, goes back to the system as soon as it is free: glibc raises that bound by itself otherwise, up to 32 MB, and
 * keeps what is below (decision 074).
 */
export const leanMemory = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=16 --max-old-space-size=1536`,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
