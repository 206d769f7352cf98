import { headers } from 'next/headers'
import { exactJsonText, parseExactJson } from '@/lib/values/exact-json'
import type { ApiResponse } from './client'
import type { Handler } from './route'

type Question = {
  /** `/api/entities/Airport/search` */
  path: string
  params?: Record<string, string>
  /** Sent as JSON with POST. */
  body?: unknown
}

/**
 * Calls one of the app's own handlers as the visitor of this page, without a round trip, so that
 * the page can be sent with what the browser would fetch first. Null when the handler refuses: the
 * browser then sends the request itself and shows the error.
 */
export async function ask<T>(
  handler: Handler,
  { path, params = {}, body }: Question,
): Promise<ApiResponse<T> | null> {
  const response = await handler(await requestOf(path, body), { params: Promise.resolve(params) })
  return response.ok ? (parseExactJson(await response.text()) as unknown as ApiResponse<T>) : null
}

async function requestOf(path: string, body: unknown): Promise<Request> {
  const own = new Headers({ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' })
  const cookie = (await headers()).get('cookie')
  if (cookie) own.set('cookie', cookie)
  const method = body === undefined ? 'GET' : 'POST'
  return new Request(`http://page.invalid${path}`, {
    method,
    headers: own,
    body: body === undefined ? undefined : exactJsonText(body),
  })
}
