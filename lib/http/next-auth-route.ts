import { z } from 'zod'
import { AppError } from '@/lib/errors'
import { route } from './route'

const params = z.strictObject({ nextauth: z.array(z.string()) })

// Without `_log`, with which any client could write to the log.
const ACTIONS: Record<string, readonly string[]> = {
  GET: ['csrf', 'session', 'providers', 'signin', 'signout', 'error'],
  POST: ['callback/credentials', 'signout', 'session'],
}

/** Answers of providers, which next-auth does not know. */
const PROVIDER = /^callback\/oidc-([a-z0-9]+)$/

/** Sign-in, sign-out and the session, in next-auth's own formats. */
export const nextAuthRoute = route({
  doc: { undocumented: 'The sign-in page and next-auth agree on it' },
  access: 'public',
  load: 'vital',
  params,
  handle: async ({ deps, request, requestId, params: { nextauth } }) => {
    const action = nextauth.join('/')
    const [, provider] = PROVIDER.exec(action) ?? []
    if (provider && request.method === 'GET') {
      const { respondToProvider } = await import('./oidc')
      return respondToProvider(deps, { request, requestId }, provider)
    }
    if (!ACTIONS[request.method]?.includes(action))
      throw new AppError('not_found', `There is nothing at ${request.method} /api/auth/${action}`)
    const { respondByNextAuth } = await import('./next-auth') // loaded by the first of them
    return respondByNextAuth(deps, request, nextauth, requestId)
  },
})
