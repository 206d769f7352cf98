import type { IncomingMessage, ServerResponse } from 'node:http'
import { callerAddress, PEER_HEADER } from '@/lib/auth/request-origin'
import { withBudget } from '@/lib/db/budget'
import type { Env } from '@/lib/env'
import { AppError } from '@/lib/errors'
import { standInPage } from '@/lib/http/stand-in-page'
import { Gate } from '@/lib/load/gate'
import { metrics } from '@/lib/metrics/metrics'
import type { Exchange } from './connection'

export type PageSettings = Pick<Env, 'QUEUE_WAIT_MS' | 'READ_TIMEOUT_MS' | 'TRUST_PROXY'>

/**
 * Rendering a page mostly takes processor time: with more concurrent pages, all would end later.
 */
const PLACES = 32
const PLACES_OF_ADDRESS = 16
const MAX_WAITING = 64

/** What Next renders: everything except the API and files. */
export const isPage = (url: string): boolean =>
  !/^\/(api([/?]|$)|_next\/static\/|samples\/|icon\.svg([?]|$))/.test(url)

/**
 * Makes a function that has a page drawn when a slot is free, and within `READ_TIMEOUT_MS`, its
 * statements included. Otherwise the response is a 503 page.
 */
export function pageAdmission(settings: PageSettings) {
  const gate = new Gate({
    name: 'page',
    slots: PLACES,
    slotsOfOwner: PLACES_OF_ADDRESS,
    maxWaiting: MAX_WAITING,
    waitMs: settings.QUEUE_WAIT_MS,
    retryAfterS: 5,
    what: 'page requests',
  })
  return async (exchange: Exchange, draw: () => void): Promise<void> => {
    const { request, response } = exchange
    const { left, atClose } = leaving(response)
    try {
      const leave = await gate.enter(ownerOf(request, settings.TRUST_PROXY), left)
      // A rendered page holds no slot while its client reads it.
      response.once('prefinish', leave)
      atClose.push(leave)
    } catch {
      respondBusy(response, 'It has too many pages to show at present.')
      return
    }
    const timer = drawInTime(response, left, settings.READ_TIMEOUT_MS, draw)
    atClose.push(() => clearTimeout(timer))
  }
}

/**
 * `left` aborts when the client leaves before it has its response; `atClose` is run when the
 * response is over. One listener does it all: Node warns of more than ten, and Next adds some of
 * its own.
 */
function leaving(response: ServerResponse): { left: AbortSignal; atClose: (() => void)[] } {
  const controller = new AbortController()
  const atClose: (() => void)[] = []
  response.once('close', () => {
    for (const end of atClose) end()
    if (!response.writableFinished) controller.abort()
  })
  return { left: controller.signal, atClose }
}

function ownerOf({ headers }: IncomingMessage, trustProxy: number): string {
  const known = new Headers()
  for (const name of [PEER_HEADER, 'x-forwarded-for']) {
    const value = headers[name]
    if (value) known.set(name, String(value))
  }
  return callerAddress(known, trustProxy) ?? 'unknown'
}

function drawInTime(
  response: ServerResponse,
  signal: AbortSignal,
  ms: number,
  draw: () => void,
): NodeJS.Timeout {
  const giveUp = () => {
    if (!response.headersSent) metrics().stopped.inc({ reason: 'timed out' })
    respondBusy(response, `The page took longer than ${ms / 1000} seconds to make.`)
  }
  // For waits outside of statements.
  const timer = setTimeout(giveUp, ms)
  const exceeded = () => {
    giveUp() // before the error reaches Next, which would respond with 500
    return new AppError('unavailable', 'The page took too long and was stopped', { retryAfter: 5 })
  }
  void withBudget({ ms, signal, exceeded, request: {} }, async () => draw())
  return timer
}

const RETRY_SECONDS = 5

/**
 * Responds with a page that says why another one is not shown. Ignores what Next writes to the
 * response afterwards. Does nothing when a response has begun.
 */
function respondBusy(response: ServerResponse, text: string): void {
  if (response.headersSent || response.writableEnded || response.destroyed) return
  const page = standInPage({
    text: `${text} This page tries again by itself.`,
    refresh: `<meta http-equiv="refresh" content="${RETRY_SECONDS}">`,
  })
  for (const name of response.getHeaderNames()) {
    if (!KEPT.has(name)) response.removeHeader(name)
  }
  response.writeHead(503, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    'Retry-After': RETRY_SECONDS,
  })
  response.end(page)
  ignoreWrites(response)
}

/** Headers of every response; the others belonged to the page. */
const KEPT = new Set(['connection', 'strict-transport-security'])

function ignoreWrites(response: ServerResponse): void {
  const nothing = () => response
  const ignored = { writeHead: nothing, setHeader: nothing, appendHeader: nothing, end: nothing }
  Object.assign(response, ignored, {
    write: () => true,
    removeHeader: () => {},
    flushHeaders: () => {},
  })
}
