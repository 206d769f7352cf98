import type { Env } from '@/lib/env'

/** Where people reach the app, without a slash at the end. Never taken from a request's headers. */
export const appUrl = ({ APP_URL, PORT }: Pick<Env, 'APP_URL' | 'PORT'>): string =>
  (APP_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '')
