// Preloaded into each supervised process (node --import). Ends the process when the supervisor ends, even after kill -9.

const DRAIN_TIMEOUT_MS = 15_000

process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), DRAIN_TIMEOUT_MS).unref()
  process.kill(process.pid, 'SIGTERM')
})
// The IPC channel must not keep the process alive.
process.channel?.unref()
