import type { AuthOptions } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import type { AppSecret } from '@/lib/crypto/derive-key'
import type { Env } from '@/lib/env'
import { AppError, type ErrorCode } from '@/lib/errors'
import { appUrl } from './app-url'
import type { Actor } from './rights'
import { sessionCookieName, usesHttps } from './session-cookie'
import {
  decodeSession,
  encodeSession,
  newSession,
  SESSION_MAX_AGE_S,
  type SessionClaims,
  type StartedSession,
} from './session-token'

/** What next-auth calls while it handles one request. */
export type AuthSteps = {
  /** Takes the fields of the sign-in form. Throws when they are not valid, or not enough. */
  signIn: (fields: Record<string, string>) => Promise<StartedSession>
  signOut: (claims: SessionClaims) => Promise<void>
  /** Null when the session has ended. */
  findActor: (claims: SessionClaims) => Promise<Actor | null>
}

/** next-auth 4 with a form of our own, and a JWT that the database can end at any time. */
export function nextAuthOptions(settings: Env, secret: AppSecret, steps: AuthSteps): AuthOptions {
  return {
    secret: secret.current,
    useSecureCookies: usesHttps(settings),
    pages: { signIn: '/login', signOut: '/login', error: '/login' },
    session: { strategy: 'jwt', maxAge: SESSION_MAX_AGE_S },
    cookies: { sessionToken: sessionTokenCookie(settings) },
    jwt: {
      encode: ({ token }) => encodeSession(token as SessionClaims, secret),
      decode: async ({ token }) =>
        token ? ((await decodeSession(token, secret, settings)) as SessionClaims | null) : null,
    },
    providers: [credentials(steps)],
    callbacks: callbacks(settings, steps),
    events: { signOut: ({ token }) => steps.signOut(token as SessionClaims) },
    // Its messages contain tokens; errors that matter are thrown and logged with the request.
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
  }
}

const sessionTokenCookie = (settings: Env) => ({
  name: sessionCookieName(settings),
  options: { httpOnly: true, sameSite: 'lax', path: '/', secure: usesHttps(settings) },
})

const credentials = ({ signIn }: AuthSteps) =>
  CredentialsProvider({
    name: 'Email and password',
    credentials: { email: { type: 'email' }, password: { type: 'password' } },
    authorize: async (input): Promise<StartedSession> => {
      try {
        return await signIn(input ?? {})
      } catch (error) {
        // Becomes part of the address of the sign-in page, which has a text for each code.
        throw new Error(error instanceof AppError ? codeOf(error) : 'Unavailable')
      }
    },
  })

const codeOf = ({ code, options }: AppError) =>
  options.meta?.secondFactor ? 'SecondFactor' : CODES[code]

const CODES: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'CredentialsSignin',
  forbidden: 'AccessDenied',
  rate_limited: 'RateLimited',
}

const callbacks = (settings: Env, { findActor }: AuthSteps): AuthOptions['callbacks'] => ({
  jwt: async ({ token, user }) => {
    if (user) return newSession(user as StartedSession)
    if (!(await findActor(token as SessionClaims))) throw new Error('The session has ended')
    return token
  },
  session: async ({ session, token }) => {
    const actor = await findActor(token as SessionClaims)
    const {
      userId: id,
      name: email,
      roles,
      mustChangePassword,
      mustSetUpSecondFactor,
    } = actor ?? {}
    const user = { id, email, roles, mustChangePassword, mustSetUpSecondFactor }
    return { expires: session.expires, user }
  },
  redirect: ({ url }) => ownUrl(url, appUrl(settings)),
})

/**
 * `url` when it is an address of this app, else the start page: sign-in must not redirect
 * elsewhere.
 */
function ownUrl(url: string, base: string): string {
  const target = URL.canParse(url, base) ? new URL(url, base) : null
  return target?.origin === new URL(base).origin ? target.href : base
}
