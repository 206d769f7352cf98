import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type Exchange = { request: IncomingMessage; response: ServerResponse }

/** The most waiting requests of one connection, and of all connections together. */
const MAX_WAITING = 256
const MAX_WAITING_IN_ALL = 8_192
/** Time to read what still arrives after the response: a reset could lose the response. */
const REST_MS = 60_000

/**
 * The functions that Node's HTTP server uses itself to pause a connection with too much to write.
 */
type PausableSocket = Socket & { _paused?: boolean; parser?: { resume(): void } | null }

let waitingInAll = 0

/**
 * One connection of a client, whose requests run one after another. HTTP/1.1 lets clients send
 * several without waiting for responses (pipelining), and Node starts them all concurrently,
 * although the responses must be sent in order. While one waits, nothing more is read; a connection
 * with too many is closed.
 */
export class Connection {
  private current: Exchange | null = null
  private readonly waiting: Exchange[] = []
  /** Every later response says that the connection ends with it. */
  private ends = false

  constructor(
    private readonly socket: PausableSocket,
    private readonly serve: (exchange: Exchange) => void,
    private readonly restMs = REST_MS,
  ) {
    socket.once('close', () => {
      waitingInAll -= this.waiting.length
      this.waiting.length = 0
    })
  }

  take(exchange: Exchange): void {
    if (this.socket.destroyed) return
    if (this.current === null) this.start(exchange)
    else if (this.waiting.length >= MAX_WAITING || waitingInAll >= MAX_WAITING_IN_ALL)
      this.socket.destroy()
    else {
      this.waiting.push(exchange)
      waitingInAll++
      pause(this.socket)
    }
  }

  /** Ends the connection with the response that is being prepared, or the next one. */
  end(): void {
    this.ends = true
    if (this.current) sayClose(this.current.response)
  }

  /**
   * Whether the server has something to do: a response is being prepared, and the client has read
   * all that was sent of it. The API limits the time of bodies itself; other requests need none.
   */
  get isOurTurn(): boolean {
    if (!this.current || this.socket.writableLength > 0) return false
    const { request, response } = this.current
    if (response.writableFinished) return false
    return request.complete || request.url?.startsWith('/api/') === true
  }

  private start(exchange: Exchange): void {
    this.current = exchange
    const { request, response } = exchange
    if (this.ends) sayClose(response)
    response.once('close', () => this.next(request))
    this.serve(exchange)
  }

  private next(request: IncomingMessage): void {
    if (!request.complete) this.cutOffRest(request)
    if (!this.socket.writable) return // closed, or closing after `Connection: close`
    this.current = null
    const next = this.waiting.shift()
    if (!next) return
    waitingInAll--
    if (this.waiting.length === 0) resume(this.socket)
    this.start(next)
  }

  private cutOffRest(request: IncomingMessage): void {
    const timer = setTimeout(() => {
      if (!request.complete) this.socket.destroy()
    }, this.restMs).unref()
    // Of the request, not of the connection, which may serve any number of them.
    request.once('close', () => clearTimeout(timer))
  }
}

/** Sends `Connection: close`, as long as the headers were not sent. */
function sayClose(response: ServerResponse): void {
  response.shouldKeepAlive = false
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
