import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const BYTES = 65_536
const lending = new WeakSet<Duplex>()

/**
 * A socket that reads into one buffer again and again. Node takes a new one for each read: of hundreds of megabytes of rows that is a
 * collection of all garbage for each ten of them. What comes is handed on as a copy, which as a rule is small.
 */
export function lendingSocket(): Socket {
  const callback = (bytes: number, buffer: Uint8Array) => {
    const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, bytes)
    socket.emit('data', lending.has(socket) ? chunk : Buffer.from(chunk))
    return true
  }
  const socket: Socket = new Socket({ onread: { buffer: Buffer.allocUnsafeSlow(BYTES), callback } })
  return socket
}

/** Whether a socket's data is from now on only lent, where it can do that: what is to last is copied by whoever hears of it. */
export function borrowData(socket: Duplex, isLent: boolean): void {
  if (isLent) lending.add(socket)
  else lending.delete(socket)
}
