/**
 * Environment of processes that stream large tables and files, where most allocations are short-lived. A small young generation,
 * early garbage collection (V8 otherwise lets a heap of 2 GB or more grow fourfold) and few malloc arenas reduce memory to less
 * than half without loss of speed. Allocations above 128 kB, such as rows in transit, are returned to the system when freed; by
 * default glibc raises that threshold dynamically up to 32 MB (decision 058).
 */
export const leanMemory = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-semi-space-size=16 --max-old-space-size=1536`,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
