import 'server-only'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most waiting requests of one connection, and of all connections together. */
const MAX_WAITING = 256
const MAX_WAITING_IN_ALL = 8_192

type Turn = { response: ServerResponse; run: () => void }
type Line = { isBusy: boolean; waiting: Turn[] }

/**
 * The functions that Node's HTTP server uses itself to pause a connection with too much to write.
 */
type PausableSocket = Socket & { _paused?: boolean; parser?: { resume(): void } | null }

const lines = new WeakMap<Socket, Line>()
let waitingInAll = 0

/**
 * Runs the requests of a connection one after another. HTTP/1.1 lets clients send several without
 * waiting for responses (pipelining), and Node starts them all concurrently, although the responses
 * must be sent in order. While one waits, nothing more is read; a connection with too many is
 * closed.
 */
export function oneAtATime(socket: Socket, turn: Turn): void {
  if (socket.destroyed) return
  const line = lineOf(socket)
  if (!line.isBusy) {
    start(socket, line, turn)
    return
  }
  if (line.waiting.length >= MAX_WAITING || waitingInAll >= MAX_WAITING_IN_ALL) {
    socket.destroy()
    return
  }
  line.waiting.push(turn)
  waitingInAll++
  pause(socket)
}

function lineOf(socket: Socket): Line {
  const known = lines.get(socket)
  if (known) return known
  const line: Line = { isBusy: false, waiting: [] }
  lines.set(socket, line)
  socket.once('close', () => {
    waitingInAll -= line.waiting.length
    line.waiting = []
  })
  return line
}

function start(socket: Socket, line: Line, { response, run }: Turn): void {
  line.isBusy = true
  response.once('close', () => {
    if (!socket.writable) return // closed, or closing after `Connection: close`
    line.isBusy = false
    const next = line.waiting.shift()
    if (!next) return
    waitingInAll--
    if (line.waiting.length === 0) resume(socket)
    start(socket, line, next)
  })
  run()
}

function pause(socket: PausableSocket): void {
  socket._paused = true
  socket.pause()
}

function resume(socket: PausableSocket): void {
  socket._paused = false
  socket.parser?.resume()
  socket.resume()
}
