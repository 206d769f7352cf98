import { asc, eq } from 'drizzle-orm'
import { sessionCookie } from '@/lib/auth/session-cookie'
import { startSession } from '@/lib/auth/session-store'
import { encodeSession, newSession } from '@/lib/auth/session-token'
import type { RecordComment } from '@/lib/comments/contract'
import { mails, recordComments, users } from '@/lib/db/schema'
import { one } from '@/lib/db/sql'
import type { Handler } from '@/lib/http/route'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import type { JsonObject } from '@/lib/values/json'
import * as ofComment from '../[commentId]/route'
import * as ofRecord from '../route'

export const deps = freshDeps()

export type Headers = Record<string, string>

/** Headers of a browser in which this new user is signed in. */
export async function person(
  email: string,
  roles = ['EDITOR'],
  profile: JsonObject = {},
): Promise<Headers> {
  const values = { email, roles, profile, status: 'ACTIVATED' as const }
  const user = one(await deps.db.insert(users).values(values).returning())
  const visitor = { strong: false, userAgent: null, address: null }
  const token = await encodeSession(
    newSession(await startSession(deps.db, { user, ...visitor })),
    deps.secret,
  )
  const cookie = sessionCookie(token, deps.settings).split(';')[0] ?? ''
  return { cookie, 'sec-fetch-site': 'same-origin' }
}

type Of = { entity?: string; id?: string; query?: string }

const send = (
  routes: object,
  method: string,
  headers: Headers,
  { entity = 'Order', id = '1', query = '', commentId, body }: Of & JsonObject,
) =>
  call(deps, (routes as Record<string, Handler>)[method] as Handler, {
    ...{ method, headers, body },
    path: `/api/entities/${entity}/${id}/comments?${query}`,
    params: { entityName: entity, id, ...(commentId ? { commentId: String(commentId) } : {}) },
  })

export const list = (headers: Headers, of: Of = {}) => send(ofRecord, 'GET', headers, of)
export const write = (headers: Headers, text: string, of: Of = {}) =>
  send(ofRecord, 'POST', headers, { ...of, body: { text } })
export const change = (headers: Headers, commentId: string, text: string, of: Of = {}) =>
  send(ofComment, 'PATCH', headers, { ...of, commentId, body: { text } })
export const remove = (headers: Headers, commentId: string, of: Of = {}) =>
  send(ofComment, 'DELETE', headers, { ...of, commentId })

/** Writes a comment and returns its id. */
export async function written(headers: Headers, text: string, of: Of = {}): Promise<string> {
  const { status, text: response, body } = await write(headers, text, of)
  if (status !== 201) throw new Error(response)
  return body.data[0].id
}

export const textsOf = async (headers: Headers, of: Of = {}): Promise<string[]> =>
  ((await list(headers, of)).body.data as RecordComment[]).map(({ text }) => text)

/** To whom mails about comments were written, in the order of time. */
export async function mentioned(): Promise<string[]> {
  const found = await deps.db
    .select({ to: mails.to })
    .from(mails)
    .where(eq(mails.template, 'mention'))
    .orderBy(asc(mails.createdAt), asc(mails.to))
  return found.map(({ to }) => to)
}

export const storedComments = () => deps.db.$count(recordComments)
