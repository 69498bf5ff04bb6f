// Loaded into each process that the supervisor starts (node --import): ends it when the supervisor is gone, even by
// kill -9, so that no process is left behind.

const DRAIN_TIMEOUT_MS = 15_000

process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), DRAIN_TIMEOUT_MS).unref()
  process.kill(process.pid, 'SIGTERM')
})
// Listening must not keep a process alive that has nothing else to do.
process.channel?.unref()
