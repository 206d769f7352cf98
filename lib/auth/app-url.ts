import type { Env } from '@/lib/env'

/** Where people reach the app, without a slash at the end. Never taken from a request's headers. */
export const appUrl = ({ APP_URL, PORT }: Pick<Env, 'APP_URL' | 'PORT'>): string =>
  (APP_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '')

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether a host name, as `URL` has it, is that of the machine itself. */
export const isLocalHost = (hostname: string): boolean => LOCAL.test(hostname)
